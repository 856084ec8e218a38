package io.github.roram.proxy;

import io.github.roram.proxy.protocol.AnswerDescriptor;
import io.github.roram.proxy.protocol.AnswerStatus;
import io.github.roram.proxy.protocol.RequestDescriptor;
import io.github.roram.proxy.protocol.RequestType;
import io.github.roram.storage.intake.Input;
import io.github.roram.storage.intake.Patience;
import io.github.roram.storage.remote.protocol.PrintableText;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The proxy's end of a connection: takes requests apart, asks for room before their bytes arrive,
 * and reads no more than there is room for. Ends when the client keeps it waiting. {@link Asking}
 * has the requests done. Methods are for the event loop unless they say otherwise.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel ends it
final class ProxyConnection extends ChannelInboundHandlerAdapter implements Patience.Watched {

  private static final Logger LOG = LoggerFactory.getLogger(ProxyConnection.class);

  private static final long TICK_MILLIS = 250;

  /** A connection holds no more than this part of all memory, or a single request. */
  private static final int SHARES = 4;

  private final ProxyState proxy;
  private final Channel channel;
  private final Greeting greeting;
  private final Asking asking;
  private final Input input = new Input();
  private final Input.Piece head = new Input.Piece(RequestDescriptor.HEAD_BYTES);
  private final Patience patience;
  private @Nullable RequestDescriptor request;
  private Input.@Nullable Piece payload;

  /** What the request that is arriving is answered with instead of being done. */
  private @Nullable String refusal;

  private long skipping;
  private long arrived;
  private int underWay;
  private long heldBytes;
  private boolean inLine;
  private boolean granted;
  private boolean going;
  private boolean closed;
  private volatile boolean known;
  private @Nullable Future<?> ticks;

  ProxyConnection(ProxyState proxy, Channel channel) {
    this.proxy = proxy;
    this.channel = channel;
    greeting = new Greeting(proxy, channel);
    asking = new Asking(proxy, this);
    patience = new Patience(proxy.limits().times(), System.nanoTime());
  }

  /** For any thread. */
  @Override
  public boolean handshakes() {
    return !known;
  }

