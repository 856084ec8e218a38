package io.github.roram.store;

import java.io.IOException;

/**
 * Untrusted storage of the tree engine's buckets, which are asked for by name: tree, level, number
 * of the eviction that writes the bucket, and key epoch that seals it. Where a bucket lies is the
 * store's affair: in a ring over a {@link BlockStore}, or as an object that is written once.
 *
 * <p>At every level j eviction t writes one bucket, which takes the place of that of eviction t −
 * 2^j (construction, section 2.3). So with cnt evictions done the current buckets of level j are
 * those of evictions cnt − 2^j to cnt − 1; those before 2^h were never written and are not asked
 * for.
 *
 * <h2>Obligations of an implementation</h2>
 *
 * <ul>
 *   <li>{@link #read} hands every bucket of the request to the sink exactly once, in the order of
 *       the request, on the calling thread; {@link #write} asks the source for every bucket in the
 *       same way. A piece holds one or more whole buckets ({@link BucketRuns#bucketBytes}).
 *   <li>What is asked of the medium follows from the request alone, never from what the buckets
 *       hold.
 *   <li>A bucket that was written is read as it was written until it is let go of: by {@link
 *       #discardOlder}, or by a write of the same tree, level and eviction under another epoch,
 *       after which the bucket of the epoch before is not asked for any more.
 *   <li>A failed write may leave any of its buckets written, or none, and changes no other. A
 *       request for a bucket that was never written, or was let go of, returns any bytes or throws:
 *       the reader authenticates buckets.
 *   <li>After {@code discardOlder(tree, t)} the buckets that are current at t, and all that are
 *       written later, stay until the next such call, provided that nobody writes buckets of
 *       evictions from {@code t +} {@link #mostAhead} on.
 *   <li>What {@link #sync} returned after is durable, as far as the medium can promise.
 *   <li>Exceptions thrown by a sink or source pass through unchanged.
 * </ul>
 *
 * <p>Thread safety: implementations are safe for use by several threads; calls may be serialised.
 * The opener of what is below closes it.
 */
public interface BucketStore {

  /**
   * Reads buckets.
   *
   * @throws StoreDamagedException if the medium lacks bytes that must be there
   * @throws IOException if the medium fails; the call may be repeated
   */
  void read(BucketRuns runs, UnitSink sink) throws IOException;

  /** Whether {@link #readXor} moves fewer bytes: {@link BlockStore#computesXor}. */
  default boolean computesXor() {
    return false;
  }

  /** Reads the XOR of the buckets of each group: as {@link BlockStore#readXor}. */
  default void readXor(BucketRuns runs, XorGroups groups, UnitSink results) throws IOException {
    read(runs, groups.into(results));
  }

  /**
   * Writes buckets.
   *
   * @throws StoreFullException if the medium has no room left; the call may be repeated
   * @throws IOException if the medium fails; the call may be repeated
   */
  void write(BucketRuns runs, UnitSource source) throws IOException;

  /**
   * Says that the client will never again need what was current before eviction t alone: of level j
   * the buckets of evictions below {@code t − 2^j}, and of earlier epochs than those that were
   * written last. The store may let go of them now, later, or never; a failure to do so is its own
   * affair.
   *
   * @param eviction t: all evictions below are done and committed; never less than before
   */
  void discardOlder(int tree, long eviction);

  /**
   * Says which buckets of earlier openings the client can still ask for. All others of those were
   * left behind by chunks that failed or were torn, and nobody will ask for them: the store may let
   * go of them, now or later. Called after each opening, once the client's state is durable, and
   * perhaps again.
   *
   * @param epoch buckets that this opening writes are of this epoch or of later ones
   * @param current does not change, and may be asked from any thread
   */
  default void discardOrphans(int epoch, Current current) {}

  /** Which buckets a client's state refers to. */
  @FunctionalInterface
  interface Current {
    /**
     * Whether one of the buckets of a level that evictions {@code [first, first + count)} wrote in
     * an epoch is current.
     */
    boolean refersTo(int tree, int level, long first, int count, int epoch);
  }

  /**
   * S: how many evictions of a tree beyond the t of the last {@link #discardOlder} may be written
   * while everything that is current at t stays whole. At least the paths of a chunk.
   */
  int mostAhead(int tree);

  /**
   * How many consecutive evictions of a tree the store keeps together: a write has the buckets of
   * evictions {@code [q·unit, (q + 1)·unit)} of a level all or none, and in one epoch; of a level
   * that has fewer buckets than the unit, those of the last 2^level of them. A store of rings has a
   * unit of 1. One of larger units has its trees evict exactly that many paths at once.
   *
   * @return a power of two
   */
  default int unit(int tree) {
    return 1;
  }

  /**
   * Returns once everything written before is durable.
   *
   * @throws IOException if it is not
   */
  void sync() throws IOException;

  /**
   * The same store, asked for many requests at a time: as {@link BlockStore#async}.
   *
   * @param requests most requests that are under way at the same time, at least 1; more wait
   */
  default AsyncBucketStore async(int requests) {
    return new PooledBucketStore(this, requests);
  }
}
