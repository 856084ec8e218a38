package io.github.roram.storage.remote;

import io.github.roram.storage.remote.RemoteCall.OneRequest;
import io.github.roram.storage.remote.RemoteCall.RemoteRequest;
import io.github.roram.storage.remote.RemoteConnection.ConnectionLostException;
import io.github.roram.storage.remote.RemoteOptions.RemoteMemory;
import io.github.roram.storage.remote.Retries.Backoff;
import io.github.roram.storage.remote.protocol.FrameDescriptor.Frame;
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.store.XorGroups;
import io.github.roram.threads.Uninterrupted;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A volume of a block server, asked for many requests at a time over one connection. One thread
 * sends them, calls their sinks and sources, and makes lost connections again.
 *
 * <p>Memory: of writes under way at most {@link RemoteMemory#unsyncedBytes}, or one batch where
 * that is more, besides what the store keeps until it is durable; of answers {@link
 * RemoteMemory#windowBytes}.
 */
final class AsyncRemoteStore implements AsyncBlockStore {

  private final RemoteLine line;
  private final int mostUnderWay;
  private final ScheduledThreadPoolExecutor thread;
  private final Object gate = new Object();
  private boolean closed; // guarded by the gate

  // Below: the thread's own.

  private final ArrayDeque<AsyncRequest> waiting = new ArrayDeque<>();
  private @Nullable ConnectionLostException failure;
  private long failedNanos;
  private final Set<AsyncRequest> underWay = new LinkedHashSet<>();
  private long writingBytes;
  private boolean closing;

  AsyncRemoteStore(RemoteLine line, int requests) {
    if (requests < 1) {
      throw new IllegalArgumentException("requests is " + requests + ", must be at least 1");
    }
    this.line = line;
    mostUnderWay = requests;
    thread =
        new ScheduledThreadPoolExecutor(
            1,
            new DefaultThreadFactory("roram-client-async", true),
            new ThreadPoolExecutor.DiscardPolicy()); // what comes after the end is for nobody
    thread.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long capacityBytes() {
    return line.session().capacityBytes();
  }

  @Override
  public CompletableFuture<Void> read(ExtentBatch batch, UnitSink sink) {
    CompletableFuture<Void> future = checked(batch);
    return future.isDone() ? future : ask(new ReadCall(line, batch, null, sink), future, 0);
  }

  @Override
  public CompletableFuture<Void> readXor(ExtentBatch batch, XorGroups groups, UnitSink results) {
    CompletableFuture<Void> future = checked(batch);
    return future.isDone() ? future : ask(new ReadCall(line, batch, groups, results), future, 0);
  }

  @Override
  public CompletableFuture<Void> write(ExtentBatch batch, UnitSource source) {
    CompletableFuture<Void> future = checked(batch);
    return future.isDone()
        ? future
        : ask(new WriteCall(line, batch, source), future, batch.bytes());
  }

  @Override
  public CompletableFuture<Void> sync() {
    return ask(new OneRequest(line::newSync), new CompletableFuture<>(), 0);
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
    Uninterrupted.await(() -> thread.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS));
  }

  @Override
  public String toString() {
    return "remote store " + line.address() + ", asynchronous";
  }

  /** Returns a future that is complete if the batch is empty, or invalid for this store. */
  private CompletableFuture<Void> checked(ExtentBatch batch) {
    CompletableFuture<Void> future = new CompletableFuture<>();
    try {
      checkOpen();
      batch.checkWithin(capacityBytes());
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
      RemoteCall call, CompletableFuture<Void> future, long writtenBytes) {
    AsyncRequest request = new AsyncRequest(call, future, writtenBytes);
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

  /**
   * Returns a connection that has the volume open, for a request that has waited since {@code
   * dueNanos}. Requests that were due while an attempt failed fail with it, as waiting threads do,
   * instead of each making an attempt of its own.
   */
  private RemoteConnection connection(long dueNanos) throws IOException {
    ConnectionLostException shared = failure;
    if (shared != null && dueNanos - failedNanos <= 0) {
      throw new ConnectionLostException(shared);
    }
    try {
      RemoteConnection connection = line.session().connection();
      failure = null;
      return connection;
    } catch (ConnectionLostException e) {
      failure = e;
      failedNanos = System.nanoTime();
      throw e;
    }
  }

  private void endAll() {
    closing = true;
    List<AsyncRequest> all = new ArrayList<>(underWay);
    all.addAll(waiting);
    waiting.clear();
    all.forEach(AsyncRequest::cancel);
  }

  /**
   * One request of an {@link AsyncRemoteStore}, repeated over new connections as {@link RemoteLine}
   * repeats those of callers that wait. All methods are for the store's thread.
   */
  @SuppressWarnings("CatchingUnchecked") // whatever it is, who waits for the future learns of it
  private final class AsyncRequest {

    private final RemoteCall call;
    private final CompletableFuture<Void> future;
    private final long writtenBytes;
    private final long timeoutNanos;
    private Backoff backoff;
    private @Nullable RemoteRequest request;
    private @Nullable Exchange exchange;
    private @Nullable Future<?> timer;
    private long progressNanos;
    private long dueNanos = System.nanoTime();
    private boolean ended;

    /**
     * Creates a request that has not begun.
     *
     * @param writtenBytes bytes that it holds in memory, from its beginning to its end
     */
    AsyncRequest(RemoteCall call, CompletableFuture<Void> future, long writtenBytes) {
      this.call = call;
      this.future = future;
      this.writtenBytes = writtenBytes;
      timeoutNanos = line.options().times().requestTimeout().toNanos();
      backoff = line.backoff();
    }

    long writtenBytes() {
      return writtenBytes;
    }

    /** Begins it, or goes on with it after a pause. */
    void attempt() {
      if (ended) {
        return;
      }
      try {
        if (request == null && !call.hasNext()) {
          end(null);
          return;
        }
        // While there is no connection nothing of this store can go on, so its thread may make one.
        RemoteConnection connection = connection(dueNanos);
        if (request == null) {
          request = call.next(connection);
        }
        line.countRound();
        Exchange sent = request.send(connection);
        exchange = sent;
        progressNanos = System.nanoTime();
        startTimer(timeoutNanos);
        sent.onArrival(() -> thread.execute(this::arrived));
      } catch (Throwable e) {
        failed(e);
      }
    }

    /** Takes what has come of the answer. */
    private void arrived() {
      Exchange from = exchange;
      RemoteRequest asked = request;
      if (from == null || asked == null) {
        return; // it ended meanwhile, or is about to be asked again
      }
      try {
        boolean last = false;
        while (!last) {
          Frame answer = from.poll();
          if (answer == null) {
            return;
          }
          try {
            last = asked.accept(answer);
          } finally {
            answer.release();
          }
          progressNanos = System.nanoTime();
        }
        hangUp();
        request = null;
        call.answered();
        backoff = line.backoff();
        dueNanos = System.nanoTime();
      } catch (Throwable e) {
        failed(e);
        return;
      }
      attempt();
    }

    private void startTimer(long nanos) {
      timer = thread.schedule(this::checkProgress, Math.max(1, nanos), TimeUnit.NANOSECONDS);
    }

    private void checkProgress() {
      Exchange waitedFor = exchange;
      if (waitedFor == null) {
        return;
      }
      long silent = waitedFor.silentNanos(progressNanos);
      if (silent < timeoutNanos) {
        startTimer(timeoutNanos - silent);
      } else {
        failed(waitedFor.giveUp(timeoutNanos));
      }
    }

    /** Tries again after a while, or ends it. */
    private void failed(Throwable failure) {
      hangUp();
      try {
        ConnectionLostException lost;
        if (failure instanceof LeaseLostException e) {
          lost = line.fenced(e);
        } else if (failure instanceof ConnectionLostException e) {
          lost = e;
        } else {
          end(failure);
          return;
        }
        long pause = backoff.pauseAfter(lost);
        dueNanos = System.nanoTime() + pause;
        timer = thread.schedule(this::attempt, pause, TimeUnit.NANOSECONDS);
      } catch (IOException e) {
        end(e);
      }
    }

    /** Ends it now; the server may do all of it, or not. */
    void cancel() {
      end(new ClosedChannelException());
    }

    private void end(@Nullable Throwable failure) {
      if (ended) {
        return;
      }
      ended = true;
      hangUp();
      if (request != null) {
        request = null;
        call.failed();
      }
      AsyncRemoteStore.this.ended(this);
      if (failure == null) {
        future.complete(null);
      } else {
        future.completeExceptionally(failure);
      }
    }

    private void hangUp() {
      Future<?> running = timer;
      if (running != null) {
        running.cancel(false);
        timer = null;
      }
      Exchange over = exchange;
      if (over != null) {
        exchange = null;
        over.close();
      }
    }
  }
}
