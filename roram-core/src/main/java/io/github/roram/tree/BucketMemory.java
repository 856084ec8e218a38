package io.github.roram.tree;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.cipher.Nonces;
import io.github.roram.engine.WholeState;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Working memory for buckets of one layout, lent to the operations on the trees that have it. It
 * grows to what the largest operations need and is then reused.
 */
public final class BucketMemory {

  private final BucketCodec codec;
  private final Workspace.Ring ring;
  private @Nullable BucketFlow flow;
  private @Nullable ParallelBucketCodec lanes;
  private final Workspace.Epochs epochs;
  private final WholeState whole;
  private final Pool<BucketRuns> requests = new Pool<>(BucketRuns::new);
  private final Pool<EvictionBuffer> evictions;
  private final Pool<TombstoneEviction> tombstones;
  private final byte[] scratch;

  BucketMemory(BucketCodec codec, Workspace.Epochs epochs, Workspace.Ring ring, WholeState whole) {
    this.codec = codec;
    this.epochs = epochs;
    this.whole = whole;
    this.ring = ring;
    evictions = new Pool<>(() -> new EvictionBuffer(codec.descriptor()));
    tombstones = new Pool<>(() -> new TombstoneEviction(codec.descriptor()));
    scratch = new byte[codec.descriptor().plainBytes()];
  }

  /** Returns the layout of the buckets. */
  public BucketDescriptor descriptor() {
    return codec.descriptor();
  }

  /** Returns the epochs in which writes are sealed. */
  public Workspace.Epochs epochs() {
    return epochs;
  }

  /** Returns the state that tells whether the client's knowledge of the trees is consistent. */
  public WholeState whole() {
    return whole;
  }

  /** Reads and writes requests on several threads, one after another. */
  BucketFlow flow() {
    if (flow == null) {
      flow = new BucketFlow(codec, ring);
    }
    return flow;
  }

  /** Opens and seals on the threads of a store that is asked for many requests at a time. */
  public ParallelBucketCodec lanes() {
    if (lanes == null) {
      lanes = new ParallelBucketCodec(codec, ring.threads());
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

  /** Returns memory for the blocks of paths being evicted, for a tree to keep. */
  public EvictionBuffer newEviction() {
    return evictions.lend();
  }

  /** Returns memory for the plaintext of one bucket that is not kept. */
  public byte[] scratch() {
    return scratch;
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
   * @throws IOException if the store failed; some may have been visited
   */
  public void show(BucketRuns names, Reading reading, BucketWalk.Visitor visitor)
      throws IOException {
    flow().read(reading, names, visitor);
  }

  /**
   * Writes buckets, sealed in their epochs on several threads.
   *
   * @param source is asked by all of them; what the buckets are is settled when this is called
   */
  public void write(BucketStore store, BucketRuns runs, Source source) throws IOException {
    flow().write(store, runs, source);
  }

  /**
   * Puts together and seals buckets one after another, on the calling thread. What they are is
   * settled when this is called.
   *
   * @param names what the buckets are; their epochs may be left open
   * @param epoch in which all of them are sealed
   */
  public UnitSource sealing(BucketRuns names, int epoch, Source source) {
    Nonces nonces = Nonces.fresh();
    int tree = names.tree();
    return (firstUnit, units) -> {
      for (int unit = firstUnit; units.hasRemaining(); unit++) {
        int level = names.level(unit);
        byte[] plain = source.assemble(unit, scratch);
        codec.seal(plain, tree, level, names.eviction(unit), epoch, nonces, unit, units);
      }
    };
  }

  /**
   * Returns the bytes of buckets between the store and the threads that open and seal them, now.
   */
  public long ringBytes() {
    return flow == null ? 0 : flow.heldBytes();
  }

  /** Returns the bytes of blocks that arrived for reads and chunks that overlap, now. */
  public long arrivedBytes() {
    return lanes == null ? 0 : lanes.heldBytes();
  }

  /** Returns the bytes of memory for paths being read and evicted, now. */
  public long chunkBytes() {
    long[] bytes = {scratch.length};
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
  }

  /**
   * Reusable things that are lent to one operation at a time. The one that was made first is lent
   * first: an operation that has no other next to it always gets the same one, and only that grows
   * to what it needs. Not thread safe.
   */
  static final class Pool<T> {

    private final Supplier<T> maker;
    private final List<T> made = new ArrayList<>();

    /** Which of them nobody has. */
    private final BitSet idle = new BitSet();

    Pool(Supplier<T> maker) {
      this.maker = maker;
    }

    /** Returns an object that nobody else is using. */
    T lend() {
      int first = idle.nextSetBit(0);
      if (first >= 0) {
        idle.clear(first);
        return made.get(first);
      }
      T lent = maker.get();
      made.add(lent);
      return lent;
    }

    /** Takes back what was lent. */
    @SuppressWarnings("ReferenceEquality") // which of them it is, not which is like it
    void giveBack(T lent) {
      for (int i = 0; i < made.size(); i++) {
        if (made.get(i) == lent) {
          idle.set(i);
        }
      }
    }

    /** Does something to all of them, lent or not. */
    void forEach(Consumer<T> action) {
      made.forEach(action);
    }
  }

  /** Puts together the buckets of a request that is to be written. */
  @FunctionalInterface
  public interface Source {

    /**
     * Fills in a bucket, all of it but the links.
     *
     * @param unit number of the bucket in the request
     * @return the array, or another one that has the bucket and is only read
     */
    byte[] assemble(int unit, byte[] plain);
  }
}
