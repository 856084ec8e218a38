package io.github.roram.bench.backup;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.bench.backup.StoreExperiment.Callers;
import io.github.roram.bench.experiment.ExperimentOptions.Scale;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.replay.DeviceContents;
import io.github.roram.bench.replay.DeviceContents.DevicePattern;
import io.github.roram.bench.report.Chapter.TableStyle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/**
 * How long accesses wait while a store is doubled three times under sixteen callers, each of whom
 * checks every answer, against the time before and after: in files on this machine.
 */
public final class GrowthExperiment extends StoreExperiment {

  static final String ID = "growth";

  private static final int CALLERS = 16;
  private static final int DOUBLINGS = 3;
  private static final double MILLIS = 1e6;

  /** Milliseconds, of a run each. */
  private enum Wait implements Figure {
    BEFORE("99.9 % of accesses within, before"),
    DURING("99.9 % of accesses within, from each growth's beginning for as long"),
    AFTER("99.9 % of accesses within, in the second half of that time"),
    LONGEST_BEFORE("longest access, before"),
    LONGEST_DURING("longest access, while it grew"),
    GROW("longest of the growths");

    private final String text;

    Wait(String text) {
      this.text = text;
    }

    @Override
    public String text() {
      return text;
    }
  }

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public GrowthExperiment() {
    super(
        ID,
        "accesses while a store is doubled three times (with --device measured)",
        OpenOptions.defaults().withDurability(Durability.FLUSH).withInFlight(CALLERS),
        Wait.values());
  }

  @Override
  long blocks(Scale scale) {
    return scale.pick(1L << 10, 1L << 14, 1L << 16, 1L << 18);
  }

  @Override
  DeviceContents contents(long blocks, DevicePattern pattern) {
    return DeviceContents.zeros(blocks, pattern);
  }

  @Override
  Point measure(Point.Key key, TriedStore store, Scale scale) throws IOException {
    int seconds = scale.pick(1, 6, 6, 20);
    try (Oram oram = store.roram().open()) {
      return grow(key, oram, () -> store.pause(seconds));
    }
  }

  /** An access: when it began, and how long it took. */
  private record Access(long begin, long nanos) {}

  private static Point grow(Point.Key key, Oram oram, Runnable pause) throws IOException {
    ConcurrentLinkedQueue<Access> accesses = new ConcurrentLinkedQueue<>();
    long begin = System.nanoTime();
    List<Long> growths = new ArrayList<>();
    long longest = 0;
    long before;
    try (Callers callers = new Callers(CALLERS, number -> new Caller(oram, number, accesses))) {
      pause.run(); // for the compiler
      before = System.nanoTime();
      for (int doubling = 0; doubling < DOUBLINGS && !callers.haveFailed(); doubling++) {
        pause.run();
        long start = System.nanoTime();
        growths.add(start);
        oram.grow(2 * oram.config().blocks());
        longest = Math.max(longest, System.nanoTime() - start);
      }
      pause.run();
    }
    double seconds = (System.nanoTime() - begin) / NANOS;
    Map<String, Double> figures = figures(List.copyOf(accesses), before, growths);
    figures.put(Wait.GROW.name(), longest / MILLIS);
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
    put(figures, Wait.BEFORE, quiet, 0.999);
    put(figures, Wait.DURING, grown, 0.999);
    put(figures, Wait.AFTER, after, 0.999);
    put(figures, Wait.LONGEST_BEFORE, quiet, 1);
    put(figures, Wait.LONGEST_DURING, grown, 1);
    return figures;
  }

  private static List<Long> sorted(List<Access> accesses, Predicate<Access> which) {
    return accesses.stream().filter(which).map(Access::nanos).sorted().toList();
  }

  private static void put(
      Map<String, Double> figures, Wait figure, List<Long> sorted, double part) {
    int index = (int) Math.min(sorted.size() - 1, Math.floor(part * sorted.size()));
    figures.put(figure.name(), sorted.isEmpty() ? 0 : sorted.get(index) / MILLIS);
  }

  /**
   * A caller. Blocks number, number + 16 and so on are its own, so that it reads what it wrote
   * last.
   */
  private static final class Caller implements Runnable {
    private final Oram oram;
    private final int number;
    private final ConcurrentLinkedQueue<Access> accesses;
    private final SplittableRandom random;
    private final Map<Long, Long> model = new HashMap<>();
    private final ByteBuffer data;

    Caller(Oram oram, int number, ConcurrentLinkedQueue<Access> accesses) {
      this.oram = oram;
      this.number = number;
      this.accesses = accesses;
      random = new SplittableRandom(number);
      data = ByteBuffer.allocate(oram.config().blockBytes());
    }

    @Override
    public void run() {
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
    return table(
        TableStyle.open(
            ID,
            "How long accesses wait while a store grows",
            "In files of this machine, blocks of 4 KB, sixteen callers in a closed loop,"
                + " half of whose accesses write, durability flush; every answer is"
                + " checked. Three doublings. Milliseconds with 95 % intervals over runs."),
        List.of("blocks at first", "what", "ms", "interval"),
        "%.2f");
  }
}
