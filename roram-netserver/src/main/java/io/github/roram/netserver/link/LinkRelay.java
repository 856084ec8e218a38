package io.github.roram.netserver.link;

import io.github.roram.storage.link.Link;
import io.github.roram.storage.link.Link.LinkDirection;
import io.github.roram.storage.remote.protocol.Sockets;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A relay between clients and a server: clients connect to it, and it passes everything on
 * unchanged, with the delay of a {@link Link}. All connections share the link's bandwidth.
 * Connecting takes no time, and nothing is lost.
 *
 * <p>It listens only on loopback, and serves every user of this machine. A client checks the
 * certificate against the name that it connects to, so the server's must name this machine, as
 * those of {@code roram server init-certs} do. Everything runs on one thread. Thread safety: safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel closes it
public final class LinkRelay implements Closeable {

  /** Least bytes of a read, which takes what the line carries in a millisecond. */
  private static final int MIN_READ_BYTES = 4 << 10;

  private static final int MAX_READ_BYTES = 64 << 10;
  private static final long READS_PER_SECOND = 1000;

  private final InetSocketAddress server;
  private final EventLoopGroup group = Sockets.newGroup("roram-link", 1);
  private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  private final Line up;
  private final Line down;
  private final Channel listener;

  private LinkRelay(Link link, InetSocketAddress server) throws IOException {
    this.server = server;
    up = new Line(link.up(), group.next());
    down = new Line(link.down(), group.next());
    ChannelFuture bound =
        new ServerBootstrap()
            .group(group)
            .channel(Sockets.serverChannelType())
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.AUTO_READ, false)
            .childOption(ChannelOption.RECVBUF_ALLOCATOR, pieces(link.upBytesPerSecond()))
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel client) {
                    connect(client, pieces(link.downBytesPerSecond()));
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      throw new IOException("cannot listen on loopback: " + bound.cause(), bound.cause());
    }
    listener = bound.channel();
  }

  /**
   * Starts to relay connections.
   *
   * @param server the server's address
   * @throws IOException if there is no free port
   */
  public static LinkRelay start(Link link, InetSocketAddress server) throws IOException {
    return new LinkRelay(link, server);
  }

  private static FixedRecvByteBufAllocator pieces(long bytesPerSecond) {
    long bytes = bytesPerSecond / READS_PER_SECOND;
    return new FixedRecvByteBufAllocator(
        (int) Math.max(MIN_READ_BYTES, Math.min(MAX_READ_BYTES, bytes)));
  }

  /** Returns the address for clients, which is on loopback. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  /** Connects to the server; a failure looks to the client as if the server hung up. */
  private void connect(Channel client, FixedRecvByteBufAllocator pieces) {
    LineEnd fromClient = new LineEnd(up);
    LineEnd fromServer = new LineEnd(down);
    channels.add(client);
    client.pipeline().addLast(fromClient);
    ChannelFuture connected =
        new Bootstrap()
            .group(client.eventLoop())
            .channel(Sockets.channelType())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.AUTO_READ, false)
            .option(ChannelOption.RECVBUF_ALLOCATOR, pieces)
            .handler(fromServer)
            .connect(server);
    channels.add(connected.channel());
    connected.addListener(
        end -> {
          if (end.isSuccess()) {
            fromClient.join(connected.channel());
            fromServer.join(client);
          } else {
            client.close();
          }
        });
  }

  /** Ends all connections; bytes on the line are lost. */
  @Override
  public void close() {
    listener.close().awaitUninterruptibly();
    channels.close().awaitUninterruptibly();
    up.close();
    down.close();
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  /**
   * One direction of a relay's link: the bytes on it, and when they arrive. Used by the event loop,
   * except for {@link #close}.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel closes it
  private static final class Line {

    /**
     * The relay reads ahead what the line carries in this time, so that the line stays busy when
     * this machine is late.
     */
    private static final long AHEAD_NANOS = 5_000_000;

    private final LinkDirection direction;
    private final EventLoop loop;

    /** Pieces in the order in which they arrive. */
    private final Queue<Piece> pieces = new ArrayDeque<>();

    private boolean closed;

    /** Bytes for a channel; null for its end. */
    private record Piece(long arrivalNanos, Channel target, @Nullable ByteBuf bytes) {}

    Line(LinkDirection direction, EventLoop loop) {
      this.direction = direction;
      this.loop = loop;
    }

    /** Takes over bytes, to be written when they have arrived. */
    void send(Channel target, ByteBuf bytes) {
      put(target, bytes, bytes.readableBytes());
    }

    /** Closes the channel after everything that was sent to it before. */
    void sendEnd(Channel target) {
      put(target, null, 0);
    }

    private void put(Channel target, @Nullable ByteBuf bytes, int length) {
      long now = System.nanoTime();
      Piece piece = new Piece(direction.send(now, length), target, bytes);
      pieces.add(piece);
      if (pieces.size() == 1) {
        loop.schedule(this::deliver, piece.arrivalNanos - now, TimeUnit.NANOSECONDS);
      }
    }

    private void deliver() {
      long now = System.nanoTime();
      for (Piece first = pieces.peek(); first != null; first = pieces.peek()) {
        if (first.arrivalNanos > now && !closed) {
          loop.schedule(this::deliver, first.arrivalNanos - now, TimeUnit.NANOSECONDS);
          return;
        }
        pieces.remove();
        if (first.bytes == null) {
          first.target.close();
        } else {
          first.target.writeAndFlush(first.bytes);
        }
      }
    }

    /** Returns how long to wait before reading more; 0 if there is room on the line. */
    long waitNanos() {
      return Math.max(0, direction.waitNanos(System.nanoTime()) - AHEAD_NANOS);
    }

    /** Frees what is on the line. Any thread may call it, once the channels are closed. */
    void close() {
      loop.submit(
              () -> {
                closed = true;
                deliver();
              })
          .awaitUninterruptibly();
    }
  }

  /**
   * One of the two connections of a relay: bytes from it go on the line to the other one. It is
   * read no faster than the line and the other connection allow. Used by the event loop.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel closes it
  private static final class LineEnd extends ChannelInboundHandlerAdapter {

    private final Line line;
    private @Nullable Channel own;
    private @Nullable Channel other;
    private boolean reading;
    private boolean ended;

    LineEnd(Line line) {
      this.line = line;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      own = context.channel();
    }

    /** Starts relaying, once both ends are connected. */
    void join(Channel otherEnd) {
      other = otherEnd;
      if (ended) {
        line.sendEnd(otherEnd);
      } else {
        readOn();
      }
    }

    private void readOn() {
      Channel from = own;
      Channel to = other;
      if (from == null || to == null || reading || ended || !to.isWritable()) {
        return;
      }
      reading = true;
      long wait = line.waitNanos();
      if (wait == 0) {
        from.read();
      } else {
        from.eventLoop().schedule(() -> from.read(), wait, TimeUnit.NANOSECONDS);
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      Channel to = other;
      if (to == null) {
        ((ByteBuf) message).release();
      } else {
        line.send(to, (ByteBuf) message);
      }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      reading = false;
      readOn();
    }

    /** Resumes reading the other end once this one accepts more. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      Channel to = other;
      if (to != null && context.channel().isWritable()) {
        LineEnd otherEnd = to.pipeline().get(LineEnd.class);
        if (otherEnd != null) {
          otherEnd.readOn();
        }
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      ended = true;
      Channel to = other;
      if (to != null) {
        line.sendEnd(to);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }
  }
}
