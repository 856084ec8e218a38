package io.github.roram.bench.backup;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.bench.experiment.Averages;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.replay.DeviceContents;
import io.github.roram.bench.replay.DeviceContents.DevicePattern;
import io.github.roram.bench.report.Chapter.TableStyle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * How long accesses wait while a store is doubled three times under sixteen callers, each of whom
 * checks every answer, against the time before and after: in files on this machine.
 */
public final class GrowthExperiment extends NamedExperiment {

  static final String ID = "growth";

  private static final int CALLERS = 16;
  private static final int DOUBLINGS = 3;
  private static final double WORK = 1e6;
  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e6;

  private static final OpenOptions USE =
      OpenOptions.defaults().withDurability(Durability.FLUSH).withInFlight(CALLERS);

  /** Milliseconds, of a run each. */
  private enum Figure {
    BEFORE("99.9 % of accesses within, before"),
    DURING("99.9 % of accesses within, from each growth's beginning for as long"),
    AFTER("99.9 % of accesses within, in the second half of that time"),
    LONGEST_BEFORE("longest access, before"),
    LONGEST_DURING("longest access, while it grew"),
    GROW("longest of the growths");

    private final String text;

    Figure(String text) {
      this.text = text;
    }

    /** Each by its name. */
    static Map<String, String> texts() {
      Map<String, String> texts = new LinkedHashMap<>();
      for (Figure figure : values()) {
        texts.put(figure.name(), figure.text);
      }
      return texts;
    }
  }

  /** Public for {@link java.util.ServiceLoader}. */
  public GrowthExperiment() {
    super(ID, "accesses while a store is doubled three times (with --device measured)");
  }

  @Override
  public Set<String> choices() {
    return Set.of(ID);
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    if (!options.isMeasured()) {
      return List.of();
    }
    long blocks = options.scale().pick(1L << 10, 1L << 14, 1L << 16, 1L << 18);
    OramConfig config = OramConfig.builder(blocks).maxRangeBlocks(1).trees(0).build();
    Point.Key key = options.key(ID, true, ID, Long.toString(blocks), run, config, 1);
    int seconds = options.scale().pick(1, 6, 6, 20);
    return List.of(
        Job.alone(
            key,
            WORK,
            alive ->
                TriedStore.with(
                    config,
                    USE,
                    DeviceContents.zeros(blocks, new DevicePattern(1, config.blockBytes())),
                    options,
                    alive,
                    store -> grow(key, store, seconds))));
  }

  /** An access: when it began, and how long it took. */
  private record Access(long begin, long nanos) {}

  private static Point grow(Point.Key key, TriedStore store, int seconds) throws IOException {
    try (Oram oram = store.roram().open()) {
      return grow(key, oram, () -> store.pause(seconds));
    }
  }

  private static Point grow(Point.Key key, Oram oram, Runnable pause) throws IOException {
    ConcurrentLinkedQueue<Access> accesses = new ConcurrentLinkedQueue<>();
    AtomicBoolean ended = new AtomicBoolean();
    List<CompletableFuture<Void>> callers = new ArrayList<>();
    for (int caller = 0; caller < CALLERS; caller++) {
      int number = caller;
      callers.add(
          CompletableFuture.runAsync(
              () -> call(oram, number, accesses, ended), command -> start(command)));
    }
    long begin = System.nanoTime();
    List<Long> growths = new ArrayList<>();
    long longest = 0;
    pause.run(); // for the compiler
    long before = System.nanoTime();
    for (int doubling = 0; doubling < DOUBLINGS; doubling++) {
      pause.run();
      long start = System.nanoTime();
      growths.add(start);
      oram.grow(2 * oram.config().blocks());
      longest = Math.max(longest, System.nanoTime() - start);
    }
    pause.run();
    ended.set(true);
    try {
      callers.forEach(CompletableFuture::join);
    } catch (CompletionException e) {
      throw new IOException("an access failed: " + e.getCause(), e);
    }
    double seconds = (System.nanoTime() - begin) / NANOS;
    Map<String, Double> figures = figures(List.copyOf(accesses), before, growths);
    figures.put(Figure.GROW.name(), longest / MILLIS);
    return Point.counted(key, accesses.size(), accesses.size(), seconds, Map.of())
        .withFigures(figures);
  }

  private static Map<String, Double> figures(
      List<Access> accesses, long before, List<Long> growths) {
    Map<String, Double> figures = new HashMap<>();
    long first = growths.get(0);
    long length = first - before;
    List<Long> quiet =
        sorted(accesses, a -> a.begin() - before >= 0 && a.begin() + a.nanos() - first < 0);
    // From a growth on, accesses that it found under way included.
    List<Long> grown =
        sorted(
            accesses,
            a ->
                growths.stream()
                    .anyMatch(g -> a.begin() + a.nanos() - g >= 0 && a.begin() - g < length));
    List<Long> after =
        sorted(
            accesses,
            a ->
                growths.stream()
                    .anyMatch(g -> a.begin() - g >= length / 2 && a.begin() - g < length));
    put(figures, Figure.BEFORE, quiet, 0.999);
    put(figures, Figure.DURING, grown, 0.999);
    put(figures, Figure.AFTER, after, 0.999);
    put(figures, Figure.LONGEST_BEFORE, quiet, 1);
    put(figures, Figure.LONGEST_DURING, grown, 1);
    return figures;
  }

  private static List<Long> sorted(List<Access> accesses, Predicate<Access> which) {
    return accesses.stream().filter(which).map(Access::nanos).sorted().toList();
  }

  private static void put(
      Map<String, Double> figures, Figure figure, List<Long> sorted, double part) {
    int index = (int) Math.min(sorted.size() - 1, Math.floor(part * sorted.size()));
    figures.put(figure.name(), sorted.isEmpty() ? 0 : sorted.get(index) / MILLIS);
  }

  private static void start(Runnable command) {
    Thread thread = new Thread(command, "roram-growth-load");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Blocks number, number + 16 and so on are this caller's: what it wrote last is what it reads.
   */
  private static void call(
      Oram oram, int number, ConcurrentLinkedQueue<Access> accesses, AtomicBoolean ended) {
    SplittableRandom random = new SplittableRandom(number);
    Map<Long, Long> model = new HashMap<>();
    ByteBuffer data = ByteBuffer.allocate(oram.config().blockBytes());
    while (!ended.get()) {
      long block = random.nextLong(oram.config().blocks() / CALLERS) * CALLERS + number;
      boolean writes = random.nextBoolean();
      long stamp = random.nextLong();
      data.clear();
      long begin = System.nanoTime();
      if (writes) {
        oram.async().write(block, data.putLong(0, stamp)).join();
      } else {
        oram.async().read(block, 1, data).join();
      }
      accesses.add(new Access(begin, System.nanoTime() - begin));
      if (writes) {
        model.put(block, stamp);
      } else if (data.getLong(0) != model.getOrDefault(block, 0L)) {
        throw new IllegalStateException("block " + block + " is not what was written last");
      }
    }
  }

  @Override
  public List<Output> outputs() {
    return List.of(
        Output.table(
                TableStyle.open(
                    ID,
                    "How long accesses wait while a store grows",
                    "In files of this machine, blocks of 4 KB, sixteen callers in a closed loop,"
                        + " half of whose accesses write, durability flush; every answer is"
                        + " checked. Three doublings. Milliseconds with 95 % intervals over runs."),
                results ->
                    Averages.figures(
                        List.of("blocks at first", "what", "ms", "interval"),
                        Figure.texts(),
                        "%.2f",
                        results.measured()))
            .unlessEmpty(Results::measured));
  }
}
