package io.github.roram.jmh.remote;

import io.github.roram.netserver.BlockServer;
import io.github.roram.netserver.FileBacking;
import io.github.roram.netserver.ServerConfig;
import io.github.roram.netserver.VolumeBacking;
import io.github.roram.netserver.VolumeBacking.MemoryBacking;
import io.github.roram.netserver.tls.CertificateDirectory;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.storage.remote.protocol.Sockets;
import io.github.roram.storage.tls.TlsFiles;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
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
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.StatUtils;
import org.jspecify.annotations.Nullable;

/**
 * Vectored reads of 4 MB over loopback through the remote store, against what Netty moves there
 * with the same TLS when nothing is done with the bytes. Both in turn, in one run.
 *
 * <pre>java -cp roram-bench/jmh/target/benchmarks.jar io.github.roram.jmh.remote.RemoteThroughput
 * </pre>
 *
 * With {@code -Droram.files=true} the volume is in files (of the page cache), else in memory.
 */
public final class RemoteThroughput {

  private static final int ROUNDS = Integer.getInteger("roram.rounds", 41);
  private static final int READERS = Integer.getInteger("roram.readers", 1);
  private static final ExecutorService EXECUTOR = Executors.newCachedThreadPool();
  private static final int WARM_UP_ROUNDS = 10;

  /** Short, so that what else the machine does meets both sides of a ratio. */
  private static final long ROUND_NANOS = 200_000_000L;

  private static final int UNIT_BYTES = 16 << 10;
  private static final int EXTENTS = 16;
  private static final int REQUEST_BYTES = 4 << 20;
  private static final int CAPACITY_BYTES = 64 << 20;

  private RemoteThroughput() {}

  /** Measures plain connections, then TLS. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    measure("plain", null);
    Path directory = Files.createTempDirectory("roram-tls");
    new CertificateDirectory(directory, InstantSource.system())
        .issue(List.of("127.0.0.1"), List.of("client"), 1);
    String provider = OpenSsl.isAvailable() ? "TLS by tcnative" : "TLS by the JDK";
    measure(provider, directory);
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
    EXECUTOR.shutdown();
  }

  private static void measure(String name, @Nullable Path certificates)
      throws IOException, InterruptedException {
    Path volumes = Files.createTempDirectory("roram-volumes");
    ServerConfig config = ServerConfig.loopback(0, backing(volumes));
    RemoteOptions options = RemoteOptions.defaults();
    RawNetty raw;
    if (certificates == null) {
      raw = new RawNetty(null, null, CAPACITY_BYTES);
    } else {
      TlsFiles mine = TlsFiles.inDirectory(certificates, "client");
      TlsFiles servers = TlsFiles.inDirectory(certificates, CertificateDirectory.SERVER);
      raw =
          new RawNetty(
              servers.serverContext(ClientAuth.REQUIRE), mine.clientContext(), CAPACITY_BYTES);
      config = config.withSslContext(servers.serverContext(ClientAuth.REQUIRE));
      options = options.withTls(mine);
    }
    try (raw;
        BlockServer server = BlockServer.start(config)) {
      int port = server.address().getPort();
      RemoteAddress address = new RemoteAddress(certificates != null, "127.0.0.1", port, "volume");
      RemoteVolumes.create(address, CAPACITY_BYTES, options);
      try (RemoteStore store = RemoteStore.open(address, options, LeaseKeeper.NONE)) {
        fill(store);
        compare(name, raw, store);
      }
      RemoteVolumes.delete(address, options);
    }
    Files.deleteIfExists(volumes.resolve("volumes"));
    Files.delete(volumes);
  }

  private static VolumeBacking backing(Path directory) throws IOException {
    return Boolean.getBoolean("roram.files")
        ? new FileBacking(directory, FileOptions.defaults())
        : new MemoryBacking();
  }

  private static void compare(String name, RawNetty raw, RemoteStore store)
      throws IOException, InterruptedException {
    List<Double> rawRates = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      double rawRate = raw.bytesPerSecond(ROUND_NANOS);
      double rate = READERS == 1 ? read(store) : readTogether(store);
      if (round >= 0) {
        rawRates.add(rawRate);
        rates.add(rate);
        ratios.add(rate / rawRate);
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%s: Netty %.0f MB/s, remote store %.0f MB/s, ratio %.2f, middle half %.2f to %.2f"
            + " (medians of %d rounds)%n",
        name,
        percentile(rawRates, 50) / 1e6,
        percentile(rates, 50) / 1e6,
        percentile(ratios, 50),
        percentile(ratios, 25),
        percentile(ratios, 75),
        ROUNDS);
  }

  private static void fill(RemoteStore store) throws IOException {
    ExtentBatch all = new ExtentBatch().reset(IoPhase.META, ExtentBatch.NO_TREE, UNIT_BYTES);
    all.add(0, CAPACITY_BYTES / UNIT_BYTES);
    store.write(all, (first, units) -> units.position(units.limit()));
    store.sync();
  }

  private static double read(RemoteStore store) throws IOException {
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.READ, 0, UNIT_BYTES);
    int units = REQUEST_BYTES / EXTENTS / UNIT_BYTES;
    for (int i = 0; i < EXTENTS; i++) {
      batch.add((long) i * (CAPACITY_BYTES / EXTENTS), units);
    }
    long start = System.nanoTime();
    long bytes = 0;
    while (System.nanoTime() - start < ROUND_NANOS) {
      store.read(batch, (first, piece) -> {});
      bytes += REQUEST_BYTES;
    }
    return bytes * 1e9 / (System.nanoTime() - start);
  }

  /** Reads one store from several threads, with their requests in flight together. */
  private static double readTogether(RemoteStore store) {
    return IntStream.range(0, READERS)
        .mapToObj(reader -> CompletableFuture.supplyAsync(() -> readUnchecked(store), EXECUTOR))
        .toList()
        .stream()
        .mapToDouble(CompletableFuture::join)
        .sum();
  }

  private static double readUnchecked(RemoteStore store) {
    try {
      return read(store);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double percentile(List<Double> values, double percent) {
    return StatUtils.percentile(values.stream().mapToDouble(v -> v).toArray(), percent);
  }

  /**
   * What Netty moves over loopback when nothing is done with the bytes: the server sends buffers
   * for as long as the client takes them, the client drops them.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // what fails ends the measurement with few bytes
  static final class RawNetty implements Closeable {

    private static final int CHUNK_BYTES = 64 << 10;

    private final EventLoopGroup serverGroup = Sockets.newGroup("raw-server", 1);
    private final EventLoopGroup clientGroup = Sockets.newGroup("raw-client", 1);
    private final Channel listener;
    private final @Nullable SslContext clientSsl;
    private final LongAdder received = new LongAdder();

    /**
     * As many bytes as the volume has, so that neither side has them in the processor's nearest
     * cache.
     */
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
                                clientSsl.newHandler(
                                    channel.alloc(), "127.0.0.1", server.getPort()));
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
}
