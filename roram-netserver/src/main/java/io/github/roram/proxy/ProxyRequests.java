package io.github.roram.proxy;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.StashOverflowException;
import io.github.roram.intake.ClientConnection;
import io.github.roram.intake.RequestPhase;
import io.github.roram.intake.SharedOram;
import io.github.roram.proxy.ProxyServer.ProxyState;
import io.github.roram.proxy.protocol.AnswerDescriptor;
import io.github.roram.proxy.protocol.AnswerDescriptor.AnswerStatus;
import io.github.roram.proxy.protocol.RequestDescriptor;
import io.github.roram.proxy.protocol.RequestDescriptor.RequestType;
import io.github.roram.proxy.protocol.ScatteredDescriptor;
import io.github.roram.proxy.protocol.StatsDescriptor;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.threads.Futures;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests of one client. The first is the handshake, which identifies the client; the ORAM
 * carries out the others in turn. For use on the event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails is answered, or ends the channel
final class ProxyRequests extends RequestPhase<RequestDescriptor> {

  private static final Logger LOG = LoggerFactory.getLogger(ProxyRequests.class);

  private static final String ENDING = "the proxy is ending; connect again later";
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final ProxyState proxy;
  private final SharedOram.Line oram;
  private final ClientConnection connection;

  /** The reason to refuse the request that is arriving; null to carry it out. */
  private @Nullable String refusal;

  private final Succession.Calls calls;

  /** Whether the hello has arrived, whether answered or not. */
  private boolean greeted;

  private boolean known;

  ProxyRequests(ProxyState proxy, ClientConnection connection) {
    super(connection, proxy.intake(), RequestDescriptor.HEAD_BYTES);
    this.proxy = proxy;
    this.connection = connection;
    calls = proxy.succession().new Calls(this::replace);
    oram = proxy.oram().newLine(() -> connection.isOpen() && calls.mayBeMade());
  }

  /** Gives the place up to another connection of the same client. May be called on any thread. */
  private void replace() {
    connection.leave();
    hangUp();
  }

  @Override
  protected RequestDescriptor parse(byte[] bytes) throws ProtocolException {
    return RequestDescriptor.decode(bytes);
  }

  @Override
  protected boolean refuses(RequestDescriptor next) throws ProtocolException {
    if (!known) {
      checkHello(next);
    }
    refusal = isDraining() ? ENDING : known ? refusal(next) : null;
    return refusal != null;
  }

  /**
   * Checks that the first request is a hello.
   *
   * @throws ProtocolException if it is not: the connection ends
   */
  private void checkHello(RequestDescriptor first) throws ProtocolException {
    if (greeted || first.type() != RequestType.HELLO) {
      throw new ProtocolException("connection starts with " + first.type() + ", not with a hello");
    }
    if (first.bytes() > RequestDescriptor.MAX_TOKEN_BYTES) {
      throw new ProtocolException("token of " + first.bytes() + " bytes");
    }
    greeted = true;
  }

  /** Returns why to refuse a request, before its payload arrives; null to carry it out. */
  private @Nullable String refusal(RequestDescriptor request) {
    RequestType type = request.type();
    if (type == RequestType.HELLO) {
      return "a hello was said before";
    }
    if (type == RequestType.FLUSH || type == RequestType.STATS) {
      return request.bytes() == 0 ? null : "a " + type + " has no bytes";
    }
    OramConfig config = oram.config();
    boolean isScattered = type == RequestType.SCATTERED;
    long most =
        isScattered ? ScatteredDescriptor.mostBytes(config.blockBytes()) : proxy.mostBytes(config);
    if (request.bytes() < 1 || request.bytes() > most) {
      return "a request of " + request.bytes() + " bytes; must be 1 to " + most;
    }
    long total = proxy.config().limits().totalBytes();
    if (heldBytes(request) > total) {
      return "a request and its answer of "
          + heldBytes(request)
          + " bytes; the proxy has room for "
          + total
          + " bytes: make several of fewer blocks";
    }
    if (request.offset() < 0 || request.offset() > config.bytes() - request.bytes()) {
      return "bytes from "
          + request.offset()
          + " on are not within the store's "
          + config.bytes()
          + " bytes";
    }
    return null;
  }

