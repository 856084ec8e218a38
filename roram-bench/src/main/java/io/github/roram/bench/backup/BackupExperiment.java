package io.github.roram.bench.backup;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.bench.ResourceStack;
import io.github.roram.bench.backup.StoreExperiment.Callers;
import io.github.roram.bench.experiment.ExperimentOptions.Scale;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.replay.DeviceContents;
import io.github.roram.bench.replay.DeviceContents.DevicePattern;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.client.Backup;
import io.github.roram.client.BackupPoint;
import io.github.roram.client.Roram;
import io.github.roram.engine.StoreLog;
import io.github.roram.open.Orams;
import io.github.roram.threads.IoTask;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Measures the cost of backups, in files on this machine. Under a load of eight clients: accesses
 * per second during a backup compared with those before and after it, in several rounds, because
 * the speed of shared disks changes from one minute to the next; and the bytes copied compared with
 * those that had to be copied. At rest: backup, restore and clone compared with plain copies of the
 * same bytes, in turn.
 */
public final class BackupExperiment extends StoreExperiment {

  static final String ID = "backups";

  private static final int CLIENTS = 8;
  private static final int COPY_BYTES = 1 << 20;

  private static final OpenOptions USE =
      OpenOptions.defaults().withDurability(Durability.FLUSH).withInFlight(CLIENTS);

  /** Ratios, of a round each. */
  private enum Ratio implements Figure {
    FULL("accesses during a full backup, of those without"),
    INCREMENTAL("accesses during a backup of what changed, of those without"),
    FULL_BYTES("bytes of a full backup, of those that its point has"),
    INCREMENTAL_BYTES("bytes of a backup of what changed, of those that changed"),
    BACKUP("backup at rest, of a plain copy's bytes a second"),
    RESTORE("restore, of a plain copy's bytes a second"),
    CLONE("clone, of a plain copy's bytes of the store a second");

    private final String text;

    Ratio(String text) {
      this.text = text;
    }

    @Override
    public String text() {
      return text;
    }
  }

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public BackupExperiment() {
    super(
        ID,
        "backups under load and at rest, against plain copies (with --device measured)",
        USE,
        Ratio.values());
  }

  /** Returns 1 GiB, except at the smallest scale. */
  @Override
  long blocks(Scale scale) {
    return scale.pick(1L << 10, 1L << 15, 1L << 18, 1L << 18);
  }

  @Override
  DeviceContents contents(long blocks, DevicePattern pattern) {
    return DeviceContents.filled(blocks, pattern);
  }

  @Override
  Point measure(Point.Key key, TriedStore store, Scale scale) throws IOException {
    return new Rounds(store, scale.pick(1, 1, 3, 3), scale.pick(1, 5, 10, 10)).run(key);
  }

  /** One run: a store, under load and at rest. */
  private static final class Rounds {
    private final TriedStore store;
    private final Roram roram;
    private final Path scratch;
    private final Runnable alive;
    private final int rounds;
    private final int seconds;
    private final Map<String, Double> figures = new HashMap<>();

    /** Creates rounds under load, each with periods of {@code seconds} seconds without a backup. */
    Rounds(TriedStore store, int rounds, int seconds) {
      this.store = store;
      this.rounds = rounds;
      this.seconds = seconds;
      roram = store.roram();
      scratch = store.scratch();
      alive = store.alive();
    }

    private void put(Ratio figure, double value) {
      figures.put(figure.name(), value);
    }

    Point run(Point.Key key) throws IOException {
      long accesses;
      try (Oram oram = roram.open();
          Load load = new Load(oram)) {
        // For the compiler, and so that all logs have what evictions write.
        load.during(() -> store.pause(2 * seconds));
        double before = load.during(() -> store.pause(seconds));
        for (int round = 0; round < rounds; round++) {
          Path backups = scratch.resolve("loaded");
          before = underLoad(oram, load, backups, before, Ratio.FULL, Ratio.FULL_BYTES);
          before =
              underLoad(oram, load, backups, before, Ratio.INCREMENTAL, Ratio.INCREMENTAL_BYTES);
          ResourceStack.deleteTree(backups);
        }
        accesses = load.accesses.get();
      }
      return Point.counted(key, accesses, accesses, atRest(), Map.of()).withFigures(figures);
    }

    /**
     * Takes a point.
     *
     * @param before accesses a second before it
     * @return accesses a second after it
     */
    private double underLoad(
        Oram oram, Load load, Path backups, double before, Ratio kept, Ratio bytes)
        throws IOException {
      Backup backup = Backup.in(backups);
      List<BackupPoint> points = List.copyOf(backup.points().values());
      long[] copied = new long[1];
      double during =
          load.during(
              () -> copied[0] = backup.take(oram, "file:" + backups, 2, all -> {}).copiedBytes());
      double after = load.during(() -> store.pause(seconds));
      BackupPoint now = backup.points().lastEntry().getValue();
      List<StoreLog> then = points.isEmpty() ? List.of() : points.get(points.size() - 1).logs();
      add(kept, during / ((before + after) / 2));
      add(bytes, (double) copied[0] / changed(then, now.logs()));
      return after;
    }

