package io.github.roram.storage.link;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.link.Link.LinkDirection;
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
import io.github.roram.threads.IoTask;
import java.io.IOException;
import java.nio.ByteBuffer;
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
 * A store at the other end of a {@link Link}: its requests take the time that a block server at the
 * end of such a line would take, if ciphers and processors were infinitely fast and disks took what
 * a {@link ServerTime} says. Over {@link VirtualTime} that takes no real time, and is repeatable.
 *
 * <p>A read sends its request and waits for its bytes; a write sends its bytes; each is answered.
 * All requests share the line, in the order in which they were made. Messages have the lengths of
 * the block protocol, without TLS.
 *
 * <p>Thread safety: safe.
 */
public final class SimulatedLinkStore extends FilterBlockStore {

  private final LinkTime time;
  private final Requests requests;
  private volatile boolean closed;

  /** Moves a store to the other end of a link. */
  public SimulatedLinkStore(BlockStore delegate, Link link, LinkTime time) {
    this(delegate, link, time, ServerTime.NONE);
  }

  /** Creates a store whose server takes time, too. */
  public SimulatedLinkStore(BlockStore delegate, Link link, LinkTime time, ServerTime server) {
    super(delegate);
    this.time = time;
    requests = new Requests(delegate, link, time, server);
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

  /** The line is simulated for requests by offset; objects have names. */
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

  /** Waits for a future, and throws its failure unwrapped. */
  private void await(CompletableFuture<Void> future) throws IOException {
    time.await(future);
    Futures.join(future);
  }

  private static void complete(CompletableFuture<Void> answered, @Nullable Throwable failure) {
    if (failure == null) {
      answered.complete(null);
    } else {
      answered.completeExceptionally(failure);
    }
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
    private final Requests requests;
    private final LinkTime time;

    /** Held while a sink or a source is called. */
    private final Object calling = new Object();

    private final int most;
    private final Queue<Request> waiting = new ArrayDeque<>();
    private final Set<Request> begun = new LinkedHashSet<>();
    private boolean closed;

    /** A request that was asked for, and who waits for it. */
    private record Request(Supplier<CompletableFuture<Void>> begin, CompletableFuture<Void> done) {}

    AsyncSimulatedLinkStore(BlockStore store, Requests requests, LinkTime time, int most) {
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
      complete(request.done, failure);
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

  /**
   * Requests to a store at the end of a link, and their way there and back.
   *
   * <p>Thread safety: safe.
   */
  private static final class Requests {

    /** Head of a message. */
    private static final int HEAD_BYTES = 28;

    private static final int EXTENT_BYTES = 12;

    /** Bytes that one message carries. */
    private static final int MESSAGE_BYTES = 1 << 20;

    private final BlockStore store;
    private final LinkTime time;
    private final LinkDirection up;
    private final LinkDirection down;
    private final ServerTime server;

    Requests(BlockStore store, Link link, LinkTime time, ServerTime server) {
      this.server = server;
      this.store = store;
      this.time = time;
      up = link.up();
      down = link.down();
    }

    CompletableFuture<Void> read(UnitsOnTheLine carried) {
      ExtentBatch batch = carried.batch;
      return send(
          asking(batch), batch.bytes(), server.readNanos(batch), () -> carried.readFrom(store));
    }

    CompletableFuture<Void> write(UnitsOnTheLine carried) {
      ExtentBatch batch = carried.batch;
      return send(asking(batch) + framed(batch.bytes()), 0, 0, () -> carried.writeTo(store));
    }

    CompletableFuture<Void> sync() {
      return send(HEAD_BYTES, 0, 0, store::sync);
    }

    private static long asking(ExtentBatch batch) {
      return HEAD_BYTES + (long) EXTENT_BYTES * batch.extents();
    }

    private static long framed(long bytes) {
      return bytes + HEAD_BYTES * ((bytes + MESSAGE_BYTES - 1) / MESSAGE_BYTES);
    }

    private CompletableFuture<Void> send(
        long askingBytes, long answerBytes, long serverNanos, IoTask work) {
      CompletableFuture<Void> answered = new CompletableFuture<>();
      Runnable arrived =
          () -> {
            Throwable failure = Futures.failure(work);
            long bytes = failure == null && answerBytes > 0 ? framed(answerBytes) : HEAD_BYTES;
            put(down, bytes, () -> complete(answered, failure));
          };
      Runnable served =
          serverNanos == 0 ? arrived : () -> time.at(time.nanoTime() + serverNanos, arrived);
      put(up, askingBytes, served);
      return answered;
    }

    /** Puts bytes on the line; the task runs when they arrive. */
    private synchronized void put(LinkDirection direction, long bytes, Runnable task) {
      time.at(direction.send(time.nanoTime(), bytes), task);
    }
  }

  /** The units of a batch while they are on the line, one after another. */
  private static final class UnitsOnTheLine {

    private final ExtentBatch batch;
    private byte[] bytes = {};

    UnitsOnTheLine(ExtentBatch batch) {
      this.batch = batch;
    }

    /** Returns the units that a source provides. */
    static UnitsOnTheLine takenFrom(ExtentBatch batch, UnitSource source) throws IOException {
      UnitsOnTheLine carried = new UnitsOnTheLine(batch);
      carried.bytes = new byte[Math.toIntExact(batch.bytes())];
      for (int i = 0; i < batch.extents(); i++) {
        source.fill(batch.firstUnit(i), carried.extent(i));
      }
      return carried;
    }

    /** Takes them from a store. */
    void readFrom(BlockStore store) throws IOException {
      batch.checkWithin(store.capacityBytes());
      bytes = new byte[Math.toIntExact(batch.bytes())];
      store.read(batch, (first, units) -> units.get(bytes, at(first), units.remaining()));
    }

    /** Puts them into a store. */
    void writeTo(BlockStore store) throws IOException {
      store.write(batch, (first, units) -> units.put(bytes, at(first), units.remaining()));
    }

    /** Hands them over, each extent in one piece. */
    void handTo(UnitSink sink) throws IOException {
      for (int i = 0; i < batch.extents(); i++) {
        sink.accept(batch.firstUnit(i), extent(i));
      }
    }

    private ByteBuffer extent(int number) {
      return ByteBuffer.wrap(bytes, at(batch.firstUnit(number)), (int) batch.bytes(number)).slice();
    }

    private int at(int unit) {
      return unit * batch.unitBytes();
    }
  }

  /** The time that the server takes to read the data of a request. */
  @FunctionalInterface
  public interface ServerTime {

    /** No time: all data are in the server's memory. */
    ServerTime NONE = batch -> 0;

    /** Nanoseconds, besides those on the line. Requests do not wait for one another. */
    long readNanos(ExtentBatch batch);
  }
}