  @Override
  protected long payloadBytes(RequestDescriptor next) {
    return next.type().hasPayload() ? next.bytes() : 0;
  }

  @Override
  protected long heldBytes(RequestDescriptor next) {
    return next.type() == RequestType.SCATTERED
        ? next.bytes() + ScatteredDescriptor.mostAnswered(next.bytes(), oram.config().blockBytes())
        : next.bytes();
  }

  @Override
  protected void begin(RequestDescriptor next, byte[] data, long held) {
    Answer answer = new Answer(next, held, data.length, connection.nanoTime());
    String refused = refusal;
    if (refused != null) {
      answer(answer, isDraining() ? AnswerStatus.DRAINING : AnswerStatus.INVALID, text(refused));
    } else if (known && calls.begin()) {
      ByteBuffer bytes = ByteBuffer.wrap(data);
      CompletableFuture<ByteBuffer> done = Futures.begun(() -> call(next, bytes));
      done.whenComplete((result, failure) -> calls.done());
      whenDone(done, (result, failure) -> end(answer, result, failure));
    } else if (known) {
      drop(held);
    } else if (proxy.replaced().isDone()) {
      drop(held);
      hangUp();
    } else {
      shakeHands(answer, data);
    }
  }

  private void hangUp() {
    connection.channel().close();
  }

  /** Lets a client in, or ends the connection: after the answer, if its token was examined. */
  private void shakeHands(Answer answer, byte[] token) {
    boolean letIn;
    try {
      letIn = proxy.config().letsIn(connection.channel(), token);
    } catch (RuntimeException | Error e) {
      drop(answer.heldBytes);
      throw e;
    } finally {
      Arrays.fill(token, (byte) 0);
    }
    if (letIn) {
      // Succeed first: the client's previous connection may occupy the place that this one needs.
      CompletableFuture<Void> before = calls.succeed(answer.request.offset());
      if (connection.admit()) {
        whenDone(before, (none, failure) -> welcome(answer));
        return;
      }
      proxy.config().observer().connectionRefused();
    }
    answer(
        answer,
        AnswerStatus.UNAUTHORISED,
        text(
            letIn
                ? "the proxy has as many connections as it may; try again later"
                : "check the certificate or the token"));
    endAfterAnswers();
  }

  private void welcome(Answer answer) {
    known = true;
    answer(answer, AnswerStatus.OK, proxy.welcome(oram.config()).encode());
  }

  @Override
  public void closed() {
    calls.end();
    oram.leave();
    super.closed();
  }

  /**
   * Has the ORAM carry out a request.
   *
   * @param data data to write, or room for the data to read
   */
  private CompletableFuture<ByteBuffer> call(RequestDescriptor request, ByteBuffer data) {
    return switch (request.type()) {
      case READ ->
          oram.readBytes(request.offset(), request.leastBlocks(), data).thenApply(none -> data);
      case WRITE ->
          oram.updateBytes(request.offset(), request.leastBlocks(), data)
              .thenApply(none -> NOTHING.duplicate());
      case SCATTERED -> scattered(request, data);
      case FLUSH -> oram.flush().thenApply(none -> NOTHING.duplicate());
      case STATS ->
          CompletableFuture.supplyAsync(
              () -> StatsDescriptor.encode(oram.stats()), proxy.statsThread());
      case HELLO -> throw new IllegalStateException("a hello is answered at once");
    };
  }

  /** Makes one access, whether it writes or not, and whether the blocks are as expected or not. */
  private CompletableFuture<ByteBuffer> scattered(RequestDescriptor request, ByteBuffer data) {
    int blockBytes = oram.config().blockBytes();
    ScatteredDescriptor asked;
    try {
      asked = ScatteredDescriptor.decode(data, blockBytes);
    } catch (ProtocolException e) {
      return CompletableFuture.failedFuture(new IllegalArgumentException(e.getMessage(), e));
    }
    ByteBuffer answer =
        ByteBuffer.allocate(
            ScatteredDescriptor.ANSWER_HEAD_BYTES + asked.blocks().length * blockBytes);
    return oram.access(asked.blocks(), request.leastBlocks(), each -> exchange(asked, each, answer))
        .thenApply(none -> answer.rewind());
  }

