package io.github.roram.store;

import java.io.Closeable;
import java.util.concurrent.CompletableFuture;

/**
 * A {@link BucketStore} whose requests return at once and complete later, with many in flight.
 * {@link BucketStore#async} makes one of any store.
 *
 * <p>An implementation has the obligations of an {@link AsyncBlockStore}, with requests of buckets
 * in place of batches: no call waits; the store owns a request and its sink or source until the
 * future completes; one thread at a time calls a sink or source, in the order of the request; a
 * failed request affects no other; a request sees, or covers, what completed before it was called.
 *
 * <p>Thread safety: safe.
 */
public interface AsyncBucketStore extends Closeable {

  /** Reads buckets; fails as {@link BucketStore#read} does. */
  CompletableFuture<Void> read(BucketRuns runs, UnitSink sink);

  /** Reads the XOR of the buckets of each group, as {@link BlockStore#readXor} does. */
  default CompletableFuture<Void> readXor(BucketRuns runs, XorGroups groups, UnitSink results) {
    return read(runs, groups.into(results));
  }

  /** Writes buckets; fails as {@link BucketStore#write} does. */
  CompletableFuture<Void> write(BucketRuns runs, UnitSource source);

  /**
   * Completes once everything written before is durable; fails as {@link BucketStore#sync} does.
   */
  CompletableFuture<Void> sync();

  /** Ends all requests, as {@link AsyncBlockStore#close} does. The store below stays open. */
  @Override
  void close();
}
