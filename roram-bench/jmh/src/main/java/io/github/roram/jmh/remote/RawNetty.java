package io.github.roram.jmh.remote;

import io.github.roram.storage.remote.protocol.Sockets;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.ssl.SslContext;
import java.io.Closeable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What Netty moves over loopback when nothing is done with the bytes: the server sends buffers for
 * as long as the client takes them, the client drops them.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails ends the measurement with few bytes
final class RawNetty implements Closeable {

  private static final int CHUNK_BYTES = 64 << 10;

  private final EventLoopGroup serverGroup = Sockets.newGroup("raw-server", 1);
  private final EventLoopGroup clientGroup = Sockets.newGroup("raw-client", 1);
  private final Channel listener;
  private final @Nullable SslContext clientSsl;
  private final LongAdder received = new LongAdder();

  /** As many bytes as the volume has: neither side has them in the processor's nearest cache. */
  private final ByteBuf content;

  RawNetty(@Nullable SslContext serverSsl, @Nullable SslContext clientSsl, int contentBytes) {
    this.clientSsl = clientSsl;
    content = Unpooled.directBuffer(contentBytes);
    content.setZero(0, contentBytes).writerIndex(contentBytes);
    listener =
        new ServerBootstrap()
            .group(serverGroup)
            .channel(Sockets.serverChannelType())
            .childOption(
                io.netty.channel.ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(512 << 10, 2 << 20))
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    if (serverSsl != null) {
                      channel.pipeline().addLast(serverSsl.newHandler(channel.alloc()));
                    }
                    channel.pipeline().addLast(new Sender());
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .syncUninterruptibly()
            .channel();
  }

  /** Bytes a second, over so long. */
  double bytesPerSecond(long nanos) throws InterruptedException {
    Channel client =
        new Bootstrap()
            .group(clientGroup)
            .channel(Sockets.channelType())
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    if (clientSsl != null) {
                      InetSocketAddress server = (InetSocketAddress) listener.localAddress();
                      channel
                          .pipeline()
                          .addLast(
                              clientSsl.newHandler(channel.alloc(), "127.0.0.1", server.getPort()));
                    }
                    channel.pipeline().addLast(new Taker());
                  }
                })
            .connect(listener.localAddress())
            .sync()
            .channel();
    client.writeAndFlush(client.alloc().buffer(1).writeByte(1));
    long before = received.sum();
    while (received.sum() == before) {
      Thread.sleep(1);
    }
    long start = System.nanoTime();
    long from = received.sum();
    Thread.sleep(nanos / 1_000_000);
    double rate = (received.sum() - from) * 1e9 / (System.nanoTime() - start);
    client.close().sync();
    return rate;
  }

  @Override
  public void close() {
    listener.close().syncUninterruptibly();
    serverGroup.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    clientGroup.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    content.release();
  }

  /** Counts and drops. */
  private final class Taker extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      received.add(bytes.readableBytes());
      bytes.release();
    }
  }

  /** Sends once asked, without end. */
  private final class Sender extends ChannelInboundHandlerAdapter {
    private boolean asked;
    private int next;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ((ByteBuf) message).release();
      asked = true;
      send(context);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      if (asked) {
        send(context);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close(); // the client went, its round is over
    }

    private void send(ChannelHandlerContext context) {
      while (context.channel().isActive() && context.channel().isWritable()) {
        context.write(content.retainedSlice(next, CHUNK_BYTES), context.voidPromise());
        next = (next + CHUNK_BYTES) % content.capacity();
      }
      context.flush();
    }
  }
}