  private static void exchange(ScatteredDescriptor asked, ByteBuffer[] blocks, ByteBuffer answer) {
    boolean writes = asked.writes();
    answer.position(ScatteredDescriptor.ANSWER_HEAD_BYTES);
    for (int i = 0; i < blocks.length; i++) {
      writes &= asked.writes() && asked.isAsExpected(i, blocks[i]);
      answer.put(blocks[i].duplicate());
    }
    for (int i = 0; writes && i < blocks.length; i++) {
      blocks[i].put(0, asked.content(i), 0, blocks[i].capacity());
    }
    answer.putInt(0, writes ? 1 : 0);
  }

  /**
   * Answers a request with its outcome. A client that has gone gets no answer; its waiting
   * requests, reads and writes alike, were not made, because they would delay others.
   */
  private void end(Answer answer, @Nullable ByteBuffer result, @Nullable Throwable failure) {
    if (failure instanceof ClosedChannelException && !connection.isOpen()) {
      drop(answer.heldBytes);
    } else if (failure != null && proxy.isReplaced(failure)) {
      // The other proxy knows whether the access was made: the client asks again there.
      drop(answer.heldBytes);
      hangUp();
    } else if (result != null) {
      answer(answer, AnswerStatus.OK, result);
    } else {
      fail(answer, failure);
    }
  }

  private void fail(Answer answer, @Nullable Throwable failure) {
    AnswerStatus status = status(failure);
    if (status != AnswerStatus.INVALID) {
      LOG.error("a request failed: {}", String.valueOf(failure));
    }
    String message = failure == null ? null : failure.getMessage();
    answer(answer, status, text(message == null ? "no reason" : message));
  }

  private static AnswerStatus status(@Nullable Throwable failure) {
    if (failure instanceof IllegalArgumentException
        || failure instanceof ConfigurationException
        || failure instanceof IndexOutOfBoundsException) {
      return AnswerStatus.INVALID;
    }
    if (failure instanceof IntegrityException) {
      return AnswerStatus.DAMAGED;
    }
    if (failure instanceof StashOverflowException) {
      return AnswerStatus.FULL;
    }
    if (failure instanceof ClosedChannelException) {
      return AnswerStatus.DRAINING;
    }
    return failure instanceof IOException ? AnswerStatus.IO : AnswerStatus.INTERNAL;
  }

  /**
   * The data of a request that are kept until it is answered.
   *
   * @param request header of the request
   * @param heldBytes bytes taken from the budget
   * @param bytesIn bytes of its payload, or of the data to read
   * @param startNanos time when it was complete
   */
  private record Answer(RequestDescriptor request, long heldBytes, int bytesIn, long startNanos) {}

  private static ByteBuffer text(String message) {
    byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.wrap(bytes, 0, Math.min(bytes.length, AnswerDescriptor.MAX_TEXT_BYTES));
  }

  private void answer(Answer answer, AnswerStatus status, ByteBuffer data) {
    int bytesOut = data.remaining();
    ByteBuffer head = new AnswerDescriptor(status, answer.request.id(), bytesOut).encode();
    answer(Unpooled.wrappedBuffer(head, data), answer.heldBytes)
        .addListener(sent -> observe(answer, status, bytesOut));
  }

  private void observe(Answer answer, AnswerStatus status, int bytesOut) {
    RequestType type = answer.request.type();
    proxy
        .config()
        .observer()
        .requestDone(
            type.name().toLowerCase(Locale.ROOT),
            status.name().toLowerCase(Locale.ROOT),
            connection.nanoTime() - answer.startNanos,
            type.hasPayload() ? answer.bytesIn : 0,
            bytesOut);
  }

  @Override
  public boolean handshakes() {
    return !known;
  }

  @Override
  public void tlsFailed() {
    proxy.config().observer().accessDenied();
  }
}
