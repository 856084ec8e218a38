package io.github.roram.tree;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.cipher.Nonces;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.UnitSource;
import java.nio.ByteBuffer;

/**
 * The buckets of a write, whose contents are settled, put together and sealed on threads of the
 * store as it asks for them: each once, since a second time would be a second message under the
 * same nonce.
 *
 * <p>One thread at a time.
 */
final class SealedBuckets implements UnitSource {

  private final BucketLanes lanes;
  private final BucketRuns runs;
  private final BucketSource source;
  private final Nonces nonces = Nonces.fresh();
  private int next;

  /** The buckets of a request. */
  SealedBuckets(BucketLanes lanes, BucketRuns runs, BucketSource source) {
    this.lanes = lanes;
    this.runs = runs;
    this.source = source;
  }

  @Override
  public void fill(int firstUnit, ByteBuffer units) {
    lanes.enter();
    BucketCodec codec = lanes.lendCodec();
    byte[] plain = lanes.lendBucket();
    try {
      for (int unit = firstUnit; units.hasRemaining(); unit++) {
        if (unit != next++) {
          throw new IllegalStateException(
              "the store asked for unit " + unit + " instead of unit " + (next - 1));
        }
        source.assemble(unit, plain);
        codec.seal(
            plain,
            runs.tree(),
            runs.level(unit),
            runs.eviction(unit),
            runs.epoch(unit),
            nonces,
            unit,
            units);
      }
    } finally {
      lanes.giveBack(plain);
      lanes.giveBack(codec);
      lanes.leave();
    }
  }
}
