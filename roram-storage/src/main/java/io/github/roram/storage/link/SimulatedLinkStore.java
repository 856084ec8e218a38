package io.github.roram.storage.link;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.link.LinkRequests.UnitsOnTheLine;
import io.github.roram.storage.link.LinkTime.VirtualTime;
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.BucketStore;
import io.github.roram.store.BucketTrees;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.threads.Futures;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store at the other end of a {@link Link}: what it is asked for takes the time that a block
 * server at the end of such a line would take, if ciphers and processors took none, and disks what
 * a {@link ServerTime} says. Over {@link VirtualTime} that needs no time of this machine, and
 * repeats.
 *
 * <p>A read sends its request and waits for its bytes; a write sends its bytes; each is answered.
 * All requests share the line, in the order in which they were made. Lengths of messages are those
 * of the block protocol, without TLS.
 *
 * <p>Thread safety: safe.
 */
public final class SimulatedLinkStore extends FilterBlockStore {

  private final LinkTime time;
  private final LinkRequests requests;
  private volatile boolean closed;

  /** Moves a store to the other end of a link. */
  public SimulatedLinkStore(BlockStore delegate, Link link, LinkTime time) {
    this(delegate, link, time, ServerTime.NONE);
  }

  /** As above, where the server takes its time. */
  public SimulatedLinkStore(BlockStore delegate, Link link, LinkTime time, ServerTime server) {
    super(delegate);
    this.time = time;
    requests = new LinkRequests(delegate, link, time, server);
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    checkOpen();
    UnitsOnTheLine carried = new UnitsOnTheLine(batch);
    await(requests.read(carried));
    carried.handTo(sink);
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    checkOpen();
    batch.checkWithin(capacityBytes());
    await(requests.write(UnitsOnTheLine.takenFrom(batch, source)));
  }

  @Override
  public void sync() throws IOException {
    checkOpen();
    await(requests.sync());
  }

  /** What it has a line for are places, and objects have names. */
  @Override
  public Optional<BucketStore> buckets(BucketTrees trees) {
    if (delegate.keepsObjects()) {
      throw new ConfigurationException(
          delegate + " keeps objects, which cannot be behind a simulated line; use files");
    }
    return Optional.empty();
  }

  private void checkOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  /** What failed is thrown as it is. */
  private void await(CompletableFuture<Void> future) throws IOException {
    time.await(future);
    Futures.join(future);
  }

  /** Requests that are on the line together; nothing waits for a thread. */
  @Override
  public AsyncBlockStore async(int most) {
    return new AsyncSimulatedLinkStore(this, requests, time, most);
  }

  @Override
  public void close() throws IOException {
    closed = true;
    super.close();
  }

  /**
   * Many requests on a link at the same time. Sinks are called when all bytes of a request are
   * there, sources when it is begun.
   *
   * <p>Thread safety: safe.
   */
  private static final class AsyncSimulatedLinkStore implements AsyncBlockStore {

    private final BlockStore store;
    private final LinkRequests requests;
    private final LinkTime time;

    /** Held while a sink or a source is called. */
    private final Object calling = new Object();

    private final int most;
    private final Queue<Request> waiting = new ArrayDeque<>();
    private final Set<Request> begun = new LinkedHashSet<>();
    private boolean closed;

    /** A request that was asked for, and who waits for it. */
    private record Request(Supplier<CompletableFuture<Void>> begin, CompletableFuture<Void> done) {}

    AsyncSimulatedLinkStore(BlockStore store, LinkRequests requests, LinkTime time, int most) {
      if (most < 1) {
        throw new IllegalArgumentException("requests is " + most + ", must be at least 1");
      }
      this.store = store;
      this.requests = requests;
      this.time = time;
      this.most = most;
    }

    @Override
    public long capacityBytes() {
      return store.capacityBytes();
    }

    @Override
    public CompletableFuture<Void> read(ExtentBatch batch, UnitSink sink) {
      return add(
          () -> {
            UnitsOnTheLine carried = new UnitsOnTheLine(batch);
            return requests.read(carried).thenCompose(nothing -> hand(carried, sink));
          });
    }

    private CompletableFuture<Void> hand(UnitsOnTheLine carried, UnitSink sink) {
      try {
        synchronized (calling) {
          checkOpen();
          carried.handTo(sink);
        }
        return CompletableFuture.completedFuture(null);
      } catch (IOException | RuntimeException | Error e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    @Override
    public CompletableFuture<Void> write(ExtentBatch batch, UnitSource source) {
      return add(
          () -> {
            try {
              batch.checkWithin(store.capacityBytes());
              synchronized (calling) {
                checkOpen();
                return requests.write(UnitsOnTheLine.takenFrom(batch, source));
              }
            } catch (IOException | RuntimeException | Error e) {
              return CompletableFuture.failedFuture(e);
            }
          });
    }

    @Override
    public CompletableFuture<Void> sync() {
      return add(requests::sync);
    }

    private synchronized void checkOpen() throws IOException {
      if (closed) {
        throw new ClosedChannelException();
      }
    }

    private CompletableFuture<Void> add(Supplier<CompletableFuture<Void>> begin) {
      Request request = new Request(begin, new CompletableFuture<>());
      synchronized (this) {
        if (closed) {
          return CompletableFuture.failedFuture(new ClosedChannelException());
        }
        waiting.add(request);
      }
      beginWaiting();
      return request.done;
    }

    private void beginWaiting() {
      for (Request next = next(); next != null; next = next()) {
        Request beginning = next;
        // Not on the thread that asks: a source may take its time.
        time.at(time.nanoTime(), () -> begin(beginning));
      }
    }

    private void begin(Request request) {
      CompletableFuture<Void> unused =
          request.begin.get().whenComplete((nothing, failure) -> end(request, failure));
    }

    private synchronized @Nullable Request next() {
      Request next = begun.size() < most ? waiting.poll() : null;
      if (next != null) {
        begun.add(next);
      }
      return next;
    }

    private void end(Request request, @Nullable Throwable failure) {
      synchronized (this) {
        begun.remove(request);
      }
      if (failure == null) {
        request.done.complete(null);
      } else {
        request.done.completeExceptionally(failure);
      }
      beginWaiting();
    }

    @Override
    public void close() {
      List<Request> open;
      synchronized (this) {
        closed = true;
        open = new ArrayList<>(begun);
        open.addAll(waiting);
        waiting.clear();
      }
      synchronized (calling) {
        // Whose sink or source is being called is waited for.
      }
      open.forEach(request -> request.done.completeExceptionally(new ClosedChannelException()));
    }

    @Override
    public String toString() {
      return store + ", " + most + " requests at a time";
    }
  }

  /** How long a server at the other end of a line takes to read what it is asked for. */
  @FunctionalInterface
  public interface ServerTime {

    /** None: everything is in its memory. */
    ServerTime NONE = batch -> 0;

    /** Nanoseconds, besides those on the line. Requests do not wait for one another. */
    long readNanos(ExtentBatch batch);
  }
}
