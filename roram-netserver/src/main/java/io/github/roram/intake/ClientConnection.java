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
 * The server's end of a connection; its {@link Phase} implements the protocol. It reads no more
 * than the phase has room for, and ends when the client keeps the server waiting. Call methods on
 * the event loop unless they say otherwise.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel ends it
public final class ClientConnection extends ChannelDuplexHandler {

  private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

  private static final long TICK_MILLIS = 250;

  /** Longer answers are sent in pieces, which show whether the client receives them. */
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
   * Creates the end of a new connection.
   *
   * @param first creates the first phase
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

  /** Returns the time by the event loop's clock. */
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

  /** Processes the bytes that have arrived, then reads more if the phase can use them. */
  public void go() {
    if (going) {
      // An answer was sent at once, from within a step; another step follows.
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

  /**
   * Notes that the client has identified itself or said what it wants. Returns whether there is a
   * place for it.
   */
  public boolean admit() {
    return visitor.admit();
  }

  /** Gives the place back, because the connection is about to end. May be called on any thread. */
  public void leave() {
    visitor.leave();
  }

  /** Enters another phase, which processes the bytes that follow. */
  public void become(Phase next) {
    phase = next;
  }

  /** Returns the channel of this connection. */
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

  /** Closes the connection once everything that was sent before has been written. */
  public void end() {
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  /** Returns whether the client is still connected. May be called on any thread. */
  public boolean isOpen() {
    return channel.isActive();
  }

  /** Runs a task on the connection's event loop. May be called on any thread. */
  public void later(Runnable task) {
    try {
      channel.eventLoop().execute(task);
    } catch (RejectedExecutionException e) {
      // The server has ended, and all its connections with it.
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

  /**
   * How a {@link ClientConnection} currently interprets its bytes. Called on the connection's event
   * loop.
   */
  public interface Phase {

    /** Called when the connection is established. */
    default void connected() {}

    /**
     * Processes bytes that have arrived.
     *
     * @return whether another step may make progress; false if it needs more bytes or waits
     * @throws IOException if the connection must end
     */
    boolean step(Input in) throws IOException;

    /**
     * Returns whether this phase waits for something other than bytes, so that no more should be
     * read.
     */
    boolean waits();

    /** Returns whether the client has yet to complete its handshake. */
    boolean handshakes();

    /**
     * Returns the bytes received since the connection began, if the last of them are part of an
     * unfinished message; otherwise −1.
     */
    long unfinished();

    /** Returns the number of complete requests received since the connection began. */
    long whole();

    /** Called when the client has failed to authenticate itself in TLS; the connection ends. */
    default void tlsFailed() {}

    /** Called when the connection has ended. */
    default void closed() {}
  }
}
