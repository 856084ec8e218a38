package io.github.roram.bench.device;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.bench.ResourceStack;
import io.github.roram.bench.device.Exports.DirectLoad.OverlappingLoad;
import io.github.roram.bench.device.FioLoad.Processes;
import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.github.roram.crypto.MasterKey;
import io.github.roram.nbd.Export;
import io.github.roram.nbd.NbdConfig;
import io.github.roram.nbd.NbdServer;
import io.github.roram.nbd.OramDevice;
import io.github.roram.open.Orams;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A device that is served at a Unix socket, and what is below it: a file and LUKS by nbdkit, ORAMs
 * in files by this project's server. Gone when closed. Not thread safe.
 */
final class Exports implements Closeable {

  private static final int LUKS_TRIES = 5;

  /** Accesses that overlap, where a scheme can; as {@code roram nbd} has it. */
  private static final int IN_FLIGHT = 16;

  private final ResourceStack open = new ResourceStack();
  private final Path directory;
  private final Path socket;
  private final TakenAnswers answers = new TakenAnswers();
  private @Nullable Oram oram;

  /** The same, where its accesses overlap. */
  private @Nullable AsyncOram overlapping;

  private Exports(Path parent) throws IOException {
    directory = Files.createTempDirectory(parent.toAbsolutePath(), "device");
    open.push(() -> Files.delete(directory));
    // A socket's path is short, and results may lie deep.
    Path sockets = Files.createTempDirectory("nbd");
    socket = sockets.resolve("s");
    open.push(() -> Files.delete(sockets));
  }

  /** Returns an export of a plain file of zeros, written once. */
  static Exports raw(Path parent, long bytes) throws IOException {
    Exports exports = new Exports(parent);
    Path file = exports.file(bytes);
    exports.serve(List.of("file", file.toString()));
    return exports;
  }

  /** Returns the same under dm-crypt's format. */
  static Exports luks(Path parent, long bytes) throws IOException {
    Exports exports = new Exports(parent);
    Path file = exports.directory.resolve("luks");
    makeLuks(file, bytes);
    exports.open.push(() -> Files.delete(file));
    exports.serve(List.of("--filter=luks", "file", file.toString(), "passphrase=secret"));
    return exports;
  }

  /** Creates a LUKS file. qemu-img measures its own speed, and occasionally fails at that. */
  private static void makeLuks(Path file, long bytes) throws IOException {
    List<String> command =
        List.of(
            "qemu-img",
            "create",
            "-q",
            "-f",
            "luks",
            "--object",
            "secret,id=s,data=secret",
            "-o",
            "key-secret=s,iter-time=10,cipher-alg=aes-256,cipher-mode=xts",
            file.toString(),
            Long.toString(bytes));
    for (int tries = 1; ; tries++) {
      try {
        Processes.run(command);
        return;
      } catch (IOException e) {
        if (tries == LUKS_TRIES) {
          throw e;
        }
        Files.deleteIfExists(file);
      }
    }
  }

  /** Returns an export of an ORAM, all of which is written. */
  static Exports oram(Path parent, OramConfig config, Durability durability) throws IOException {
    Exports exports = new Exports(parent);
    String uri = "file:" + exports.directory.resolve("store");
    OpenOptions options =
        OpenOptions.defaults().withDurability(durability).withTrims(true).withInFlight(IN_FLIGHT);
    try (MasterKey key = MasterKey.generate()) {
      Roram at = Roram.at(uri).key(Key.of(key)).options(options);
      exports.oram = at.create(config);
      exports.open.push(at::delete);
    }
    exports.open.push(exports.answers);
    exports.open.push(exports.oram);
    OramDevice device = exports.device(exports.oram);
    exports.open.push(device);
    exports.open.push(
        NbdServer.start(
            new NbdConfig(
                UnixDomainSocketAddress.of(exports.socket),
                List.of(new Export("", "", false, device)),
                NbdConfig.defaultLimits(),
                null,
                false)));
    return exports;
  }

  /** Returns the device as {@code roram nbd} serves it, while nobody calls the ORAM directly. */
  private OramDevice device(Oram served) {
    if (!Orams.overlaps(served)) {
      return OramDevice.over(served, -1);
    }
    AsyncOram async = Orams.async(served, answers);
    overlapping = async;
    return new OramDevice(async, -1);
  }