  @Override
  public long unfinished() {
    return head.filled() > 0 && !waits() ? arrived : -1;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    ticks =
        channel
            .eventLoop()
            .scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    boolean others = proxy.budget().isShort();
    String why = patience.lostWith(this, channel.bytesBeforeWritable(), others, System.nanoTime());
    if (why != null) {
      LOG.info("a connection is closed: {}", why);
      channel.close();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    input.add((ByteBuf) message);
    go();
  }

  /** Does what can be done with what came, and reads on if more can be used. */
  private void go() {
    if (going) {
      // An answer was sent at once, from within a step, which is followed by another.
      return;
    }
    going = true;
    try {
      boolean more = channel.isActive() && !closed;
      while (more) {
        more = step() && channel.isActive() && !closed;
      }
    } catch (ProtocolException e) {
      LOG.info("a client broke the protocol: {}", PrintableText.of(e.getMessage()));
      channel.close();
    } finally {
      going = false;
    }
    boolean reads = !waits();
    if (channel.config().isAutoRead() != reads) {
      channel.config().setAutoRead(reads);
    }
  }

  /** Whether there may be more to do with what came. */
  private boolean step() throws ProtocolException {
    RequestDescriptor next = request;
    if (next == null) {
      int before = head.filled();
      boolean complete = head.fill(input);
      arrived += head.filled() - before;
      if (!complete) {
        return false;
      }
      next = RequestDescriptor.decode(head.bytes());
      refusal = known ? asking.refusal(next) : greeting.check(next);
      skipping = refusal != null && next.type().hasPayload() ? next.bytes() : 0;
      request = next;
    }
    return admit(next) && receive(next) && begin(next);
  }

  /** Whether there is room for a request. */
  private boolean admit(RequestDescriptor next) {
    if (isFull(next)) {
      return false;
    }
    long bytes = heldBytes(next);
    if (granted || bytes == 0) {
      return true;
    }
    inLine = !proxy.budget().take(bytes, () -> later(() -> grant(bytes)));
    if (!inLine) {
      granted(bytes);
    }
    return granted;
  }

  /** Whether its own requests take all that a connection may have. */
  private boolean isFull(RequestDescriptor next) {
    boolean tooMany = underWay >= proxy.limits().maxRequests();
    boolean tooMuch =
        !granted
            && heldBytes > 0
            && heldBytes + heldBytes(next) > proxy.limits().totalBytes() / SHARES;
    return inLine || tooMany || tooMuch;
  }

  private void granted(long bytes) {
    granted = true;
    heldBytes += bytes;
  }

  private long heldBytes(RequestDescriptor next) {
    return refusal == null ? next.bytes() : 0;
  }

  /** Its turn in line came. */
  private void grant(long bytes) {
    inLine = false;
    if (closed) {
      proxy.budget().give(bytes);
    } else {
      granted(bytes);
      go();
    }
  }

  /** Whether all that belongs to a request has come. */
  private boolean receive(RequestDescriptor next) {
    if (skipping > 0) {
      long skipped = input.skip(skipping);
      skipping -= skipped;
      arrived += skipped;
      return skipping == 0;
    }
    if (refusal != null || !next.type().hasPayload()) {
      return true;
    }
    if (payload == null) {
      payload = new Input.Piece(next.bytes());
    }
    int before = payload.filled();
    boolean complete = payload.fill(input);
    arrived += payload.filled() - before;
    return complete;
  }

  private boolean begin(RequestDescriptor next) {
    byte[] data = payload != null ? payload.bytes() : new byte[granted ? next.bytes() : 0];
    long held = granted ? next.bytes() : 0;
    String refused = refusal;
    payload = null;
    request = null;
    granted = false;
    head.clear();
    underWay++;
    proxy.underWay().began();
    Answer answer = new Answer(next, held, data.length, System.nanoTime());
    if (!known && next.type() == RequestType.HELLO && refused == null) {
      greet(answer, data);
    } else if (refused != null) {
      AnswerStatus why =
          proxy.underWay().isDraining() ? AnswerStatus.DRAINING : AnswerStatus.INVALID;
      answer(answer, why, text(refused));
    } else {
      asking.ask(answer, data);
    }
    return true;
  }

  /** Lets a client in, or ends the connection behind the answer. */
  private void greet(Answer answer, byte[] token) {
    known = greeting.isLetIn(token);
    Arrays.fill(token, (byte) 0);
    if (known) {
      answer(answer, AnswerStatus.OK, proxy.welcome().encode());
    } else {
      answer(answer, AnswerStatus.UNAUTHORISED, text("check the certificate or the token"))
          .addListener(ChannelFutureListener.CLOSE);
      closed = true;
    }
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
  ChannelFuture answer(Answer answer, AnswerStatus status, ByteBuffer data) {
    RequestDescriptor of = answer.request;
    ByteBuffer bytes = new AnswerDescriptor(status, of.id(), data.remaining()).encode();
    int bytesOut = data.remaining();
    ChannelFuture sent = channel.writeAndFlush(Unpooled.wrappedBuffer(bytes, data));
    return sent.addListener(
        end -> {
          ended(answer);
          observe(answer, status, bytesOut);
          go();
        });
  }

  /** Forgets a request of a client that is gone. */
  void drop(Answer answer) {
    ended(answer);
  }

  private void ended(Answer answer) {
    underWay--;
    proxy.underWay().ended();
    heldBytes -= answer.heldBytes;
    proxy.budget().give(answer.heldBytes);
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

  /** Whether it waits for something else than bytes, so that none should be read. */
  private boolean waits() {
    return closed || (request != null && isFull(request));
  }

  /** Whether the client is there. For any thread. */
  boolean isOpen() {
    return channel.isActive();
  }

  /** Does something on the connection's event loop. For any thread. */
  void later(Runnable task) {
    try {
      channel.eventLoop().execute(task);
    } catch (RejectedExecutionException e) {
      // The proxy has ended, and all connections with it.
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent tls && !tls.isSuccess()) {
      proxy.config().observer().accessDenied();
      LOG.info("no TLS with a client: {}", PrintableText.of(String.valueOf(tls.cause())));
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    closed = true;
    if (ticks != null) {
      ticks.cancel(false);
    }
    if (granted && request != null) {
      granted = false;
      proxy.budget().give(request.bytes());
    }
    input.release();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("a connection is closed: {}", PrintableText.of(cause.toString()));
    channel.close();
  }
}
