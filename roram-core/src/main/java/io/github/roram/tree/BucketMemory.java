package io.github.roram.tree;

import io.github.roram.IntegrityException;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.cipher.Nonces;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Working memory for buckets of one layout, lent to the operations on the trees that have it. It
 * grows to what the largest operations need and is then reused.
 */
public final class BucketMemory {

  private final BucketCodec codec;
  private final RingShape ring;
  private @Nullable BucketFlow flow;
  private @Nullable BucketLanes lanes;
  private final SealingEpochs epochs;
  private final Pool<BucketRuns> requests = new Pool<>(BucketRuns::new);
  private final Pool<EvictionBuffer> evictions;
  private final Pool<TombstoneEviction> tombstones;
  private final byte[] scratch;
  private byte[][] buckets = {};

  BucketMemory(BucketCodec codec, SealingEpochs epochs, RingShape ring) {
    this.codec = codec;
    this.epochs = epochs;
    this.ring = ring;
    evictions = new Pool<>(() -> new EvictionBuffer(codec.descriptor()));
    tombstones = new Pool<>(() -> new TombstoneEviction(codec.descriptor()));
    scratch = new byte[codec.descriptor().plainBytes()];
  }

  /** Seals and opens the buckets. */
  public BucketCodec codec() {
    return codec;
  }

  /** The layout of the buckets. */
  public BucketDescriptor descriptor() {
    return codec.descriptor();
  }

  /** The epochs that writes seal in. */
  public SealingEpochs epochs() {
    return epochs;
  }

  /** Reads and writes requests on several threads, one after another. */
  BucketFlow flow() {
    if (flow == null) {
      flow = new BucketFlow(codec, ring);
    }
    return flow;
  }

  /** Opens and seals on the threads of a store that is asked for many requests at a time. */
  public BucketLanes lanes() {
    if (lanes == null) {
      lanes = new BucketLanes(codec, ring.threads());
    }
    return lanes;
  }

  /** Lends requests. */
  Pool<BucketRuns> requests() {
    return requests;
  }

  /** Lends memory for the blocks of paths being evicted. */
  Pool<EvictionBuffer> evictions() {
    return evictions;
  }

  /** Lends memory for the tombstones of paths being evicted. */
  Pool<TombstoneEviction> tombstones() {
    return tombstones;
  }

  /** Memory for the blocks of paths being evicted, for a tree to keep. */
  public EvictionBuffer newEviction() {
    return evictions.lend();
  }

  /** One bucket's plaintext, for a bucket that is not kept. */
  public byte[] scratch() {
    return scratch;
  }

  /** The plaintext of bucket {@code unit} of the path at hand. */
  public byte[] bucket(int unit) {
    if (unit >= buckets.length) {
      int old = buckets.length;
      buckets = Arrays.copyOf(buckets, Math.max(unit + 1, old + old / 4));
      for (int i = old; i < buckets.length; i++) {
        buckets[i] = new byte[codec.descriptor().plainBytes()];
      }
    }
    return buckets[unit];
  }

  /** Asks a store for the buckets of a request. */
  @FunctionalInterface
  public interface Reading {
    /** Reads them into a sink. */
    void into(UnitSink sink) throws IOException;
  }

  /**
   * Reads buckets that nobody keeps, opening them on several threads. The visitor is called on this
   * one, in the order of the request.
   *
   * @param names what the buckets must be; their epochs may be {@link BucketCodec#ANY_EPOCH}
   * @param bucketOf number, in its level, of each bucket
   * @throws IOException if the store failed; some may have been visited
   */
  public void show(
      BucketRuns names, IntUnaryOperator bucketOf, Reading reading, BucketVisitor visitor)
      throws IOException {
    flow()
        .read(
            reading,
            names,
            new BucketFlow.Consumer() {
              @Override
              public void accept(int unit, byte[] plain) {
                visitor.opened(bucketOf.applyAsInt(unit), plain);
              }

              @Override
              public void refused(int unit, IntegrityException reason) {
                visitor.refused(bucketOf.applyAsInt(unit), reason);
              }
            });
  }

  /**
   * Puts together and seals buckets one after another, on the calling thread. What they are is
   * settled when this is called.
   *
   * @param names what the buckets are; their epochs may be left open
   * @param epoch in which all of them are sealed
   */
  public UnitSource sealing(BucketRuns names, int epoch, BucketSource source) {
    Nonces nonces = Nonces.fresh();
    int tree = names.tree();
    return (firstUnit, units) -> {
      for (int unit = firstUnit; units.hasRemaining(); unit++) {
        int level = names.level(unit);
        source.assemble(unit, scratch);
        codec.seal(scratch, tree, level, names.eviction(unit), epoch, nonces, unit, units);
      }
    };
  }

  /** Bytes of buckets between the store and the threads that open and seal them, now. */
  public long ringBytes() {
    return flow == null ? 0 : flow.heldBytes();
  }

  /** Bytes of blocks that arrived for reads and chunks that overlap, now. */
  public long arrivedBytes() {
    return lanes == null ? 0 : lanes.heldBytes();
  }

  /** Bytes of memory for paths being read and evicted, now. */
  public long chunkBytes() {
    long[] bytes = {scratch.length + (long) buckets.length * codec.descriptor().plainBytes()};
    evictions.forEach(eviction -> bytes[0] += eviction.heldBytes());
    tombstones.forEach(eviction -> bytes[0] += eviction.heldBytes());
    return bytes[0];
  }

  /** Ends the helping threads and overwrites all plaintext with zeros. */
  void wipe() {
    if (flow != null) {
      flow.wipe();
    }
    if (lanes != null) {
      lanes.wipe();
    }
    Arrays.fill(scratch, (byte) 0);
    evictions.forEach(EvictionBuffer::wipe);
    for (byte[] bucket : buckets) {
      Arrays.fill(bucket, (byte) 0);
    }
  }
}
