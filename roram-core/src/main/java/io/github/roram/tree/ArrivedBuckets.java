package io.github.roram.tree;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.UnitSink;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of a request, opened as they arrive on threads of the store, and kept until the
 * operation that asked for them takes them on its own. What is asked of the store does not depend
 * on which are kept.
 *
 * <p>One thread at a time.
 */
final class ArrivedBuckets implements UnitSink {

  private final BucketLanes lanes;
  private final BucketRuns runs;
  private final Predicate<byte[]> kept;
  private final byte[] @Nullable [] buckets;
  private int next;

  /** Takes an opened bucket. */
  interface Taker {
    void take(int unit, byte[] plain);
  }

  /**
   * None yet.
   *
   * @param kept which buckets are worth keeping; asked on the store's threads
   */
  ArrivedBuckets(BucketLanes lanes, BucketRuns runs, Predicate<byte[]> kept) {
    this.lanes = lanes;
    this.runs = runs;
    this.kept = kept;
    buckets = new byte[runs.units()][];
  }

  @Override
  public void accept(int firstUnit, ByteBuffer units) {
    BucketCodec codec = lanes.lendCodec();
    byte[] plain = lanes.lendBucket();
    try {
      for (int unit = firstUnit; units.hasRemaining(); unit++) {
        checkNext(unit);
        codec.open(
            units, plain, runs.tree(), runs.level(unit), runs.eviction(unit), runs.epoch(unit));
        if (kept.test(plain)) {
          buckets[unit] = plain;
          plain = lanes.lendBucket();
        }
      }
    } finally {
      lanes.giveBack(plain);
      lanes.giveBack(codec);
    }
  }

  private void checkNext(int unit) {
    if (unit != next++) {
      throw new IllegalStateException(
          "the store came with unit " + unit + " instead of unit " + (next - 1));
    }
  }

  /** Hands over what was kept, in the order of the request, and keeps it no more. */
  void takeAll(Taker taker) {
    for (int unit = 0; unit < buckets.length; unit++) {
      byte[] plain = buckets[unit];
      if (plain != null) {
        taker.take(unit, plain);
      }
    }
    clear();
  }

  /** Number of buckets of the request. */
  int units() {
    return buckets.length;
  }

  /** Keeps nothing any more; the request may be made again. */
  void clear() {
    for (byte[] plain : buckets) {
      if (plain != null) {
        lanes.giveBack(plain);
      }
    }
    Arrays.fill(buckets, null);
    next = 0;
  }
}
