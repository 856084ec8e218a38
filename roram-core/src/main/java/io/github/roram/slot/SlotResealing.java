package io.github.roram.slot;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.Nonces;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Resealing;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reseals every bucket that was written, part by part of a walk, under its own numbers. */
final class SlotResealing implements Resealing {

  private final BucketStore buckets;
  private final SlotGeometry geometry;
  private final SlotState state;
  private final SlotRequest request;
  private final SlotWalk walk;
  private final BucketCodec renewed;
  private final int epoch;
  private byte[] sealed = {};

  /**
   * Goes over what the state names.
   *
   * @param request reads it
   * @param newKeys seal in their epoch
   */
  SlotResealing(
      OramContext context,
      SlotGeometry geometry,
      SlotState state,
      SlotRequest request,
      BucketStore buckets,
      BucketKeys newKeys) {
    this.buckets = buckets;
    this.geometry = geometry;
    this.state = state;
    this.request = request;
    walk = new SlotWalk(context, geometry, state, request);
    renewed = new BucketCodec(request.descriptor(), newKeys, context.storeId());
    epoch = newKeys.epoch();
  }

  @Override
  public boolean next() {
    boolean is = walk.next();
    if (is && sealed.length < bytes()) {
      sealed = new byte[bytes()];
    }
    return is;
  }

  @Override
  public int bytes() {
    return walk.bytesOfPart();
  }

  @Override
  public byte[] sealed() {
    return sealed;
  }

  @Override
  public void translate() throws IOException {
    int depth = geometry.depth(walk.level());
    Nonces nonces = Nonces.fresh();
    ByteBuffer target = ByteBuffer.wrap(sealed);
    SlotRequest.FirstRefusal refusal = new SlotRequest.FirstRefusal();
    request.readBuckets(
        state,
        walk.level(),
        walk.eviction(),
        walk.count(),
        (unit, plain) -> {
          int message = target.position() / geometry.slotBytes();
          renewed.seal(
              plain, SlotGeometry.TREE, depth, unit.number(), epoch, nonces, message, target);
        },
        refusal);
    refusal.check();
  }

  @Override
  public void write() throws IOException {
    BucketRuns written =
        geometry.buckets(
            IoPhase.META, walk.level(), walk.eviction(), walk.count(), eviction -> epoch);
    buckets.write(
        written,
        (first, units) -> units.put(sealed, first * geometry.slotBytes(), units.remaining()));
    buckets.sync();
  }
}
