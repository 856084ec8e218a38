package io.github.roram.tree;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * Codecs and memory for opened buckets, for whatever threads a store calls sinks and sources on:
 * each borrows what nobody else has. As many open and seal at a time as there is room for: a store
 * may have more threads than that. Thread safe.
 */
public final class BucketLanes {

  private final BucketCodec codec;
  private final Semaphore room;
  private final ConcurrentLinkedQueue<BucketCodec> codecs = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<byte[]> buckets = new ConcurrentLinkedQueue<>();

  /** All memory that was ever lent; guarded by itself. */
  private final List<byte[]> made = new ArrayList<>();

  /**
   * None lent.
   *
   * @param threads how many open and seal at a time; a codec takes memory of its own
   */
  BucketLanes(BucketCodec codec, int threads) {
    this.codec = codec;
    room = new Semaphore(threads);
  }

  /** The layout of the buckets. */
  BucketDescriptor descriptor() {
    return codec.descriptor();
  }

  /** Waits, on a thread of a store, until fewer than the most open and seal. */
  public void enter() {
    room.acquireUninterruptibly();
  }

  /** Undoes {@link #enter}. */
  public void leave() {
    room.release();
  }

  /** A codec that nobody else has. */
  public BucketCodec lendCodec() {
    BucketCodec idle = codecs.poll();
    return idle == null ? codec.duplicate() : idle;
  }

  /** A codec is free again. */
  public void giveBack(BucketCodec lent) {
    codecs.add(lent);
  }

  /** Memory for the plaintext of a bucket. */
  public byte[] lendBucket() {
    byte[] idle = buckets.poll();
    if (idle == null) {
      idle = new byte[codec.descriptor().plainBytes()];
      synchronized (made) {
        made.add(idle);
      }
    }
    return idle;
  }

  /** Memory is free again. */
  public void giveBack(byte[] lent) {
    buckets.add(lent);
  }

  /** Bytes of memory for opened buckets, and for blocks of them, now. */
  long heldBytes() {
    synchronized (made) {
      return (long) made.size() * codec.descriptor().plainBytes();
    }
  }

  /** Overwrites all plaintext with zeros. */
  void wipe() {
    synchronized (made) {
      made.forEach(bucket -> Arrays.fill(bucket, (byte) 0));
    }
  }
}
