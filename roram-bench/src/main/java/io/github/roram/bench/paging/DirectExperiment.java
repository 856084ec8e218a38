package io.github.roram.bench.paging;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Experiment.Output;
import io.github.roram.bench.experiment.Experiment.Results;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.paging.DirectExperiment.BlockLoad.Pattern;
import io.github.roram.bench.paging.PageContender.PageExperiment;
import io.github.roram.bench.paging.PageContender.Pages;
import io.github.roram.bench.replay.StoredTarget;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import io.github.roram.paging.PageStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.IoCounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Single blocks of schemes on files, by direct calls of the library, against a disk whose blocks
 * are sealed one by one. Measured through the page cache of this machine, whatever devices were
 * chosen; next to other experiments only where what is measured was chosen.
 */
public final class DirectExperiment extends PageExperiment {

  static final String ID = "direct-blocks";
  static final String SPEED = "direct-blocks-speed";
  static final String ALL = "direct-blocks-all";

  private static final double BYTES_PER_MB = 1e6;

  /** Trees take this many times longer, and are measured with as many times fewer accesses. */
  private static final int TREE_SHARE = 10;

  private static final double WORK_OF_ACCESS = 100;

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public DirectExperiment() {
    super(ID, "single blocks by direct calls, on files, against a sealed disk");
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    long blocks = options.scale().measuredBlocks();
    int most = options.scale().pick(40, 30_000, 100_000, 300_000);
    List<Job> jobs = new ArrayList<>();
    if (!isWanted(options)) {
      return jobs;
    }
    for (PageContender contender : contenders()) {
      int accesses = contender.isTree() ? most / TREE_SHARE : most;
      BlockLoad load = new BlockLoad(blocks, accesses);
      Point.Key key =
          options.key(
              ID,
              true,
              contender.id(),
              "blocks",
              run,
              BlockLoad.describe(contender, blocks),
              accesses);
      double work = WORK_OF_ACCESS * (blocks + (double) Pattern.values().length * accesses);
      jobs.add(Job.alone(key, work, alive -> load.run(key, contender, options.directory(), alive)));
    }
    return jobs;
  }

  @Override
  List<PageContender> contenders() {
    return PageContender.ofDirectCalls();
  }

  @Override
  public List<Output> outputs() {
    return List.of(
        Output.figure(
                new FigureStyle(
                    SPEED,
                    "Single blocks, called directly",
                    "",
                    "Blocks of 4 KiB, one at a time",
                    "MB/s",
                    FigureStyle.Kind.BARS),
                results -> speeds(results.points()))
            .unlessEmpty(Results::points),
        Output.table(
                TableStyle.open(
                    ALL,
                    "Single blocks on files, called directly",
                    "Blocks of 4 KiB, one at a time, through the page cache, on a device that was"
                        + " written once from end to end. The sealed disk, with which each takes"
                        + " turns, hides nothing and has no journal; schemes with a journal have"
                        + " durability os. The published DetWoORAM, without authentication and"
                        + " behind NBD, wrote 7 to 9 MiB/s at random and 12 to 17 in order, and read"
                        + " 21 to 25 and 160 to 190."),
                results -> table(results.points()))
            .unlessEmpty(Results::points));
  }

  private static List<Series> speeds(List<Point> points) {
    return Stream.of(Pattern.values())
        .flatMap(
            pattern ->
                Averages.series(pattern.isWriting() ? "writes" : "reads", points, speed(pattern))
                    .stream()
                    .map(row -> row.at(pattern.id())))
        .toList();
  }

  /** Megabytes a second. */
  private static ToDoubleFunction<Point> speed(Pattern pattern) {
    return point -> bytes(point) / point.figure(pattern.secondsFigure()) / BYTES_PER_MB;
  }

  /** Returns the bytes of a pattern. */
  private static double bytes(Point point) {
    return (double) point.key().amount() * PageContender.PAGE_BYTES;
  }