    /** Adds the value of a round. */
    private void add(Ratio figure, double value) {
      figures.merge(figure.name(), value / rounds, Double::sum);
    }

    private static long changed(List<StoreLog> before, List<StoreLog> after) {
      long bytes = 0;
      for (int i = 0; i < after.size(); i++) {
        StoreLog log = after.get(i);
        long from = before.isEmpty() ? log.first() : Math.max(log.first(), before.get(i).end());
        bytes += (log.end() - from) * log.unitBytes();
      }
      return bytes;
    }

    /** Measures each operation between two plain copies; returns the seconds of all. */
    private double atRest() throws IOException {
      long begin = System.nanoTime();
      Path place = scratch.resolve("rest");
      Backup backup = Backup.in(place);
      Path pieces = place.resolve("pieces");
      double taken = timed(() -> roram.backUp(backup, 1, bytes -> alive.run()));
      double first = plainCopy(pieces);
      ResourceStack.deleteTree(place);
      taken += timed(() -> roram.backUp(backup, 1, bytes -> alive.run()));
      double second = plainCopy(pieces);
      put(Ratio.BACKUP, (first + second) / taken);
      roram.delete();
      double restored = timed(() -> roram.restore(backup, 0, false, bytes -> alive.run()));
      put(Ratio.RESTORE, (second + plainCopy(pieces)) / (2 * restored));
      double third = plainCopy(scratch.resolve("store"));
      Roram copy = Roram.at("file:" + scratch.resolve("clone")).key(store.locking()).options(USE);
      double cloned =
          timed(
              () ->
                  roram.cloneTo(
                      copy,
                      OptionalLong.empty(),
                      (block, blocks, copyBlocks) -> {},
                      Files.createDirectories(scratch.resolve("aside")),
                      (loading, done, total) -> alive.run()));
      put(Ratio.CLONE, (third + plainCopy(scratch.resolve("store"))) / (2 * cloned));
      return (System.nanoTime() - begin) / NANOS;
    }

    private double plainCopy(Path from) throws IOException {
      Path to = scratch.resolve("plain");
      double seconds = timed(() -> copy(from, to));
      ResourceStack.deleteTree(to);
      return seconds;
    }

    /** Copies through a buffer of 1 MiB and syncs each file, as the other operations do. */
    private void copy(Path from, Path to) throws IOException {
      ByteBuffer buffer = ByteBuffer.allocateDirect(COPY_BYTES);
      try (Stream<Path> files = Files.walk(from)) {
        for (Path file : files.toList()) {
          Path target = to.resolve(from.relativize(file).toString());
          if (Files.isDirectory(file)) {
            Files.createDirectories(target);
          } else {
            copyFile(file, target, buffer);
          }
        }
      }
    }

    private void copyFile(Path file, Path target, ByteBuffer buffer) throws IOException {
      try (FileChannel in = FileChannel.open(file);
          FileChannel out =
              FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        while (in.read(buffer.clear()) >= 0) {
          buffer.flip();
          while (buffer.hasRemaining()) {
            out.write(buffer);
          }
          alive.run();
        }
        out.force(true);
      }
    }
  }

  private static double timed(IoTask timed) throws IOException {
    long begin = System.nanoTime();
    timed.run();
    return (System.nanoTime() - begin) / NANOS;
  }

  /** Clients in a closed loop, half of whose accesses write a block. */
  private static final class Load implements Closeable {
    private final AsyncOram oram;
    private final AtomicLong accesses = new AtomicLong();
    private final Callers clients;

    Load(Oram oram) {
      this.oram = Orams.async(oram, CLIENTS);
      clients = new Callers(CLIENTS, this::client);
    }

    private Runnable client(int number) {
      SplittableRandom random = new SplittableRandom(number);
      ByteBuffer block = ByteBuffer.allocate(oram.config().blockBytes());
      return () -> access(random, block.clear());
    }

    private void access(SplittableRandom random, ByteBuffer block) {
      long number = random.nextLong(oram.config().blocks());
      (random.nextBoolean() ? oram.read(number, 1, block) : oram.write(number, block)).join();
      accesses.incrementAndGet();
    }

    /** Accesses a second while something is done. */
    double during(IoTask timed) throws IOException {
      long before = accesses.get();
      double seconds = timed(timed);
      double rate = (accesses.get() - before) / seconds;
      if (clients.haveFailed()) {
        close();
      }
      return rate;
    }

    @Override
    public void close() throws IOException {
      clients.close();
    }
  }

  @Override
  public List<Output> outputs() {
    return table(
        TableStyle.open(
            ID,
            "What backups cost",
            "In files of this machine, blocks of 4 KB. Under load: eight clients, half of"
                + " their accesses write, durability flush; before, during and after each"
                + " backup, the mean of several. At rest: a plain copy, file by file, each"
                + " forced, before and after. Ratios with 95 % intervals over runs."),
        List.of("blocks", "what", "ratio", "interval"),
        "%.3f");
  }
}
