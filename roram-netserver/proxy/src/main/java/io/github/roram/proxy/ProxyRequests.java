package io.github.roram.proxy;

import io.github.roram.proxy.protocol.AnswerDescriptor;
import io.github.roram.proxy.protocol.AnswerStatus;
import io.github.roram.proxy.protocol.RequestDescriptor;
import io.github.roram.proxy.protocol.RequestType;
import io.github.roram.storage.intake.Connection;
import io.github.roram.storage.intake.RequestPhase;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one client, of which the first says who it is ({@link Greeting}). {@link Asking}
 * has the others done. For the event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel ends it
final class ProxyRequests extends RequestPhase<RequestDescriptor> {

  private final ProxyState proxy;
  private final Connection connection;
  private final Greeting greeting;
  private final Asking asking;

  /** What the request that is arriving is answered with instead of being done. */
  private @Nullable String refusal;

  private boolean known;

  ProxyRequests(ProxyState proxy, Connection connection) {
    super(connection, proxy.intake(), RequestDescriptor.HEAD_BYTES);
    this.proxy = proxy;
    this.connection = connection;
    greeting = new Greeting(proxy, connection.channel());
    asking = new Asking(proxy, this, connection);
  }

  @Override
  protected RequestDescriptor parse(byte[] bytes) throws ProtocolException {
    return RequestDescriptor.decode(bytes);
  }

  @Override
  protected boolean refuses(RequestDescriptor next) throws ProtocolException {
    refusal = known ? asking.refusal(next) : greeting.check(next);
    return refusal != null;
  }

  @Override
  protected long payloadBytes(RequestDescriptor next) {
    return next.type().hasPayload() ? next.bytes() : 0;
  }

  @Override
  protected long heldBytes(RequestDescriptor next) {
    return next.bytes();
  }

  @Override
  protected void begin(RequestDescriptor next, byte[] data, long held) {
    Answer answer = new Answer(next, held, data.length, System.nanoTime());
    String refused = refusal;
    if (refused != null) {
      boolean draining = proxy.intake().underWay().isDraining();
      answer(answer, draining ? AnswerStatus.DRAINING : AnswerStatus.INVALID, text(refused));
    } else if (known) {
      asking.ask(answer, data);
    } else {
      greet(answer, data);
    }
  }

  /** Lets a client in, or ends the connection behind the answer. */
  private void greet(Answer answer, byte[] token) {
    boolean letIn = greeting.isLetIn(token);
    Arrays.fill(token, (byte) 0);
    known = letIn && connection.admit();
    if (known) {
      answer(answer, AnswerStatus.OK, proxy.welcome().encode());
      return;
    }
    if (letIn) {
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

  /**
   * What is remembered of a request until it is answered.
   *
   * @param request its head
   * @param heldBytes taken from the budget
   * @param bytesIn payload that came with it, or that is read
   * @param startNanos when all of it had come
   */
  record Answer(RequestDescriptor request, long heldBytes, int bytesIn, long startNanos) {}

  static ByteBuffer text(String message) {
    byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.wrap(bytes, 0, Math.min(bytes.length, AnswerDescriptor.MAX_TEXT_BYTES));
  }

  /** Answers a request. */
  void answer(Answer answer, AnswerStatus status, ByteBuffer data) {
    int bytesOut = data.remaining();
    ByteBuffer head = new AnswerDescriptor(status, answer.request.id(), bytesOut).encode();
    answer(Unpooled.wrappedBuffer(head, data), answer.heldBytes)
        .addListener(sent -> observe(answer, status, bytesOut));
  }

  /** Forgets a request of a client that is gone. */
  void drop(Answer answer) {
    drop(answer.heldBytes);
  }

  private void observe(Answer answer, AnswerStatus status, int bytesOut) {
    RequestType type = answer.request.type();
    proxy
        .config()
        .observer()
        .requestDone(
            type.name().toLowerCase(Locale.ROOT),
            status.name().toLowerCase(Locale.ROOT),
            System.nanoTime() - answer.startNanos,
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