  private Path file(long bytes) throws IOException {
    Path file = directory.resolve("raw");
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.setLength(bytes);
    }
    open.push(() -> Files.delete(file));
    return file;
  }

  private void serve(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("nbdkit", "-f", "-U", socket.toString()));
    command.addAll(arguments);
    Process process = Processes.start(command);
    open.push(
        () -> {
          process.destroy();
          process.onExit().join();
          Files.deleteIfExists(socket);
        });
    while (!Files.exists(socket)) {
      if (!process.isAlive()) {
        throw new IOException(command + " ended; is nbdkit installed?");
      }
      Thread.onSpinWait();
    }
  }

  String uri() {
    return "nbd+unix:///?socket=" + socket;
  }

  /** Calls the ORAM directly, as the device calls it. */
  FioLoad.LoadOutcome direct(FioLoad load, int seconds) throws IOException {
    if (overlapping != null) {
      answers.byThread(true);
      try {
        return new OverlappingLoad(overlapping, IN_FLIGHT, load).run(seconds);
      } finally {
        answers.byThread(false);
      }
    }
    return DirectLoad.run(Objects.requireNonNull(oram, "no ORAM is served"), load, seconds);
  }

  static boolean canServeFiles() {
    return new File("/usr/sbin/nbdkit").canExecute() || new File("/usr/bin/nbdkit").canExecute();
  }

  @Override
  public void close() throws IOException {
    open.close();
  }

  /**
   * Completes the futures of an ORAM: either on the ORAM's own thread, as for a device, which
   * passes answers on; or on another thread, as an ORAM that is called directly does by default.
   * Change it only while no call is in flight.
   */
  static final class TakenAnswers implements Executor, Closeable {

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private volatile boolean byThread;

    /** Sets whether another thread completes them. */
    void byThread(boolean isIt) {
      byThread = isIt;
    }

    @Override
    public void execute(Runnable answer) {
      if (byThread) {
        thread.execute(answer);
      } else {
        answer.run();
      }
    }

    @Override
    public void close() {
      thread.shutdown();
    }
  }

  /** The library called directly, by as many threads as requests are in flight. */
  static final class DirectLoad {

    private DirectLoad() {}

    static FioLoad.LoadOutcome run(Oram oram, FioLoad load, int seconds) throws IOException {
      long start = System.nanoTime();
      long end = start + seconds * 1_000_000_000L;
      ExecutorService threads = Executors.newFixedThreadPool(load.depth());
      try {
        List<Callable<long[]>> callers = new ArrayList<>();
        for (int i = 0; i < load.depth(); i++) {
          SplittableRandom random = new SplittableRandom(i);
          callers.add(() -> call(oram, load, random, end));
        }
        List<long[]> times = new ArrayList<>();
        for (Future<long[]> each : threads.invokeAll(callers)) {
          times.add(each.get());
        }
        return FioLoad.LoadOutcome.of(
            load, start, times.stream().flatMapToLong(Arrays::stream).toArray());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      } catch (ExecutionException e) {
        throw new IOException(e.getCause());
      } finally {
        threads.shutdownNow();
      }
    }

    /** Nanoseconds of each access. */
    private static long[] call(Oram oram, FioLoad load, SplittableRandom random, long end)
        throws IOException {
      long[] times = new long[1 << 10];
      int count = 0;
      ByteBuffer buffer = ByteBuffer.allocate(load.blockBytes());
      long blocks = oram.config().blocks();
      for (long now = System.nanoTime(); now < end; ) {
        long offset = random.nextLong(blocks) * oram.config().blockBytes();
        buffer.clear();
        if (load.writes()) {
          oram.updateBytes(offset, 1, buffer);
        } else {
          oram.readBytes(offset, 1, buffer);
        }
        long later = System.nanoTime();
        if (count == times.length) {
          times = Arrays.copyOf(times, 2 * count);
        }
        times[count++] = later - now;
        now = later;
      }
      return Arrays.copyOf(times, count);
    }

    /**
     * An asynchronous ORAM called directly, as the device calls it: who is answered makes the next
     * call; beyond what the ORAM has room for, calls wait in a queue. One run each.
     */
    static final class OverlappingLoad {

      private final AsyncOram oram;
      private final int inFlight;
      private final FioLoad load;
      private final SplittableRandom random = new SplittableRandom(1);
      private final CompletableFuture<Void> ended = new CompletableFuture<>();

      /** When calls began to wait. */
      private final Queue<Long> waiting = new ArrayDeque<>();

      private long endNanos;
      private long[] times = new long[1 << 10];
      private int count;
      private int underWay;
      private @Nullable Throwable failure;

      /**
       * Creates a load that has not begun.
       *
       * @param inFlight number of calls that the ORAM has room for
       */
      OverlappingLoad(AsyncOram oram, int inFlight, FioLoad load) {
        this.oram = oram;
        this.inFlight = inFlight;
        this.load = load;
      }

      /** Makes calls for a time; those that are under way then are waited for. */
      FioLoad.LoadOutcome run(int seconds) throws IOException {
        long start = System.nanoTime();
        endNanos = start + seconds * 1_000_000_000L;
        synchronized (this) {
          for (int i = 0; i < load.depth(); i++) {
            waiting.add(start);
          }
        }
        for (int i = 0; i < Math.min(inFlight, load.depth()); i++) {
          callNext();
        }
        ended.join();
        synchronized (this) {
          if (failure != null) {
            throw new IOException(failure);
          }
          return FioLoad.LoadOutcome.of(load, start, Arrays.copyOf(times, count));
        }
      }

      private void callNext() {
        long began;
        long offset;
        synchronized (this) {
          began = waiting.remove();
          offset = random.nextLong(oram.config().blocks()) * oram.config().blockBytes();
          underWay++;
        }
        ByteBuffer buffer = ByteBuffer.allocate(load.blockBytes());
        CompletableFuture<Void> unused =
            (load.writes()
                    ? oram.updateBytes(offset, 1, buffer)
                    : oram.readBytes(offset, 1, buffer))
                .whenComplete((nothing, thrown) -> answered(began, thrown));
      }

      private void answered(long began, @Nullable Throwable thrown) {
        if (goesOn(began, thrown)) {
          callNext();
        }
      }

      private synchronized boolean goesOn(long began, @Nullable Throwable thrown) {
        long now = System.nanoTime();
        if (count == times.length) {
          times = Arrays.copyOf(times, 2 * count);
        }
        times[count++] = now - began;
        failure = thrown == null ? failure : thrown;
        underWay--;
        if (now < endNanos && failure == null) {
          waiting.add(now);
          return true;
        }
        if (underWay == 0) {
          ended.complete(null);
        }
        return false;
      }
    }
  }
}