  private static Table table(List<Point> points) {
    List<String> columns = new ArrayList<>(List.of("scheme"));
    for (Pattern pattern : Pattern.values()) {
      columns.add(pattern.id() + " MB/s");
      columns.add(pattern.id() + " a second");
      columns.add("of the disk");
      columns.add("bytes moved a byte");
      columns.add("bytes written a byte");
    }
    return new Table(columns, Averages.rows(points, DirectExperiment::row));
  }

  private static List<String> row(Averages.PointPlace place, List<Point> runs) {
    List<String> row = new ArrayList<>(List.of(place.contender()));
    for (Pattern pattern : Pattern.values()) {
      double speed = Averages.mean(runs, speed(pattern));
      row.add(Units.number(speed));
      row.add(Units.number(speed * BYTES_PER_MB / PageContender.PAGE_BYTES));
      row.add(Units.number(Averages.mean(runs, p -> ofTheDisk(p, pattern))));
      row.add(Units.number(Averages.mean(runs, p -> p.figure(pattern.movedFigure()) / bytes(p))));
      row.add(Units.number(Averages.mean(runs, p -> p.figure(pattern.writtenFigure()) / bytes(p))));
    }
    return row;
  }

  /** Returns how many times as fast it was as the disk with which it took turns. */
  private static double ofTheDisk(Point point, Pattern pattern) {
    if (point.key().contender().equals(PageContender.SEALED_DISK.id())) {
      return 1;
    }
    return point.figure(pattern.diskSecondsFigure()) / point.figure(pattern.secondsFigure());
  }

  /**
   * Blocks written and read one at a time, in order and at random, on a device that was written
   * once from end to end, each pattern once before any is measured; in turn with as many on a
   * sealed disk, so that whatever else the machine does falls on both. Every answer is checked.
   *
   * @param blocks of the device
   * @param accesses of each pattern
   */
  record BlockLoad(long blocks, int accesses) {

    /** The patterns, in the order in which they run. */
    enum Pattern {
      SEQUENTIAL_WRITES("sequential-writes", false, true),
      RANDOM_WRITES("random-writes", true, true),
      SEQUENTIAL_READS("sequential-reads", false, false),
      RANDOM_READS("random-reads", true, false);

      private final String id;
      private final boolean random;
      private final boolean writes;

      Pattern(String id, boolean random, boolean writes) {
        this.id = id;
        this.random = random;
        this.writes = writes;
      }

      String id() {
        return id;
      }

      boolean isWriting() {
        return writes;
      }

      String secondsFigure() {
        return id + " seconds";
      }

      /**
       * Returns the name of the seconds of equally many accesses to the sealed disk, in turn with
       * them.
       */
      String diskSecondsFigure() {
        return id + " disk seconds";
      }

      String movedFigure() {
        return id + " bytes moved";
      }

      String writtenFigure() {
        return id + " bytes written";
      }
    }

    private static final double NANOS_PER_SECOND = 1e9;
    private static final int ACCESSES_BETWEEN_SIGNS = 16;

    /** Accesses of a device before it is the disk's turn. */
    private static final int TURN = 500;

    Point run(Point.Key key, PageContender contender, Path directory, Runnable alive)
        throws IOException {
      String uri = fresh(directory, "store");
      String diskUri = fresh(directory, "disk");
      Map<String, Double> figures = new HashMap<>();
      double seconds = 0;
      try (Pages device = create(contender, uri, blocks);
          Pages disk = create(PageContender.SEALED_DISK, diskUri, blocks)) {
        Content[] both = {filled(device, alive), filled(disk, alive)};
        SplittableRandom random = new SplittableRandom(key.run());
        for (Pattern pattern : Pattern.values()) {
          accessInTurn(both, pattern, random, alive);
        }
        device.pages().flush();
        disk.pages().flush();
        for (Pattern pattern : Pattern.values()) {
          device.store().reset();
          long[] nanos = accessInTurn(both, pattern, random, alive);
          double took = nanos[0] / NANOS_PER_SECOND;
          IoCounts io = device.store().total();
          figures.put(pattern.secondsFigure(), took);
          figures.put(pattern.diskSecondsFigure(), nanos[1] / NANOS_PER_SECOND);
          figures.put(pattern.movedFigure(), (double) io.bytes());
          figures.put(pattern.writtenFigure(), (double) io.bytesWritten());
          seconds += took;
        }
      }
      int all = Pattern.values().length * accesses;
      return Point.counted(key, all, all, seconds, Map.of()).withFigures(figures);
    }

