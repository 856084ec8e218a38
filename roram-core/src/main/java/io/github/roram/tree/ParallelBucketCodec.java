package io.github.roram.tree;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.cipher.Nonces;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * Opens and seals buckets on the threads on which a store calls sinks and sources. Each borrows a
 * codec for itself, and memory for opened buckets. A limited number open and seal concurrently,
 * because a store may have more threads than there is memory for. Thread safe.
 */
public final class ParallelBucketCodec {

  private final BucketCodec codec;
  private final Semaphore room;
  private final ConcurrentLinkedQueue<BucketCodec> codecs = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<byte[]> buckets = new ConcurrentLinkedQueue<>();

  /** All memory that was ever lent; guarded by itself. */
  private final List<byte[]> made = new ArrayList<>();

  /**
   * Creates the pool; nothing is on loan.
   *
   * @param threads how many may open and seal concurrently; a codec takes memory of its own
   */
  public ParallelBucketCodec(BucketCodec codec, int threads) {
    this.codec = codec;
    room = new Semaphore(threads);
  }

  /** Returns the layout of the buckets. */
  public BucketDescriptor descriptor() {
    return codec.descriptor();
  }

  /** The operation on a bucket that a store brings or asks for. */
  @FunctionalInterface
  public interface Step {
    /** Opens the bucket that comes next out of a piece, or seals it into it. */
    void run(BucketCodec codec, int unit, ByteBuffer units);
  }

  /** Does something with all buckets of a request. */
  public InOrder inOrder(Step step) {
    return new InOrder(step);
  }

  /**
   * Puts together and seals the buckets of a write, whose contents are settled: each once, since a
   * second time would be a second message under the same nonce.
   */
  public UnitSource sealing(BucketRuns runs, BucketMemory.Source source) {
    Nonces nonces = Nonces.fresh();
    return inOrder(
        (codec, unit, units) -> {
          byte[] plain = lendBucket();
          try {
            codec.seal(
                source.assemble(unit, plain),
                runs.tree(),
                runs.level(unit),
                runs.number(unit),
                runs.epoch(unit),
                nonces,
                unit,
                units);
          } finally {
            giveBack(plain);
          }
        });
  }

  /** The buckets of a request, each once and in their order. One thread at a time. */
  public final class InOrder implements UnitSink, UnitSource {
    private final Step step;
    private int next;

    private InOrder(Step step) {
      this.step = step;
    }

    @Override
    public void accept(int firstUnit, ByteBuffer units) {
      room.acquireUninterruptibly();
      BucketCodec idle = codecs.poll();
      BucketCodec lent = idle == null ? codec.duplicate() : idle;
      try {
        for (int unit = firstUnit; units.hasRemaining(); unit++) {
          if (unit != next++) {
            throw new IllegalStateException(
                "the store came with unit " + unit + " instead of unit " + (next - 1));
          }
          step.run(lent, unit, units);
        }
      } finally {
        codecs.add(lent);
        room.release();
      }
    }

    @Override
    public void fill(int firstUnit, ByteBuffer units) {
      accept(firstUnit, units);
    }
  }

  /** Lends memory for the plaintext of a bucket. */
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

  /** Takes memory back. */
  public void giveBack(byte[] lent) {
    buckets.add(lent);
  }

  /** Returns the bytes of memory for opened buckets, and for blocks of them, now. */
  public long heldBytes() {
    synchronized (made) {
      return (long) made.size() * codec.descriptor().plainBytes();
    }
  }

  /** Overwrites all plaintext with zeros. */
  public void wipe() {
    synchronized (made) {
      made.forEach(bucket -> Arrays.fill(bucket, (byte) 0));
    }
  }
}
