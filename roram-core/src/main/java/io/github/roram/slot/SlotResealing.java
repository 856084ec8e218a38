package io.github.roram.slot;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.Nonces;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Resealing;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reseals every bucket that was written, one at a time, under its own numbers. */
final class SlotResealing implements Resealing {

  private final BucketStore buckets;
  private final SlotGeometry geometry;
  private final SlotState state;
  private final SlotWalk walk;
  private final BucketCodec opening;
  private final BucketCodec sealing;
  private final int epoch;
  private final byte[] plain;
  private final byte[] sealed;

  /**
   * Goes over what the state names.
   *
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
    BucketDescriptor descriptor = SlotGeometry.descriptor(context.config().blockBytes());
    walk = SlotWalk.oneByOne(context, geometry, state, request.another());
    opening = new BucketCodec(descriptor, context.keys(), context.storeId());
    sealing = new BucketCodec(descriptor, newKeys, context.storeId());
    epoch = newKeys.epoch();
    plain = new byte[descriptor.plainBytes()];
    int slots = Math.max(geometry.slots(0), geometry.slots(geometry.levels() - 1));
    sealed = new byte[slots * geometry.slotBytes()];
  }

  @Override
  public boolean next() {
    return walk.next();
  }

  @Override
  public int bytes() {
    return walk.bytesOfPart();
  }

  @Override
  public byte[] sealed() {
    return sealed;
  }

  private BucketRuns bucket(int ofEpoch) {
    return geometry.buckets(IoPhase.META, walk.level(), walk.eviction(), 1, each -> ofEpoch);
  }

  @Override
  public void translate() throws IOException {
    int depth = geometry.depth(walk.level());
    int was = state.epoch(walk.eviction());
    Nonces nonces = Nonces.fresh();
    ByteBuffer target = ByteBuffer.wrap(sealed);
    buckets.read(
        bucket(was),
        (first, bytes) -> {
          for (int slot = first; bytes.hasRemaining(); slot++) {
            long number = BucketRuns.number(walk.eviction(), slot);
            opening.open(bytes, plain, SlotGeometry.TREE, depth, number, was);
            sealing.seal(plain, SlotGeometry.TREE, depth, number, epoch, nonces, slot, target);
          }
        });
  }

  @Override
  public void write() throws IOException {
    buckets.write(
        bucket(epoch),
        (first, units) -> units.put(sealed, first * geometry.slotBytes(), units.remaining()));
    buckets.sync();
  }
}