    private static Pages create(PageContender contender, String uri, long blocks)
        throws IOException {
      OpenOptions open =
          contender.isOram()
              ? OpenOptions.defaults().withDurability(durability(contender))
              : OpenOptions.defaults();
      return contender.create(uri, blocks, OramConfig.builder(blocks), open);
    }

    /**
     * Returns a durability with which acknowledged writes survive the process, if there is a
     * journal.
     */
    private static Durability durability(PageContender contender) {
      boolean journal = Scheme.of(contender.scheme()).traits().contains(Scheme.Trait.JOURNALLED);
      return journal ? Durability.OS : Durability.NONE;
    }

    /** Returns all parameters, which distinguish points. */
    static String describe(PageContender contender, long blocks) {
      return contender.isOram()
          ? contender.config(OramConfig.builder(blocks)) + " " + durability(contender)
          : "sealed blocks=" + blocks;
    }

    /** Returns the URI of an unused place. */
    private static String fresh(Path directory, String name) throws IOException {
      String uri = StoredTarget.uriBelow(directory, name);
      // An interrupted experiment may have left it.
      Stores.deleteIfThere(uri, StoreOptions.defaults());
      return uri;
    }

    private Content filled(Pages device, Runnable alive) throws IOException {
      Content content = new Content(device.pages(), (int) blocks);
      for (long block = 0; block < blocks; block++) {
        content.write(block);
        alive.run();
      }
      return content;
    }

    /** Nanoseconds of all accesses, on each device. */
    private long[] accessInTurn(
        Content[] devices, Pattern pattern, SplittableRandom random, Runnable alive)
        throws IOException {
      long[] nanos = new long[devices.length];
      for (int done = 0; done < accesses; done += TURN) {
        int end = Math.min(accesses, done + TURN);
        for (int i = 0; i < devices.length; i++) {
          nanos[i] += access(devices[i], pattern, random, done, end, alive);
        }
      }
      return nanos;
    }

    private long access(
        Content content,
        Pattern pattern,
        SplittableRandom random,
        int first,
        int end,
        Runnable alive)
        throws IOException {
      long nanos = 0;
      for (int i = first; i < end; i++) {
        long block = pattern.random ? random.nextLong(blocks) : i % blocks;
        nanos += pattern.writes ? content.write(block) : content.read(block);
        if (i % ACCESSES_BETWEEN_SIGNS == 0) {
          alive.run();
        }
      }
      return nanos;
    }

    /** What every block holds: its number, and how often it was written. */
    private static final class Content {
      private final PageStore blocks;
      private final long[] versions;
      private final byte[] bytes;
      private final ByteBuffer buffer;

      Content(PageStore blocks, int count) {
        this.blocks = blocks;
        versions = new long[count];
        bytes = new byte[blocks.pageBytes()];
        buffer = ByteBuffer.wrap(bytes);
      }

      long write(long block) throws IOException {
        long version = ++versions[(int) block];
        buffer.putLong(0, block).putLong(buffer.capacity() - Long.BYTES, version);
        long start = System.nanoTime();
        blocks.write(block, bytes);
        return System.nanoTime() - start;
      }

      long read(long block) throws IOException {
        long start = System.nanoTime();
        blocks.read(block, bytes);
        long nanos = System.nanoTime() - start;
        if (buffer.getLong(0) != block
            || buffer.getLong(buffer.capacity() - Long.BYTES) != versions[(int) block]) {
          throw new IllegalStateException(
              "block " + block + " was answered wrong; this is a bug, please report it");
        }
        return nanos;
      }
    }
  }
}
