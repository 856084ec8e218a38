package io.github.roram.intake;

import io.github.roram.store.PrintableText;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's end of a connection, whose {@link Phase} knows the protocol. Reads no more than that
 * has room for, and ends when the client keeps the server waiting. Methods are for the event loop
 * unless they say otherwise.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel ends it
public final class ClientConnection extends ChannelDuplexHandler {

  private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

  private static final long TICK_MILLIS = 250;

  /** Longer answers are sent in pieces, so that it is seen whether the client takes them. */
  private static final int PIECE_BYTES = 64 << 10;

  private final SharedIntake shared;
  private final Channel channel;
  private final Admission.Visitor visitor;
  private final Input input = new Input();
  private final Timeouts patience;
  private Phase phase;
  private @Nullable Future<?> ticks;
  private boolean going;
  private long writtenBytes;
  private long sentBytes;

  /**
   * A connection that came.
   *
   * @param first makes its first phase
   */
  public ClientConnection(
      SharedIntake shared,
      Channel channel,
      Admission.Visitor visitor,
      Function<ClientConnection, Phase> first) {
    this.shared = shared;
    this.channel = channel;
    this.visitor = visitor;
    patience = new Timeouts(shared.limits(), nanoTime());
    phase = first.apply(this);
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    phase.connected();
    ticks =
        channel
            .eventLoop()
            .scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** By the clock of the event loop. */
  public long nanoTime() {
    return channel.eventLoop().ticker().nanoTime();
  }

  private void tick() {
    boolean others = shared.budget().isShort();
    String why = patience.lostWith(phase, writtenBytes, sentBytes, others, nanoTime());
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
  public void go() {
    if (going) {
      // An answer was sent at once, from within a step, which is followed by another.
      return;
    }
    going = true;
    try {
      boolean more = channel.isActive();
      while (more) {
        more = phase.step(input) && channel.isActive();
      }
    } catch (IOException e) {
      LOG.info("a client broke the protocol: {}", PrintableText.of(e.getMessage()));
      channel.close();
    } finally {
      going = false;
    }
    boolean reads = !phase.waits();
    if (channel.config().isAutoRead() != reads) {
      channel.config().setAutoRead(reads);
    }
  }

  /** The client said who it is, or what it wants; whether there is a place for it. */
  public boolean admit() {
    return visitor.admit();
  }

  /** Leaves its place to others; it is to end. For any thread. */
  public void leave() {
    visitor.leave();
  }

  /** What comes next is for another phase. */
  public void become(Phase next) {
    phase = next;
  }

  /** What it goes through. */
  public Channel channel() {
    return channel;
  }

  /** Sends bytes. */
  public ChannelFuture send(ByteBuf bytes) {
    return channel.writeAndFlush(bytes);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    ByteBuf bytes = (ByteBuf) message;
    while (bytes.readableBytes() > PIECE_BYTES) {
      writePiece(context, bytes.readRetainedSlice(PIECE_BYTES), context.newPromise());
    }
    writePiece(context, bytes, promise.unvoid());
  }

  private void writePiece(ChannelHandlerContext context, ByteBuf piece, ChannelPromise promise) {
    int length = piece.readableBytes();
    writtenBytes += length;
    context.write(piece, promise).addListener(sent -> sentBytes += length);
  }

  /** Closes it once all that was sent before is out. */
  public void end() {
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  /** Whether the client is there. For any thread. */
  public boolean isOpen() {
    return channel.isActive();
  }

  /** Does something on the connection's event loop. For any thread. */
  public void later(Runnable task) {
    try {
      channel.eventLoop().execute(task);
    } catch (RejectedExecutionException e) {
      // The server has ended, and all connections with it.
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent tls && !tls.isSuccess()) {
      phase.tlsFailed();
      LOG.info("no TLS with a client: {}", PrintableText.of(String.valueOf(tls.cause())));
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (ticks != null) {
      ticks.cancel(false);
    }
    input.release();
    phase.closed();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("a connection is closed: {}", PrintableText.of(cause.toString()));
    channel.close();
  }

  /** What a {@link ClientConnection} does with its bytes now. For the connection's event loop. */
  public interface Phase {

    /** The connection is there. */
    default void connected() {}

    /**
     * Goes on with what came.
     *
     * @return whether there may be more to do; false if it needs more bytes or waits
     * @throws IOException if the connection must end
     */
    boolean step(Input in) throws IOException;

    /** Whether it waits for something else than bytes, so that none should be read. */
    boolean waits();

    /** Whether the client has not completed its handshake. */
    boolean handshakes();

    /** Bytes received of something unfinished, since the connection began; else −1. */
    long unfinished();

    /** Requests that have arrived whole since the connection began. */
    long whole();

    /** The client did not prove who it is in TLS; the connection ends. */
    default void tlsFailed() {}

    /** The connection ended. */
    default void closed() {}
  }
}
