package io.github.roram.bench.device;

import io.github.roram.Durability;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.bench.device.FioLoad.Processes;
import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.report.Chapter.FigureStyle;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Block devices under fio: a raw file, LUKS, Path ORAM, rORAM with one and two trees, DetWoORAM
 * where it is there, all over NBD at a Unix socket; and the library called directly. Measured on
 * this machine's disk alone, through the page cache, as people use it.
 */
public final class DeviceExperiment extends NamedExperiment {

  /** The random loads of this depth are run before anything is measured. */
  private static final int WARM_UP_DEPTH = 16;

  private static final String ID = "device";
  private static final String P99 = "/p99";
  private static final String DIRECT = "-direct";
  private static final String DETWO = "detwo";
  private static final double WORK = 1e6;

  /**
   * A device to serve.
   *
   * @param beside whether the library is also called directly, in turn
   */
  private record Contestant(
      String id, boolean beside, @Nullable OramConfig config, Durability mode) {

    String directId() {
      return id + DIRECT;
    }

    List<String> ids() {
      return beside ? List.of(id, directId()) : List.of(id);
    }
  }

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public DeviceExperiment() {
    super(ID, "a block device under fio (with --device measured; needs fio, nbdkit and qemu-img)");
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    List<Job> jobs = new ArrayList<>();
    if (!options.media().contains(ExperimentDevice.MEASURED)
        || !FioLoad.isThere()
        || !Exports.canServeFiles()) {
      return jobs;
    }
    for (Contestant each : contestants(blocks(options))) {
      jobs.add(job(each, options, run));
    }
    return jobs;
  }

  private static long blocks(ExperimentOptions options) {
    return options.scale().pick(1L << 12, 1L << 15, 1L << 18, 1L << 20);
  }

  private static List<Contestant> contestants(long blocks) {
    OramConfig two = OramConfig.builder(blocks).build();
    OramConfig one = OramConfig.builder(blocks).trees(0).build();
    OramConfig path = OramConfig.builder(blocks).scheme("path").build();
    List<Contestant> all = new ArrayList<>();
    if (Scheme.all().stream().anyMatch(scheme -> scheme.id().equals(DETWO))) {
      // Hides writes from an observer who sees the disk's content, and nothing from one who sees
      // reads.
      OramConfig detwo =
          OramConfig.builder(blocks).scheme(DETWO).set("adversary", "snapshots").build();
      all.add(new Contestant("detwo-snapshots", true, detwo, Durability.FLUSH));
    }
    all.addAll(othersOf(two, one, path));
    return all;
  }

  private static List<Contestant> othersOf(OramConfig two, OramConfig one, OramConfig path) {
    return List.of(
        new Contestant("raw", false, null, Durability.NONE),
        new Contestant("luks", false, null, Durability.NONE),
        new Contestant("path", false, path, Durability.NONE),
        new Contestant("roram-1", true, one, Durability.FLUSH),
        new Contestant("roram-1-sync", true, one, Durability.SYNC),
        new Contestant("roram-2", true, two, Durability.FLUSH),
        new Contestant("roram-2-sync", true, two, Durability.SYNC));
  }

