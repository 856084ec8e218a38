package io.github.roram.proxy.client;

import io.github.roram.AsyncOram;
import io.github.roram.BlockProgram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.engine.AccessLimits;
import io.github.roram.engine.BlockChannel;
import io.github.roram.proxy.client.PendingRequest.Effect;
import io.github.roram.proxy.protocol.AnswerDescriptor;
import io.github.roram.proxy.protocol.RequestDescriptor.RequestType;
import io.github.roram.proxy.protocol.ScatteredDescriptor;
import io.github.roram.proxy.protocol.StatsDescriptor;
import io.github.roram.proxy.protocol.WelcomeDescriptor;
import io.github.roram.threads.Futures;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A client of an ORAM that a proxy shares: one connection, many requests in flight.
 *
 * <p>If the connection is lost, the client reconnects by itself for as long as its options say
 * ({@link ProxyOptions#again}), to the same proxy or to its successor, and calls wait meanwhile.
 * Then it repeats unanswered requests, in the order of the calls. So a write may be made twice: if
 * another client writes the same blocks in between, that write is lost. Requests that would be
 * wrong if made twice or late fail instead: a program whose write was not answered, a write
 * followed by a program, and a read followed by a write of the same bytes.
 *
 * <p>A proxy that is replaced may lose accesses that it acknowledged and did not flush, unless its
 * durability is {@code sync}. If it acknowledged such writes of this client, the next flush fails
 * and says so. If no proxy is found in time, all calls, in flight and later, fail with {@link
 * ProxyException}.
 *
 * <h2>Security</h2>
 *
 * Client and proxy see the data; use TLS wherever others can listen. The store sees what the same
 * calls to the proxy's ORAM show.
 *
 * <p>Thread safety: safe. Stages of futures must not block or close the client; a call that a stage
 * makes does not wait for room.
 */
public final class ProxyClient implements AsyncOram {

  /** Most runs of a program because others changed its blocks before they were written. */
  private static final int MOST_ATTEMPTS = 1000;

  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 100;

  private final ProxyAddress address;
  private final ProxyOptions options;
  private final ProxyLine.Maker lines;
  private final OwnedThreads threads;
  private final Executor again;
  private final long number = new SecureRandom().nextLong() | 1; // is not 0
  private final AccessLimits limits;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Listener listener = new Listener();

  /** Is set on a thread that completes futures, whose stages run meanwhile. */
  private final ThreadLocal<Boolean> completing = new ThreadLocal<>();

  private final PendingRequests pending;
  private ProxyConnection connection;

  /** The welcome of the newest connection: the store may have grown since the first. */
  private volatile WelcomeDescriptor welcome;

  /** Whether there is no connection, and the client is trying to make one. */
  private boolean connecting;

  /** Attempts to connect again that failed: each is followed by one at another address. */
  private int failures;

  private int room;

  /** When the connection was lost; later losses count from then, too, until this one is over. */
  private long lostNanos;

  /** Whether it is: a request was answered since, or none waited when it connected again. */
  private boolean lossIsOver = true;

  /** When it connected last. */
  private long connectedNanos;

  /** Whether a request was answered since. */
  private boolean hasAnswered;

  private boolean closing;
  private @Nullable Throwable lost;

  /**
   * Connects to a proxy.
   *
   * @param lines makes connections
   * @param threads threads, one of which reconnects, and clock
   */
  ProxyClient(
      ProxyAddress address, ProxyOptions options, ProxyLine.Maker lines, OwnedThreads threads)
      throws IOException {
    this.address = address;
    this.options = options;
    this.lines = lines;
    this.threads = threads;
    again = threads.serial("roram-proxy-again");
    pending = new PendingRequests(address);
    connection = newConnection();
    welcome = connection.welcome();
    connectedNanos = threads.nanoTime();
    limits = new AccessLimits(this::config);
    room = welcome.requests();
    if (connection.hasEnded()) {
      lose(connection, null); // nobody was told of it
    }
  }

  /**
   * Connects to a proxy.
   *
   * @throws ProxyException if there is no proxy, or it refuses this client
   * @throws io.github.roram.ConfigurationException if the data would go over a network in the
   *     clear, or no available jar has the ORAM's scheme
   */
  public static ProxyClient connect(ProxyAddress address, ProxyOptions options) throws IOException {
    return new ProxyClient(address, options, SocketLine::new, new OwnedThreads());
  }

  private ProxyConnection newConnection() throws IOException {
    return new ProxyConnection(lines, threads, address, options, failures, number, listener);
  }

  /** Returns the configuration as of the last connection: the store may have grown since. */
  @Override
  public OramConfig config() {
    return welcome.config();
  }

  @Override
  public CompletableFuture<Void> readBytes(long offset, int leastBlocks, ByteBuffer target) {
    limits.checkRead(offset, leastBlocks, target);
    checkLength(target);
    return send(new PendingRequest(
            RequestType.READ, offset, leastBlocks, null, target.slice(), Effect.READS))
        .thenAccept(none -> {});
  }

  @Override
  public CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source) {
    limits.checkWrite(offset, leastBlocks, source);
    checkLength(source);
    return send(new PendingRequest(
            RequestType.WRITE, offset, leastBlocks, source.slice(), null, Effect.WRITES))
        .thenAccept(none -> {});
  }

  /**
   * Accesses scattered blocks as {@link AsyncOram#access} does, by two accesses that look alike:
   * one reads the blocks, and, once the program has run here, one writes them if they are
   * unchanged. If others changed them meanwhile, the program runs again on the new content, and a
   * further access is made. So it is all or nothing, but later calls of this client do not wait for
   * it: make a call that must see its effects once its future has completed.
   */
  @Override
  public CompletableFuture<Void> access(long[] blocks, int leastBlocks, BlockProgram program) {
    limits.checkScattered(blocks, leastBlocks);
    long[] own = blocks.clone();
    return scattered(ScatteredDescriptor.reading(own), leastBlocks, Effect.READS)
        .thenCompose(answer -> change(own, leastBlocks, program, answer, 1));
  }

  private CompletableFuture<Void> change(
      long[] blocks, int leastBlocks, BlockProgram program, ByteBuffer answer, int attempt) {
    ByteBuffer before = answer.slice();
    byte[] after = new byte[before.remaining()];
    before.duplicate().get(after);
    int blockBytes = config().blockBytes();
    ByteBuffer[] pieces = new ByteBuffer[blocks.length];
    ByteBuffer all = ByteBuffer.wrap(after);
    Arrays.setAll(pieces, i -> all.slice(i * blockBytes, blockBytes));
    Throwable failed = failureOf(program, pieces);
    if (failed != null) {
      // The second access is made all the same: what the store sees tells nothing of the program.
      return scattered(
              ScatteredDescriptor.writing(blocks, before, before), leastBlocks, Effect.READS)
          .handle(
              (next, failure) -> {
                throw new CompletionException(failed);
              });
    }
    ScatteredDescriptor write = ScatteredDescriptor.writing(blocks, before, all);
    return scattered(write, leastBlocks, Effect.CHANGES)
        .thenCompose(
            next -> {
              boolean written = next.getInt(0) == 1;
              if (!written && attempt == MOST_ATTEMPTS) {
                throw new CompletionException(
                    new ProxyException(
                        "others changed the blocks "
                            + attempt
                            + " times before they could be written; try again later"));
              }
              return written
                  ? CompletableFuture.completedFuture(null)
                  : change(blocks, leastBlocks, program, next, attempt + 1);
            });
  }

  /** Runs a program; returns what it threw, or null. */
  private static @Nullable Throwable failureOf(BlockProgram program, ByteBuffer[] blocks) {
    try {
      program.run(blocks);
      return null;
    } catch (RuntimeException | Error e) {
      return e;
    }
  }

  /** Returns the answer, which stands before its blocks. */
  private CompletableFuture<ByteBuffer> scattered(
      ScatteredDescriptor request, int leastBlocks, Effect effect) {
    int bytes =
        ScatteredDescriptor.ANSWER_HEAD_BYTES + request.blocks().length * config().blockBytes();
    return send(new PendingRequest(
            RequestType.SCATTERED, 0, leastBlocks, request.encode(), null, effect))
        .thenApply(
            answer -> {
              if (answer.length != bytes) {
                throw new CompletionException(
                    new ProxyException(
                        "the proxy answered "
                            + answer.length
                            + " bytes instead of "
                            + bytes
                            + "; is it of another version?"));
              }
              return ByteBuffer.wrap(answer).position(ScatteredDescriptor.ANSWER_HEAD_BYTES);
            });
  }

  private void checkLength(ByteBuffer buffer) {
    if (buffer.remaining() > welcome.mostBytes()) {
      throw new IllegalArgumentException(
          "the access is of "
              + buffer.remaining()
              + " bytes, the proxy takes "
              + welcome.mostBytes()
              + "; split it");
    }
  }

  @Override
  public CompletableFuture<Void> flush() {
    return send(asking(RequestType.FLUSH)).thenAccept(none -> {});
  }

  /**
   * Returns a view of the blocks as bytes, like {@link io.github.roram.Oram#channel}. A transfer
   * longer than a longest access makes several accesses concurrently; if one fails, none counts as
   * made, though some may have been.
   */
  public SeekableByteChannel channel() {
    return new BlockChannel(config(), welcome.mostBytes(), new Overlapped());
  }

  private final class Overlapped implements BlockChannel.Accesses {
    private final List<CompletableFuture<Void>> begun = new ArrayList<>();

    @Override
    public void read(long offset, ByteBuffer piece) {
      begun.add(readBytes(offset, 1, piece));
    }

    @Override
    public void write(long offset, ByteBuffer piece) {
      begun.add(updateBytes(offset, 1, piece));
    }

    @Override
    public void await() throws IOException {
      List<CompletableFuture<Void>> all = List.copyOf(begun);
      begun.clear();
      Futures.join(CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)));
    }
  }

  /** Returns a request of a few bytes that changes no data. */
  private static PendingRequest asking(RequestType type) {
    return new PendingRequest(type, 0, 0, null, null, Effect.READS);
  }

  @Override
  public int mostUnderWay() {
    return welcome.requests();
  }

  /** Asks the proxy and waits; stages of futures must not call it. */
  @Override
  public OramStats stats() {
    try {
      byte[] answer = Futures.join(send(asking(RequestType.STATS)));
      return StatsDescriptor.decode(ByteBuffer.wrap(answer));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private CompletableFuture<byte[]> send(PendingRequest request) {
    lock.lock();
    try {
      while (pending.size() >= room && lost == null && !closing && !isStage()) {
        changed.awaitUninterruptibly();
      }
      if (closing) {
        return CompletableFuture.failedFuture(new ClosedChannelException());
      }
      if (lost != null) {
        return CompletableFuture.failedFuture(lost);
      }
      ProxyException loss = request.isFlush() ? pending.takeLoss() : null;
      if (loss != null) {
        return CompletableFuture.failedFuture(loss);
      }
      pending.add(request);
      if (!connecting) {
        connection.send(request);
      }
      return request.done();
    } finally {
      lock.unlock();
    }
  }

  /** Handles messages from the connection. */
  private final class Listener implements ProxyConnection.Listener {

    @Override
    public void answered(ProxyConnection from, AnswerDescriptor head, ByteBuffer payload)
        throws IOException {
      List<PendingRequest> done;
      lock.lock();
      try {
        if (from != connection || connecting) {
          return;
        }
        pending.answer(head, payload, !options.again().isZero());
        hasAnswered = true;
        lossIsOver = true;
        done = takeDone();
      } finally {
        lock.unlock();
      }
      complete(done);
    }

    @Override
    public boolean isDue() {
      lock.lock();
      try {
        PendingRequest first = pending.first();
        return first != null
            && threads.nanoTime() - first.sentNanos() >= options.silence().toNanos();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void ended(ProxyConnection of, @Nullable Throwable cause) {
      lose(of, cause);
    }
  }

  /** Takes requests that can be completed, which leaves room for others. */
  private List<PendingRequest> takeDone() {
    changed.signalAll();
    return pending.takeDone();
  }

  /** Tells who waits; not to be called with the lock. */
  private void complete(List<PendingRequest> done) {
    boolean nested = isStage();
    completing.set(true);
    try {
      done.forEach(PendingRequest::complete);
    } finally {
      if (!nested) {
        completing.remove();
      }
    }
  }

  /**
   * Returns whether the caller is a stage of a future: it must not wait, because the answer may
   * come after it.
   */
  private boolean isStage() {
    return completing.get() != null;
  }

  static String lostTo(ProxyAddress address, @Nullable Throwable cause) {
    return "the connection to " + address + " was lost: " + ProxyLine.reason(cause);
  }

  private void lose(ProxyConnection of, @Nullable Throwable cause) {
    List<PendingRequest> done;
    lock.lock();
    try {
      if (of != connection || connecting || lost != null) {
        return;
      }
      if (lossIsOver || lastedNanos() >= options.again().toNanos()) {
        lostNanos = threads.nanoTime();
        lossIsOver = false;
      }
      ProxyException failure = new ProxyException(lostTo(address, cause), cause);
      if (options.again().isZero() || (closing && pending.isEmpty())) {
        done = giveUp(failure);
      } else {
        pending.settleOnceOnly(failure);
        done = takeDone();
        connecting = true;
        done.addAll(beginAgain(of, failure));
      }
    } finally {
      lock.unlock();
    }
    complete(done);
  }

  /** Has a thread connect again; if there is none to be had, all is lost. */
  private List<PendingRequest> beginAgain(ProxyConnection old, ProxyException loss) {
    try {
      again.execute(() -> connectAgain(old, loss));
      return List.of();
    } catch (RuntimeException | Error e) {
      return giveUp(andThen(loss, e));
    }
  }

  private static ProxyException andThen(ProxyException loss, Throwable cause) {
    return new ProxyException(loss.getMessage() + "; and then: " + cause.getMessage(), cause);
  }

  /** Returns how long ago the last connection was made. */
  private long lastedNanos() {
    return threads.nanoTime() - connectedNanos;
  }

  /** Makes all calls fail from now on. */
  private List<PendingRequest> giveUp(ProxyException failure) {
    lost = new ProxyException(failure.getMessage() + "; connect again", failure);
    pending.failAll(lost);
    connecting = false;
    return takeDone();
  }

  /** Tries to connect until there is a connection or the time is up. */
  private void connectAgain(ProxyConnection old, ProxyException loss) {
    ProxyException why = loss;
    long pause = wasUseless() ? FIRST_PAUSE_MILLIS : 0;
    while (!isInterrupted(pause) && !isTooLate()) {
      try {
        old.close();
        complete(goOnOrClose(newConnection()));
        return;
      } catch (IOException | RuntimeException | Error e) {
        why = andThen(loss, e);
        failures++;
      }
      pause = pause == 0 ? FIRST_PAUSE_MILLIS : LONGEST_PAUSE_MILLIS;
    }
    List<PendingRequest> done;
    lock.lock();
    try {
      done = connecting ? giveUp(why) : List.of();
    } finally {
      lock.unlock();
    }
    complete(done);
  }

  /** Returns whether the proxy closed the connection soon, as it may do again and again. */
  private boolean wasUseless() {
    return !hasAnswered && lastedNanos() < TimeUnit.MILLISECONDS.toNanos(LONGEST_PAUSE_MILLIS);
  }

  /** Waits for a while; returns whether the thread was interrupted meanwhile. */
  private boolean isInterrupted(long waitMillis) {
    try {
      threads.sleep(waitMillis);
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** Returns whether the time to connect is up, or there is a connection. */
  private boolean isTooLate() {
    lock.lock();
    try {
      return !connecting
          || (closing && pending.isEmpty())
          || threads.nanoTime() - lostNanos > options.again().toNanos();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Does what {@link #goOn} does, but closes the connection if that fails, without the lock, which
   * its thread may need.
   */
  private List<PendingRequest> goOnOrClose(ProxyConnection next) throws ProxyException {
    try {
      return goOn(next);
    } catch (ProxyException | RuntimeException | Error e) {
      next.close();
      throw e;
    }
  }

  /** Asks for all that has no answer yet; returns what cannot be had. */
  private List<PendingRequest> goOn(ProxyConnection next) throws ProxyException {
    lock.lock();
    try {
      WelcomeDescriptor other = next.welcome();
      boolean same = isThatOrGrown(other.config());
      if (!same || next.hasEnded() || (closing && pending.isEmpty())) {
        throw new ProxyException(
            same
                ? "the proxy hung up"
                : address + " serves " + other.config() + " now, not " + welcome.config());
      }
      long before = connection.welcome().process();
      if (before != WelcomeDescriptor.DURABLE && before != other.process()) {
        pending.proxyReplaced();
      }
      connection = next;
      welcome = other;
      connecting = false;
      connectedNanos = threads.nanoTime();
      hasAnswered = false;
      lossIsOver |= pending.isEmpty();
      room = other.requests();
      pending.resumeOn(next);
      return takeDone();
    } finally {
      lock.unlock();
    }
  }

  /** Compares configurations: a store that grows keeps all but its number of blocks. */
  private boolean isThatOrGrown(OramConfig other) {
    OramConfig own = welcome.config();
    return other.blocks() >= own.blocks()
        && other.blockBytes() == own.blockBytes()
        && other.scheme().equals(own.scheme())
        && other.parameters().settings().equals(own.parameters().settings());
  }

  /**
   * Ends the connection once all requests are answered; the proxy's ORAM stays open. Stages of
   * futures must not call it, since it waits for them.
   */
  @Override
  public void close() {
    ProxyConnection last;
    lock.lock();
    try {
      if (isStage()) {
        throw new IllegalStateException("closed by what a future completed; use another thread");
      }
      closing = true;
      changed.signalAll();
      while (!pending.isEmpty()) {
        changed.awaitUninterruptibly();
      }
      last = connection;
    } finally {
      lock.unlock();
    }
    last.close();
  }

  @Override
  public String toString() {
    return "client of " + address;
  }
}
