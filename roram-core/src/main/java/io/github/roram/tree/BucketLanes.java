package io.github.roram.tree;

import io.github.roram.bucket.BucketCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Codecs and memory for opened buckets, for whatever threads a store calls sinks and sources on:
 * each borrows what nobody else has. Thread safe.
 */
public final class BucketLanes {

  private final BucketCodec codec;
  private final ConcurrentLinkedQueue<BucketCodec> codecs = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<byte[]> buckets = new ConcurrentLinkedQueue<>();

  /** All memory that was ever lent; guarded by itself. */
  private final List<byte[]> made = new ArrayList<>();

  BucketLanes(BucketCodec codec) {
    this.codec = codec;
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

  /** Overwrites all plaintext with zeros. */
  void wipe() {
    synchronized (made) {
      made.forEach(bucket -> Arrays.fill(bucket, (byte) 0));
    }
  }
}
