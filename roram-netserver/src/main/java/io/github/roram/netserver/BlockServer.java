package io.github.roram.netserver;

import io.github.roram.intake.Admission;
import io.github.roram.intake.Listener;
import io.github.roram.intake.SharedIntake.RequestsInFlight;
import io.github.roram.netserver.MemoryBudget.UnfinishedFrames;
import io.github.roram.netserver.TopLevelCache.CacheBudget;
import io.github.roram.storage.remote.protocol.ErrorCode;
import io.github.roram.storage.remote.protocol.FrameDecoder;
import io.netty.channel.Channel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves volumes to remote stores. A few event loops serve sockets, and a pool of threads uses the
 * stores, so that no disk delays a socket; reads that need no disk run on the event loops ({@link
 * ReadPlace}).
 *
 * <p>Thread safety: safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel goes to its pipeline
public final class BlockServer implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(BlockServer.class);

  private static final int LOW_WATER_BYTES = 512 << 10;
  private static final int HIGH_WATER_BYTES = 2 << 20;

  /** Most volumes that are being created at the same time, each by another identity. */
  private static final int CREATORS = 4;

  /** Most threads that wait for media; each concurrent read of a connection uses one. */
  private static final int MOST_STORE_THREADS = 64;

  private static final int IDLE_SECONDS = 60;
  private static final long POLL_NANOS = 2_000_000;
  private static final long STOP_NANOS = 10_000_000_000L;

  private final ServerConfig config;
  private final ThreadPoolExecutor threads;
  private final ThreadPoolExecutor creators;
  private final ServerContext context;
  private final Listener listener;
  private boolean closed;
  private volatile boolean drained;

  private BlockServer(ServerConfig config) throws IOException {
    this.config = config;
    int processors = Runtime.getRuntime().availableProcessors();
    int reads = Math.min(MOST_STORE_THREADS, config.limits().reads().atATime());
    threads = newPool("roram-store", Math.max(reads, 2 * processors));
    creators = newPool("roram-create", CREATORS);
    ServerLimits limits = config.limits();
    Volumes volumes = openVolumes();
    MemoryBudget budget = new MemoryBudget(limits.totalBufferBytes());
    context =
        new ServerContext(
            config,
            new SecureRandom().nextLong(),
            volumes,
            threads,
            new SerialExecutor(threads),
            budget,
            new CacheBudget(limits.reads().cacheBytes(), config.observer()),
            new UnfinishedFrames(budget, limits.totalBufferBytes()),
            new RequestsInFlight());
    listener = listen(Math.max(1, processors / 2));
  }

  private static ThreadPoolExecutor newPool(String name, int most) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory(name, true));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private Volumes openVolumes() throws IOException {
    try {
      return new Volumes(
          config.backing(),
          threads,
          creators,
          config.timeouts().lease(),
          config.nanoClock(),
          config.limits().volumes(),
          config.observer());
    } catch (IOException | RuntimeException e) {
      stopPools();
      throw e;
    }
  }

  /**
   * Starts a server.
   *
   * @throws IOException if it cannot listen at the configured address
   */
  public static BlockServer start(ServerConfig config) throws IOException {
    return new BlockServer(config);
  }

  /** Returns the address that it listens at. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.address();
  }

  /** Returns whether it was closed and finished everything that was in flight then. */
  public boolean isDrained() {
    return drained;
  }

  /** Returns the number of connections. */
  public int connections() {
    return listener.connections();
  }

  /** Ends all connections without answering their requests: clients reconnect and repeat them. */
  public void disconnectAll() {
    listener.disconnectAll();
  }

  /** Returns the bytes received and not yet stored, and read and not yet sent. */
  public long bufferedBytes() {
    return context.budget().usedBytes();
  }

  /**
   * Accepts no more requests, finishes those in flight within the {@linkplain ServerTimeouts#drain
   * time limit}, syncs all volumes and closes them.
   */
  @Override
  public void close() {
    shutDown(config.timeouts().drain(), true);
  }

  /** Drops everything, as if the process had been killed: nothing is finished or synced. */
  public void abort() {
    shutDown(Duration.ZERO, false);
  }

  @Override
  public String toString() {
    return "block server at " + address() + ", " + config.backing();
  }

  private Listener listen(int loops) throws IOException {
    ServerLimits limits = config.limits();
    Admission admission = new Admission(limits.maxConnections(), limits.handshakes());
    try {
      return new Listener(
          "roram-server",
          loops,
          config.listen(),
          admission,
          config.sslContext(),
          config.observer(),
          this::serve);
    } catch (IOException e) {
      stopPools();
      throw e;
    }
  }

  private void serve(Channel channel, Admission.Visitor visitor) {
    channel
        .config()
        .setWriteBufferWaterMark(new WriteBufferWaterMark(LOW_WATER_BYTES, HIGH_WATER_BYTES));
    FrameDecoder decoder = new FrameDecoder(Handshake.MAX_HELLO_BYTES);
    channel.pipeline().addLast(decoder, new ConnectionHandler(context, channel, decoder, visitor));
  }

  private synchronized void shutDown(Duration bound, boolean sync) {
    if (closed) {
      return;
    }
    closed = true;
    boolean answered = listener.drain(context.underWay(), bound);
    // Stores first, since what they have done is told on the event loops.
    stopPools();
    listener.close();
    drained = context.volumes().close(sync) && answered && sync;
  }

  private void stopPools() {
    long deadline = System.nanoTime() + STOP_NANOS;
    while (isBusy() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(POLL_NANOS);
    }
    if (isBusy()) {
      LOG.warn("a store did not finish its requests in time");
    }
    creators.shutdown();
    threads.shutdown();
  }

  private boolean isBusy() {
    return isBusy(creators) || isBusy(threads);
  }

  private static boolean isBusy(ThreadPoolExecutor pool) {
    return pool.getActiveCount() > 0 || !pool.getQueue().isEmpty();
  }

  /**
   * State that the connections of a server share.
   *
   * @param config the server's configuration
   * @param serverId id of this process
   * @param volumes the volumes
   * @param threads threads that use stores
   * @param catalog executor that looks up volumes, one request after another
   * @param budget memory in flight
   * @param cacheBudget memory for top levels
   * @param unfinishedFrames frames that have arrived in part
   * @param underWay whether new requests are accepted, and how many are in flight
   */
  record ServerContext(
      ServerConfig config,
      long serverId,
      Volumes volumes,
      Executor threads,
      SerialExecutor catalog,
      MemoryBudget budget,
      CacheBudget cacheBudget,
      UnfinishedFrames unfinishedFrames,
      RequestsInFlight underWay) {

    void refuseWhileDraining() throws RequestException {
      if (underWay.isDraining()) {
        throw new RequestException(ErrorCode.DRAINING, "the server is shutting down");
      }
    }
  }
}
