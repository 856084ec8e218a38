package io.github.roram.store;

import io.github.roram.threads.IoTask;
import io.github.roram.threads.OwnedThreads;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Makes any store asynchronous: a thread of a bounded pool makes each request and waits for it.
 * Requests beyond the number of threads wait in a queue, in order; they take no memory but that of
 * their objects. The threads are daemons, and end after a while without work. Thread safe.
 */
final class RequestPool {

  private final OwnedThreads owned = new OwnedThreads();
  private final ThreadPoolExecutor pool;
  private final Object store;
  private volatile boolean closed;

  private RequestPool(Object store, int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads is " + threads + ", must be at least 1");
    }
    this.store = Objects.requireNonNull(store);
    pool = owned.pool("roram-store", threads);
  }

  /** Returns an asynchronous view of a store. */
  static AsyncBlockStore of(BlockStore store, int threads) {
    return new Blocks(store, new RequestPool(store, threads));
  }

  /** Returns an asynchronous view of a store of buckets. */
  static AsyncBucketStore of(BucketStore store, int threads) {
    return new Buckets(store, new RequestPool(store, threads));
  }

  /** Submits a request; the future completes as the request ends. */
  private CompletableFuture<Void> submit(IoTask request) {
    CompletableFuture<Void> future = new CompletableFuture<>();
    try {
      pool.execute(() -> make(request, future));
    } catch (RejectedExecutionException e) {
      future.completeExceptionally(new ClosedChannelException());
    } catch (OutOfMemoryError e) { // no thread could be created
      future.completeExceptionally(e);
    }
    return future;
  }

  @SuppressWarnings("CatchingUnchecked")
  private void make(IoTask request, CompletableFuture<Void> future) {
    try {
      if (closed) {
        throw new ClosedChannelException();
      }
      request.run();
    } catch (Throwable e) { // whatever it is, the caller must learn of it
      future.completeExceptionally(e);
      return;
    }
    future.complete(null);
  }

  /** Waits for the requests that threads have begun; makes the others fail. */
  private void close() {
    closed = true;
    pool.shutdown();
    owned.end();
  }

  @Override
  public String toString() {
    return store + ", asynchronous by " + pool.getMaximumPoolSize() + " threads";
  }

  private record Blocks(BlockStore store, RequestPool pool) implements AsyncBlockStore {

    @Override
    public long capacityBytes() {
      return store.capacityBytes();
    }

    @Override
    public CompletableFuture<Void> read(ExtentBatch batch, UnitSink sink) {
      return pool.submit(() -> store.read(batch, sink));
    }

    @Override
    public CompletableFuture<Void> readXor(ExtentBatch batch, XorGroups groups, UnitSink results) {
      return pool.submit(() -> store.readXor(batch, groups, results));
    }

    @Override
    public CompletableFuture<Void> write(ExtentBatch batch, UnitSource source) {
      return pool.submit(() -> store.write(batch, source));
    }

    @Override
    public CompletableFuture<Void> sync() {
      return pool.submit(store::sync);
    }

    @Override
    public void close() {
      pool.close();
    }

    @Override
    public String toString() {
      return pool.toString();
    }
  }

  private record Buckets(BucketStore store, RequestPool pool) implements AsyncBucketStore {

    @Override
    public CompletableFuture<Void> read(BucketRuns runs, UnitSink sink) {
      return pool.submit(() -> store.read(runs, sink));
    }

    @Override
    public CompletableFuture<Void> readXor(BucketRuns runs, XorGroups groups, UnitSink results) {
      return pool.submit(() -> store.readXor(runs, groups, results));
    }

    @Override
    public CompletableFuture<Void> write(BucketRuns runs, UnitSource source) {
      return pool.submit(() -> store.write(runs, source));
    }

    @Override
    public CompletableFuture<Void> sync() {
      return pool.submit(store::sync);
    }

    @Override
    public void close() {
      pool.close();
    }

    @Override
    public String toString() {
      return pool.toString();
    }
  }
}
