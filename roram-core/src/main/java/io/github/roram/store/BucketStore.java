package io.github.roram.store;

import java.io.IOException;

/**
 * Untrusted storage of the tree engine's buckets, which are identified by name: tree, level, number
 * of the eviction that writes the bucket, and key epoch that seals it. The store decides where a
 * bucket lies: in a ring over a {@link BlockStore}, or in an object that is written once.
 *
 * <p>At every level j eviction t writes one bucket, which replaces that of eviction t − 2^j
 * (construction, section 2.3). So after cnt evictions the current buckets of level j are those of
 * evictions cnt − 2^j to cnt − 1; buckets of evictions below 2^h were never written and are not
 * requested.
 *
 * <h2>Obligations of an implementation</h2>
 *
 * <ul>
 *   <li>{@link #read} passes every bucket of the request to the sink exactly once, in the order of
 *       the request, on the calling thread; {@link #write} asks the source for every bucket in the
 *       same way. A piece holds one or more whole buckets ({@link BucketRuns#bucketBytes}).
 *   <li>Requests to the medium depend on the request alone, never on the content of buckets.
 *   <li>A written bucket is kept unchanged until it is released: by {@link #discardOlder}, or by a
 *       write of the same tree, level and eviction under another epoch, after which the bucket of
 *       the earlier epoch is no longer requested.
 *   <li>A failed write may leave any of its buckets written, or none, and changes no other. A
 *       request for a bucket that was never written, or was released, returns arbitrary bytes or
 *       throws: the reader authenticates buckets.
 *   <li>After {@code discardOlder(tree, t)} the buckets that are current at t, and all that are
 *       written later, stay until the next such call, provided that no buckets of evictions from
 *       {@code t +} {@link #mostAhead} on are written.
 *   <li>When {@link #sync} returns, earlier writes are durable, as far as the medium can guarantee.
 *   <li>Exceptions thrown by a sink or source pass through unchanged.
 * </ul>
 *
 * <p>Thread safety: implementations are safe for use by several threads; calls may be serialised.
 * The opener of the medium closes it.
 */
public interface BucketStore {

  /**
   * Reads buckets.
   *
   * @throws StoreDamagedException if the medium lacks bytes that must be there
   * @throws IOException if the medium fails; the call may be repeated
   */
  void read(BucketRuns runs, UnitSink sink) throws IOException;

  /** Returns whether {@link #readXor} moves fewer bytes: {@link BlockStore#computesXor}. */
  default boolean computesXor() {
    return false;
  }

  /** Reads the XOR of the buckets of each group, as {@link BlockStore#readXor} does. */
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
   * Releases buckets that were current only before eviction t: at level j those of evictions below
   * {@code t − 2^j}, and those of earlier epochs than the last one written. The client never needs
   * them again. The store may discard them now, later, or never, and does not report a failure to
   * do so.
   *
   * @param eviction t: all evictions below it are done and committed; never decreases
   */
  void discardOlder(int tree, long eviction);

  /**
   * Releases buckets of earlier openings that the client no longer refers to: failed or torn chunks
   * left them behind. The store may discard them now or later. Called after each opening, once the
   * client's state is durable, and possibly again.
   *
   * @param epoch the first epoch in which this opening writes buckets
   * @param current tells which buckets are still needed; it does not change, and any thread may ask
   *     it
   */
  default void discardOrphans(int epoch, Current current) {}

  /** Tells which buckets a client's state refers to. */
  @FunctionalInterface
  interface Current {
    /**
     * Returns whether any of the buckets of a level that evictions {@code [first, first + count)}
     * wrote in an epoch is current.
     */
    boolean refersTo(int tree, int level, long first, int count, int epoch);
  }

  /**
   * Returns S, the number of evictions of a tree beyond the t of the last {@link #discardOlder}
   * that may be written while everything current at t stays intact. At least the paths of a chunk.
   */
  int mostAhead(int tree);

  /**
   * Returns how many consecutive evictions of a tree the store keeps together: a write has all or
   * none of the buckets of evictions {@code [q·unit, (q + 1)·unit)} of a level, in one epoch, or
   * those of the last 2^level of them if the level has fewer buckets than that. A store of rings
   * has a unit of 1. With a larger unit, trees evict exactly that many paths at once.
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
   * Returns an asynchronous view of this store, as {@link BlockStore#async} does.
   *
   * @param requests most requests in flight at the same time, at least 1; further ones wait
   */
  default AsyncBucketStore async(int requests) {
    return RequestPool.of(this, requests);
  }
}
