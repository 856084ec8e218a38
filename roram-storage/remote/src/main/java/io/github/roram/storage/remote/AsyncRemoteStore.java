package io.github.roram.storage.remote;

import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A volume of a block server, asked for many requests at a time over one connection. One thread
 * sends them, calls their sinks and sources, and makes lost connections again.
 *
 * <p>Memory: of writes under way at most {@link RemoteMemory#unsyncedBytes}, or one batch where
 * that is more, beside what the store keeps until it is durable; of answers {@link
 * RemoteMemory#windowBytes}.
 */
final class AsyncRemoteStore implements AsyncBlockStore {

  private final RemoteLine line;
  private final long capacityBytes;
  private final int mostUnderWay;
  private final ScheduledThreadPoolExecutor thread;
  private final Object gate = new Object();
  private boolean closed; // guarded by the gate

  // Below: the thread's own.

  private final ArrayDeque<AsyncRequest> waiting = new ArrayDeque<>();
  private final SharedConnecting connecting;
  private final Set<AsyncRequest> underWay = new LinkedHashSet<>();
  private long writingBytes;
  private boolean closing;

  AsyncRemoteStore(RemoteLine line, long capacityBytes, int requests) {
    if (requests < 1) {
      throw new IllegalArgumentException("requests is " + requests + ", must be at least 1");
    }
    this.line = line;
    this.capacityBytes = capacityBytes;
    mostUnderWay = requests;
    connecting = new SharedConnecting(line.session());
    thread =
        new ScheduledThreadPoolExecutor(
            1,
            new DefaultThreadFactory("roram-client-async", true),
            new ThreadPoolExecutor.DiscardPolicy()); // what comes after the end is for nobody
    thread.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public CompletableFuture<Void> read(ExtentBatch batch, UnitSink sink) {
    CompletableFuture<Void> future = checked(batch);
    return future.isDone() ? future : ask(new ReadRounds(line, batch, sink), future, 0);
  }

  @Override
  public CompletableFuture<Void> write(ExtentBatch batch, UnitSource source) {
    CompletableFuture<Void> future = checked(batch);
    return future.isDone()
        ? future
        : ask(new WriteRounds(line, batch, source), future, batch.bytes());
  }

  @Override
  public CompletableFuture<Void> sync() {
    return ask(new SyncRounds(line), new CompletableFuture<>(), 0);
  }

  @Override
  public void close() {
    synchronized (gate) {
      if (!closed) {
        closed = true;
        thread.execute(this::endAll);
        thread.shutdown();
      }
    }
    boolean interrupted = false;
    boolean over = false;
    while (!over) {
      try {
        over = thread.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return "remote store " + line.address() + ", asynchronous";
  }

  /** A future that is complete if the batch is none, or none that this store takes. */
  private CompletableFuture<Void> checked(ExtentBatch batch) {
    CompletableFuture<Void> future = new CompletableFuture<>();
    try {
      checkOpen();
      batch.checkWithin(capacityBytes);
      if (batch.units() == 0) {
        future.complete(null);
      }
    } catch (IOException | IndexOutOfBoundsException e) {
      future.completeExceptionally(e);
    }
    return future;
  }

  private void checkOpen() throws IOException {
    line.session().checkOpen();
    synchronized (gate) {
      if (closed) {
        throw new ClosedChannelException();
      }
    }
  }

  private CompletableFuture<Void> ask(
      Rounds rounds, CompletableFuture<Void> future, long writtenBytes) {
    AsyncRequest request =
        new AsyncRequest(line, connecting, thread, rounds, future, writtenBytes, this::ended);
    synchronized (gate) {
      if (!closed) {
        thread.execute(
            () -> {
              waiting.add(request);
              beginSome();
            });
        return future;
      }
    }
    future.completeExceptionally(new ClosedChannelException());
    return future;
  }

  /** Begins what there is room for, in order. */
  private void beginSome() {
    long room = line.options().memory().unsyncedBytes();
    while (!closing && !waiting.isEmpty() && underWay.size() < mostUnderWay) {
      AsyncRequest next = waiting.element();
      long bytes = next.writtenBytes();
      if (bytes > 0 && writingBytes > 0 && writingBytes + bytes > room) {
        return;
      }
      waiting.remove();
      underWay.add(next);
      writingBytes += bytes;
      next.attempt();
    }
  }

  private void ended(AsyncRequest request) {
    if (underWay.remove(request)) {
      writingBytes -= request.writtenBytes();
      thread.execute(this::beginSome); // not now: it may have ended within beginSome
    }
  }

  private void endAll() {
    closing = true;
    List<AsyncRequest> all = new ArrayList<>(underWay);
    all.addAll(waiting);
    waiting.clear();
    all.forEach(AsyncRequest::cancel);
  }
}
