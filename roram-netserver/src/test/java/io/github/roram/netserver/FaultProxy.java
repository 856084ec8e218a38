package io.github.roram.netserver;

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
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.DuplexChannel;
import java.io.Closeable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A network between client and server that fails on demand: it cuts a connection after any byte of
 * either direction, swallows everything in silence, delays, holds bytes back to deliver them late,
 * and changes the order of answers. It never repeats anything.
 *
 * <p>All of it happens on one event loop; its methods may be called from any other thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails is closed
final class FaultProxy implements Closeable {

  /** Which way bytes go. */
  enum Direction {
    /** What the client sends. */
    TO_SERVER,
    /** What the server answers. */
    TO_CLIENT
  }

  private static final long NEVER = Long.MAX_VALUE;

  private final InetSocketAddress target;
  private final EventLoopGroup group = Sockets.newGroup("roram-proxy", 1);
  private final Channel listener;
  private final Map<Direction, Flow> flows = new EnumMap<>(Direction.class);
  private final List<Link> links = new ArrayList<>();
  private boolean swallowing;
  private boolean reordering;
  private int passedFramesOfNext = -1;
  private long delayMillis;
  private long lateBytes;

  /** Listens on a port of its own and passes everything on. */
  FaultProxy(InetSocketAddress target) {
    this.target = target;
    flows.put(Direction.TO_SERVER, new Flow());
    flows.put(Direction.TO_CLIENT, new Flow());
    listener =
        new ServerBootstrap()
            .group(group, group)
            .channel(Sockets.serverChannelType())
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.AUTO_READ, false)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, false)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel client) {
                    connect(client);
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .syncUninterruptibly()
            .channel();
  }

  int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /** Forgets what was counted and noted; new faults count from here on. */
  void reset() {
    onLoop(
        () -> {
          flows.replaceAll((direction, flow) -> new Flow());
          return true;
        });
  }

  /** Cuts the connection that carries byte {@code bytes} of all from now on, behind that byte. */
  void cutAfter(Direction direction, long bytes) {
    onLoop(() -> flow(direction).cutAt = flow(direction).bytes + bytes);
  }

  /** Whether the cut that was ordered has happened. */
  boolean hasCut(Direction direction) {
    return onLoop(() -> flow(direction).cutAt == NEVER);
  }

  /** Bytes that passed. */
  long bytes(Direction direction) {
    return onLoop(() -> flow(direction).bytes);
  }

  /** Ends of the frames that passed, counted in bytes over all connections. */
  List<Long> frameEnds(Direction direction) {
    return onLoop(() -> List.copyOf(flow(direction).frameEnds));
  }

  /** Whether connections are taken, and what they carry is thrown away. */
  void swallow(boolean on) {
    onLoop(() -> swallowing = on);
  }

  /** Delivers everything so much later. */
  void delay(long millis) {
    onLoop(() -> delayMillis = millis);
  }

  /** Sends frames of answers to different requests in another order than they came in. */
  void reorder(boolean on) {
    onLoop(() -> reordering = on);
  }

  /** How many frames overtook another. */
  long overtakings() {
    return onLoop(() -> links.stream().mapToLong(link -> link.shuffle.overtakings()).sum());
  }

  /**
   * Keeps what the client sends on the connections of this moment, even when the client has long
   * given them up.
   */
  void hold() {
    onLoop(
        () -> {
          links.forEach(link -> link.held = link.held == null ? new ArrayList<>() : link.held);
          return true;
        });
  }

  /** Keeps what the next connection's client sends behind its first {@code frames} frames. */
  void holdNewAfter(int frames) {
    onLoop(() -> passedFramesOfNext = frames);
  }

  /** Bytes that are held back. */
  long heldBytes() {
    return onLoop(() -> links.stream().mapToLong(Link::heldBytes).sum());
  }

  /** Bytes that were held back and delivered to a server that was still connected. */
  long lateBytes() {
    return onLoop(() -> lateBytes);
  }

  /** Delivers what was held back, late. */
  void release() {
    onLoop(
        () -> {
          List.copyOf(links).forEach(Link::release);
          return true;
        });
  }

  /** Connections that exist. */
  int links() {
    return onLoop(links::size);
  }

  /** Ends all connections at once. */
  void cutAll() {
    onLoop(
        () -> {
          List.copyOf(links).forEach(Link::close);
          return true;
        });
  }

  @Override
  public void close() {
    listener.close().syncUninterruptibly();
    cutAll();
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private Flow flow(Direction direction) {
    Flow flow = flows.get(direction);
    if (flow == null) {
      throw new IllegalStateException();
    }
    return flow;
  }

  private <T> T onLoop(Callable<T> task) {
    return listener.eventLoop().submit(task).syncUninterruptibly().getNow();
  }

  private void connect(Channel client) {
    Link link = new Link(client);
    link.framesUntilHold = passedFramesOfNext;
    passedFramesOfNext = -1;
    links.add(link);
    client.pipeline().addLast(link.new End(Direction.TO_SERVER));
    ChannelFuture connected =
        new Bootstrap()
            .group(client.eventLoop())
            .channel(Sockets.channelType())
            .option(ChannelOption.TCP_NODELAY, true)
            .handler(link.new End(Direction.TO_CLIENT))
            .connect(target);
    link.server = connected.channel();
    connected.addListener(
        end -> {
          if (end.isSuccess()) {
            client.config().setAutoRead(true);
          } else {
            link.close();
          }
        });
  }

  /** What passed in one direction, over all connections. */
  private static final class Flow {
    private final List<Long> frameEnds = new ArrayList<>();
    private long bytes;
    private long cutAt = NEVER;
  }

  /** One connection of a client, and the one that was made for it. */
  private final class Link {
    private final Channel client;
    private final Map<Direction, FrameMeter> meters = new EnumMap<>(Direction.class);
    private final AnswerShuffle shuffle = new AnswerShuffle();
    private @Nullable Channel server;
    private @Nullable List<ByteBuf> held;
    private int framesUntilHold = -1;
    private boolean cut;
    private boolean closed;

    Link(Channel client) {
      this.client = client;
      meters.put(Direction.TO_SERVER, new FrameMeter());
      meters.put(Direction.TO_CLIENT, new FrameMeter());
    }

    private @Nullable Channel destination(Direction direction) {
      return direction == Direction.TO_SERVER ? server : client;
    }

    void pass(Direction direction, ByteBuf in) {
      if (cut || closed || swallowing) {
        in.release();
        return;
      }
      Flow flow = flow(direction);
      int bytes = (int) Math.min(in.readableBytes(), flow.cutAt - flow.bytes);
      FrameMeter meter = meters.get(direction);
      if (meter != null) {
        meter.feed(
            in,
            bytes,
            end -> {
              flow.frameEnds.add(flow.bytes + end);
              if (direction == Direction.TO_SERVER && framesUntilHold > 0) {
                framesUntilHold--;
              }
            });
      }
      flow.bytes += bytes;
      boolean last = flow.bytes == flow.cutAt;
      ByteBuf part = in.readRetainedSlice(bytes);
      in.release();
      List<ByteBuf> keep = held;
      if (keep != null && direction == Direction.TO_SERVER) {
        keep.add(part);
      } else if (reordering && direction == Direction.TO_CLIENT) {
        shuffle.add(part);
        client
            .eventLoop()
            .schedule(
                () -> shuffle.drain(answer -> send(direction, answer)), 2, TimeUnit.MILLISECONDS);
      } else if (delayMillis > 0) {
        client
            .eventLoop()
            .schedule(() -> send(direction, part), delayMillis, TimeUnit.MILLISECONDS);
      } else {
        send(direction, part);
      }
      if (last) {
        flow.cutAt = NEVER;
        cut();
      }
    }

    private void send(Direction direction, ByteBuf part) {
      Channel to = destination(direction);
      if (to == null || closed) {
        part.release();
      } else {
        to.writeAndFlush(part);
      }
      if (direction == Direction.TO_SERVER && framesUntilHold == 0 && held == null) {
        framesUntilHold = -1;
        held = new ArrayList<>();
      }
    }

    /** Both sides get what was passed on, then the end of the stream; nothing else is lost. */
    private void cut() {
      cut = true;
      for (Direction direction : Direction.values()) {
        if (destination(direction) instanceof DuplexChannel channel && channel.isActive()) {
          channel.shutdownOutput();
        }
      }
    }

    long heldBytes() {
      List<ByteBuf> all = held;
      return all == null ? 0 : all.stream().mapToLong(ByteBuf::readableBytes).sum();
    }

    void release() {
      List<ByteBuf> all = held;
      held = null;
      if (all != null) {
        lateBytes += all.stream().mapToLong(ByteBuf::readableBytes).sum();
        all.forEach(part -> send(Direction.TO_SERVER, part));
        if (!client.isActive()) {
          close();
        }
      }
    }

    void ended() {
      if (held == null || server == null || !server.isActive()) {
        close();
      }
    }

    void close() {
      if (closed) {
        return;
      }
      List<ByteBuf> all = held;
      if (all != null) {
        all.forEach(ByteBuf::release);
      }
      closed = true;
      shuffle.clear();
      links.remove(this);
      client.close();
      Channel other = server;
      if (other != null) {
        other.close();
      }
    }

    /** Where bytes of one direction come in. */
    private final class End extends ChannelInboundHandlerAdapter {
      private final Direction direction;

      End(Direction direction) {
        this.direction = direction;
      }

      @Override
      public void channelRead(ChannelHandlerContext context, Object message) {
        pass(direction, (ByteBuf) message);
      }

      @Override
      public void channelInactive(ChannelHandlerContext context) {
        ended();
      }

      @Override
      public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        close();
      }
    }
  }
}
