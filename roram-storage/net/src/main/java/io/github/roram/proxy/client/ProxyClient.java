package io.github.roram.proxy.client;

import io.github.roram.AsyncOram;
import io.github.roram.BlockProgram;
import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.StashOverflowException;
import io.github.roram.engine.AccessLimits;
import io.github.roram.engine.BlockChannel;
import io.github.roram.proxy.protocol.AnswerDescriptor;
import io.github.roram.proxy.protocol.AnswerDescriptor.AnswerStatus;
import io.github.roram.proxy.protocol.RequestDescriptor;
import io.github.roram.proxy.protocol.RequestDescriptor.RequestType;
import io.github.roram.proxy.protocol.ScatteredDescriptor;
import io.github.roram.proxy.protocol.StatsDescriptor;
import io.github.roram.proxy.protocol.WelcomeDescriptor;
import io.github.roram.storage.remote.protocol.PrintableText;
import io.github.roram.storage.remote.protocol.ProtocolException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An ORAM that a proxy shares with many clients: one connection, many requests under way.
 *
 * <p>If the connection is lost, all calls fail with {@link ProxyException}, those under way and
 * later ones. Nothing is repeated, since nobody knows what of it was made: connect again.
 *
 * <h2>Security</h2>
 *
 * Client and proxy see the data; use TLS wherever others can listen. What the store sees is what
 * the same calls of the proxy's ORAM show.
 *
 * <p>Thread safety: safe. Stages of futures must not block, nor close this; a call that one makes
 * does not wait for room.
 */
public final class ProxyClient implements AsyncOram {

  /** How often the blocks of a program may have been changed by others before they are written. */
  private static final int MOST_ATTEMPTS = 1000;

  private final ProxyAddress address;
  private final long silenceNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Pending> order = new ArrayDeque<>();
  private final Map<Long, Pending> pending = new HashMap<>();
  private final ProxyLine line;
  private final WelcomeDescriptor welcome;
  private final AccessLimits limits;
  private int room = 1;
  private long lastId;

  /** Whether the proxy has let this client in. */
  private volatile boolean greeted;

  private boolean closing;
  private @Nullable Throwable lost;

  private ProxyClient(ProxyAddress address, ProxyOptions options) throws IOException {
    this.address = address;
    silenceNanos = options.silence().toNanos();
    byte[] token = token(options.tokenFile());
    line = new ProxyLine(address, options, new Answers());
    try {
      byte[] answer = join(send(RequestType.HELLO, 0, 0, ByteBuffer.wrap(token), null));
      welcome = WelcomeDescriptor.decode(ByteBuffer.wrap(answer));
      greeted = true;
    } catch (IOException | RuntimeException e) {
      line.close();
      throw e;
    }
    limits = new AccessLimits(welcome::config);
    room = welcome.requests();
  }

  /**
   * Connects to a proxy.
   *
   * @throws ProxyException if there is none, or it does not let this client in
   * @throws io.github.roram.ConfigurationException if the data would go over a network in the
   *     clear, or no jar at hand has the scheme of the ORAM
   */
  public static ProxyClient connect(ProxyAddress address, ProxyOptions options) throws IOException {
    return new ProxyClient(address, options);
  }

  private static byte[] token(@Nullable Path file) throws IOException {
    if (file == null) {
      return new byte[0];
    }
    String first = Files.readString(file, StandardCharsets.UTF_8).lines().findFirst().orElse("");
    return first.strip().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public OramConfig config() {
    return welcome.config();
  }

  @Override
  public CompletableFuture<Void> readBytes(long offset, int leastBlocks, ByteBuffer target) {
    limits.checkRead(offset, leastBlocks, target);
    checkLength(target);
    return send(RequestType.READ, offset, leastBlocks, null, target.slice()).thenAccept(none -> {});
  }

  @Override
  public CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source) {
    limits.checkWrite(offset, leastBlocks, source);
    checkLength(source);
    return send(RequestType.WRITE, offset, leastBlocks, source.slice(), null)
        .thenAccept(none -> {});
  }

