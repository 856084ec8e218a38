package io.github.roram.nbd;

import io.github.roram.storage.intake.Input;
import io.github.roram.storage.intake.Patience;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's end of a connection: first a {@link Negotiation}, then a {@link Transmission}. Reads
 * no more than its phase has room for, and ends when the client keeps the server waiting. Methods
 * are for the event loop unless they say otherwise.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel ends it
final class Connection extends ChannelInboundHandlerAdapter {

  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  private static final long TICK_MILLIS = 250;

  private final ServerState server;
  private final Channel channel;
  private final Input input = new Input();
  private final Patience patience;
  private Phase phase;
  private @Nullable Future<?> ticks;
  private boolean going;

  Connection(ServerState server, Channel channel) {
    this.server = server;
    this.channel = channel;
    phase = new Negotiation(server, this);
    patience = new Patience(server.limits().times(), System.nanoTime());
  }

  /** Whether it chose no export yet. For any thread. */
  boolean handshakes() {
    return phase.handshakes();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    send(Unpooled.wrappedBuffer(HandshakeDescriptor.greeting()));
    ticks =
        channel
            .eventLoop()
            .scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    boolean others = server.budget().isShort();
    String why = patience.lostWith(phase, channel.bytesBeforeWritable(), others, System.nanoTime());
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
  void go() {
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
    } catch (NbdProtocolException e) {
      LOG.info("a client broke the protocol: {}", e.getMessage());
      channel.close();
    } finally {
      going = false;
    }
    boolean reads = !phase.waits();
    if (channel.config().isAutoRead() != reads) {
      channel.config().setAutoRead(reads);
    }
  }

  /** An export was chosen. */
  void transmit(Export export, boolean structured) {
    phase = new Transmission(server, this, export, structured);
  }

  void send(ByteBuf bytes) {
    channel.writeAndFlush(bytes);
  }

  ChannelFuture sendAnswer(ByteBuf bytes) {
    return channel.writeAndFlush(bytes);
  }

  /** Closes it once all that was sent before is out. */
  void end() {
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  /** Sends the last bytes in the clear, and goes on with TLS. */
  void startTls(ByteBuf last, SslContext context) {
    channel.pipeline().addFirst(new SslHandler(context.newEngine(channel.alloc()), true));
    // The handler lets its first write pass as it is.
    channel.writeAndFlush(last);
  }

  /** Does something on the connection's event loop. For any thread. */
  void later(Runnable task) {
    channel.eventLoop().execute(task);
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
    LOG.debug("a connection is closed: {}", cause.toString());
    channel.close();
  }
}