  @Override
  public Set<String> choices() {
    return contestants(1L << 12).stream()
        .flatMap(contestant -> contestant.ids().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Job job(Contestant contestant, ExperimentOptions options, int run) {
    long bytes = blocks(options) * 4096;
    int rounds = options.scale().pick(1, 3, 5, 5);
    int seconds = options.scale().pick(1, 1, 5, 20);
    Job.Builder<DeviceRounds> job =
        Job.on(WORK, alive -> open(contestant, options, bytes, rounds, seconds));
    for (FioLoad load : FioLoad.ALL) {
      for (String id : contestant.ids()) {
        boolean direct = !id.equals(contestant.id());
        if (direct && !load.isRandom()) {
          continue;
        }
        Point.Key rate = key(contestant, id, options, load.id(), run, seconds);
        Point.Key tail = key(contestant, id, options, load.id() + P99, run, seconds);
        job.step(
            rate,
            WORK,
            (open, alive) -> {
              FioLoad.LoadOutcome made = open.outcome(load, direct);
              return Point.counted(
                  rate, made.requests(), made.bytes() / 4096, made.seconds(), Map.of());
            });
        // The time of the slowest, of the same rounds.
        job.step(
            tail,
            1,
            (open, alive) ->
                Point.counted(tail, 1, 0, open.outcome(load, direct).p99Seconds(), Map.of()));
      }
    }
    return job.build();
  }

  /** Opens a device that is served, filled and warm. */
  private static DeviceRounds open(
      Contestant contestant, ExperimentOptions options, long bytes, int rounds, int seconds)
      throws IOException {
    Files.createDirectories(options.directory());
    Exports exports = open(contestant, options, bytes);
    DeviceRounds open = new DeviceRounds(exports, bytes, rounds, seconds, contestant.beside());
    fill(exports, bytes);
    for (FioLoad load : FioLoad.ALL) {
      if (load.isRandom() && load.depth() == WARM_UP_DEPTH) {
        open.warmUp(load);
      }
    }
    return open;
  }

  private static Point.Key key(
      Contestant contestant, String id, ExperimentOptions options, String x, int run, int seconds) {
    String config = contestant.config() + " " + contestant.mode();
    return options.key(ID, true, id, x, run, config, seconds);
  }

  private static Exports open(Contestant contestant, ExperimentOptions options, long bytes)
      throws IOException {
    OramConfig config = contestant.config();
    if (config != null) {
      return Exports.oram(options.directory(), config, contestant.mode());
    }
    return contestant.id().equals("raw")
        ? Exports.raw(options.directory(), bytes)
        : Exports.luks(options.directory(), bytes);
  }

  /** Writes every block once. */
  private static void fill(Exports exports, long bytes) throws IOException {
    Processes.run(
        List.of(
            "fio",
            "--name=fill",
            "--ioengine=nbd",
            "--uri=" + exports.uri(),
            "--rw=write",
            "--bs=1M",
            "--iodepth=4",
            "--size=" + bytes));
  }

  @Override
  public List<Output> outputs() {
    return List.of(
        figure(
            ID,
            "A block device under fio",
            "Requests a second",
            false,
            point -> point.queries() / point.seconds()),
        figure(
            ID + "-p99",
            "Time of 99 of 100 requests at most",
            "Milliseconds",
            true,
            point -> 1e3 * point.seconds()));
  }

  private static Output figure(
      String id, String title, String yAxis, boolean tail, ToDoubleFunction<Point> value) {
    return Output.figure(
        new FigureStyle(id, title, "", "Load", yAxis, FigureStyle.Kind.BARS),
        results ->
            Averages.series(
                "measured",
                results.points().stream().filter(p -> p.key().x().endsWith(P99) == tail).toList(),
                value));
  }

  /**
   * Runs loads over NBD and, if possible, on the library called directly: in turn, so that other
   * work of the machine affects both alike. The round with the median rate counts. Not thread safe.
   */
  static final class DeviceRounds implements Closeable {

    /**
     * DeviceRounds of warm-up at most; it ends before, once a round is hardly faster than the best.
     */
    private static final int WARM_UP_ROUNDS = 8;

    private static final int WARM_UP_SECONDS = 2;
    private static final double HARDLY_FASTER = 1.05;

    private final Exports exports;
    private final long deviceBytes;
    private final int rounds;
    private final int seconds;
    private final boolean beside;

    private @Nullable Medians last;

    /** Median results of a load. */
    private record Medians(
        FioLoad load, FioLoad.LoadOutcome overNbd, FioLoad.@Nullable LoadOutcome direct) {}

    /**
     * Creates rounds, of which none was run.
     *
     * @param rounds number of rounds, odd
     * @param seconds duration of a round
     * @param beside whether the library is also called directly, in turn, with random loads
     */
    DeviceRounds(Exports exports, long deviceBytes, int rounds, int seconds, boolean beside) {
      this.exports = exports;
      this.deviceBytes = deviceBytes;
      this.rounds = rounds;
      this.seconds = seconds;
      this.beside = beside;
    }

    /** Returns what fio was answered; or, for a random load, direct calls. */
    FioLoad.LoadOutcome outcome(FioLoad load, boolean direct) throws IOException {
      Medians measured = measured(load);
      return direct
          ? Objects.requireNonNull(measured.direct, "no direct calls were made")
          : measured.overNbd;
    }

    private Medians measured(FioLoad load) throws IOException {
      if (last == null || !last.load.equals(load)) {
        last = measure(load);
      }
      return last;
    }

    private Medians measure(FioLoad load) throws IOException {
      List<FioLoad.LoadOutcome> served = new ArrayList<>();
      List<FioLoad.LoadOutcome> called = new ArrayList<>();
      for (int i = 0; i < rounds; i++) {
        served.add(load.run(exports.uri(), deviceBytes, seconds));
        if (beside && load.isRandom()) {
          called.add(exports.direct(load, seconds));
        }
      }
      return new Medians(load, median(served), called.isEmpty() ? null : median(called));
    }

    private static FioLoad.LoadOutcome median(List<FioLoad.LoadOutcome> outcomes) {
      outcomes.sort(Comparator.comparingDouble(FioLoad.LoadOutcome::rate));
      return outcomes.get(outcomes.size() / 2);
    }

    /**
     * Runs a load first, so that the contestant that is measured first does not pay for compiling
     * what all of them use.
     */
    void warmUp(FioLoad load) throws IOException {
      double best = 0;
      for (int i = 0; i < WARM_UP_ROUNDS; i++) {
        double rate = load.run(exports.uri(), deviceBytes, WARM_UP_SECONDS).rate();
        if (rate < HARDLY_FASTER * best) {
          break;
        }
        best = rate;
      }
      if (beside) {
        FioLoad.LoadOutcome unused = exports.direct(load, WARM_UP_SECONDS);
      }
    }

    @Override
    public void close() throws IOException {
      exports.close();
    }
  }
}