  /**
   * As {@link AsyncOram#access}, by two accesses that look alike: one that reads the blocks, and,
   * once the program was run here, one that writes them if they are as they were. If others changed
   * them meanwhile the program is run again, on what they are now, and a further access is made. So
   * it is all or nothing, but later calls of this client do not wait for it: one that is to see
   * what it does is to be made once its future completed.
   */
  @Override
  public CompletableFuture<Void> access(long[] blocks, int leastBlocks, BlockProgram program) {
    limits.checkScattered(blocks, leastBlocks);
    long[] own = blocks.clone();
    return scattered(ScatteredDescriptor.reading(own), leastBlocks)
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
    program.run(pieces);
    ScatteredDescriptor write = ScatteredDescriptor.writing(blocks, before, all);
    return scattered(write, leastBlocks)
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

  /** Returns the answer, which stands before its blocks. */
  private CompletableFuture<ByteBuffer> scattered(ScatteredDescriptor request, int leastBlocks) {
    int bytes =
        ScatteredDescriptor.ANSWER_HEAD_BYTES + request.blocks().length * config().blockBytes();
    return send(RequestType.SCATTERED, 0, leastBlocks, request.encode(), null)
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
    return send(RequestType.FLUSH, 0, 0, null, null).thenAccept(none -> {});
  }

  /**
   * A view of the blocks as bytes, as {@link io.github.roram.Oram#channel}. A transfer longer than
   * a longest access makes several at the same time; if one fails none counts as made, yet some may
   * have been.
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
      join(CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)));
    }
  }

  private static <T> T join(CompletableFuture<T> future) throws IOException {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      if (e.getCause() instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      throw e;
    }
  }

  @Override
  public int mostUnderWay() {
    return welcome.requests();
  }

  /** Asks the proxy; not for stages of futures. */
  @Override
  public OramStats stats() {
    try {
      byte[] answer = join(send(RequestType.STATS, 0, 0, null, null));
      return StatsDescriptor.decode(ByteBuffer.wrap(answer));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private CompletableFuture<byte[]> send(
      RequestType type,
      long offset,
      int leastBlocks,
      @Nullable ByteBuffer payload,
      @Nullable ByteBuffer target) {
    lock.lock();
    try {
      while (order.size() >= room && lost == null && !closing && !line.isOwnThread()) {
        changed.awaitUninterruptibly();
      }
      if (closing) {
        return CompletableFuture.failedFuture(new ClosedChannelException());
      }
      if (lost != null) {
        return CompletableFuture.failedFuture(lost);
      }
      Pending request = new Pending(++lastId, target);
      order.add(request);
      pending.put(request.id(), request);
      ByteBuffer moved = payload != null ? payload : target;
      int bytes = moved == null ? 0 : moved.remaining();
      line.send(
          new RequestDescriptor(type, request.id(), offset, leastBlocks, bytes).encode(), payload);
      return request.done();
    } finally {
      lock.unlock();
    }
  }

  /** What comes over the line. */
  private final class Answers implements ProxyLine.Listener {

    @Override
    public void answered(AnswerDescriptor head, ByteBuffer payload) {
      List<Pending> done = new ArrayList<>();
      lock.lock();
      try {
        Pending request = pending.remove(head.id());
        if (request == null) {
          end(new ProtocolException("an answer to request " + head.id() + ", which is none"));
          return;
        }
        request.answer(head, payload);
        // In the order of the calls, whatever the order of the answers.
        for (Pending first = order.peek();
            first != null && first.isAnswered();
            first = order.peek()) {
          done.add(order.remove());
        }
        changed.signalAll();
      } finally {
        lock.unlock();
      }
      done.forEach(Pending::complete);
    }

    private void end(Throwable cause) {
      lose(cause);
      line.cut();
    }

    @Override
    public void silent() {
      if (isDue()) {
        end(new IOException("no answer came for long"));
      }
    }

    @Override
    public void ended(@Nullable Throwable cause) {
      lose(cause);
    }
  }

  /** Whether an answer has been due all the while. */
  private boolean isDue() {
    lock.lock();
    try {
      Pending first = order.peek();
      return first != null && first.ageNanos() >= silenceNanos;
    } finally {
      lock.unlock();
    }
  }

  private void lose(@Nullable Throwable cause) {
    List<Pending> unanswered;
    ProxyException failure =
        new ProxyException(
            "the connection to "
                + address
                + " was lost: "
                + ProxyLine.reason(cause)
                + (greeted
                    ? "; connect again"
                    : "; is a proxy there, and does it want TLS, a certificate or a token?"),
            cause);
    lock.lock();
    try {
      lost = lost == null ? failure : lost;
      unanswered = new ArrayList<>(order);
      order.clear();
      pending.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    for (Pending each : unanswered) {
      if (each.isAnswered()) {
        each.complete();
      } else {
        each.fail(failure);
      }
    }
  }

  /**
   * Ends the connection, once all requests are answered; the proxy's ORAM stays open. Not for
   * stages of futures, which it waits for.
   */
  @Override
  public void close() {
    if (line.isOwnThread()) {
      throw new IllegalStateException("closed by what a future completed; use another thread");
    }
    lock.lock();
    try {
      closing = true;
      changed.signalAll();
      while (!order.isEmpty()) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
    line.close();
  }

  @Override
  public String toString() {
    return "client of " + address;
  }

  /** A request that was sent. For the thread that holds the client's lock. */
  private static final class Pending {

    private final long id;
    private final long sentNanos = System.nanoTime();
    private final @Nullable ByteBuffer target;
    private final CompletableFuture<byte[]> done = new CompletableFuture<>();
    private byte @Nullable [] payload;
    private @Nullable Throwable failure;

    /**
     * A request.
     *
     * @param target gets what is read, all of it; null if the answer's payload is something else
     */
    Pending(long id, @Nullable ByteBuffer target) {
      this.id = id;
      this.target = target;
    }

    long id() {
      return id;
    }

    /** How long ago it was sent. */
    long ageNanos() {
      return System.nanoTime() - sentNanos;
    }

    /** Completes with the payload of the answer that is not what was read. */
    CompletableFuture<byte[]> done() {
      return done;
    }

    /** Its answer is here. */
    void answer(AnswerDescriptor head, ByteBuffer data) {
      if (head.status() != AnswerStatus.OK) {
        failure = failure(head.status(), StandardCharsets.UTF_8.decode(data).toString());
      } else if (target == null) {
        payload = new byte[data.remaining()];
        data.get(payload);
      } else if (target.remaining() == data.remaining()) {
        target.duplicate().put(data);
        payload = new byte[0];
      } else {
        failure =
            new ProxyException(
                "the proxy read " + data.remaining() + " bytes instead of " + target.remaining());
      }
    }

    private static Throwable failure(AnswerStatus status, String text) {
      String message = PrintableText.of(text);
      return switch (status) {
        case DAMAGED -> new IntegrityException(message);
        case FULL -> new StashOverflowException(message);
        case UNAUTHORISED -> new ProxyException("not let in by the proxy: " + message);
        default -> new ProxyException(message);
      };
    }

    boolean isAnswered() {
      return payload != null || failure != null;
    }

    /** Tells who waits; not to be called with a lock. */
    void complete() {
      byte[] found = payload;
      Throwable failed = failure;
      if (found != null) {
        done.complete(found);
      } else if (failed != null) {
        done.completeExceptionally(failed);
      }
    }

    /** There will be no answer. */
    void fail(Throwable cause) {
      done.completeExceptionally(cause);
    }
  }
}
