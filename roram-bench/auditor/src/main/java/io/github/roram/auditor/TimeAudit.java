package io.github.roram.auditor;

import io.github.roram.AsyncOram;
import io.github.roram.ConstantRate;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.auditor.Audit.AuditReport;
import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.Findings.Finding;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.auditor.workload.RunSettings;
import io.github.roram.bench.ProgressListener;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.RecordedOram;
import io.github.roram.storage.view.ViewRecorder;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.apache.commons.math3.stat.inference.KolmogorovSmirnovTest;

/**
 * Whether the times tell at which a store is asked. On one store in memory, accesses of both sides
 * of a pair are made in an order that a coin decides, one after another, and what the client takes
 * within each, and until the next, is compared by Welch's t. At a constant rate the gaps between
 * accesses are compared, with and without load, by Kolmogorov and Smirnov's test.
 */
public final class TimeAudit {

  /** Beyond this |t| sides are told apart, as is usual where times are tested. */
  private static final double THRESHOLD = 4.5;

  /** The probability of such a t. */
  private static final double LEVEL = 7e-6;

  private static final String CONSTANT_RATE = "load-idle";
  private static final int HOT_BLOCKS = 8;
  private static final int WARM_UP = 20_000;

  /**
   * Warming up takes at most this many times the accesses that are measured; few accesses tell
   * nothing.
   */
  private static final long MOST_WARM_UPS = 20;

  private static final double PER_SECOND = 1000;
  private static final int MOST_GAPS = 20_000;
  private static final int PHASE_GAPS = 250;
  private static final int UNDER_WAY = 16;

  private static final Map<String, String> ABOUTS = new LinkedHashMap<>();

  static {
    ABOUTS.put("reads-writes", "whether a block is read or written");
    ABOUTS.put("hit-miss", "whether the client holds the block");
    ABOUTS.put("hot-cold", "how often a block is accessed");
    ABOUTS.put(CONSTANT_RATE, "whether anybody asks, at a constant rate");
  }

  private final OramConfig config;
  private final OpenOptions options;
  private final int accesses;
  private final SplittableRandom random = new SplittableRandom();
  private final ByteBuffer block;
  private long last;

  private TimeAudit(OramConfig config, OpenOptions options, int accesses) {
    this.config = config;
    this.options = options;
    this.accesses = accesses;
    block = ByteBuffer.allocate(config.blockBytes());
  }

  /** Returns the names of the pairs. */
  public static List<String> names() {
    return List.copyOf(ABOUTS.keySet());
  }

  /**
   * Audits.
   *
   * @param pairs of {@link #names}
   * @param accesses of each side; at a constant rate at most 20,000 gaps are compared
   */
  public static AuditReport run(
      OramConfig config,
      OpenOptions options,
      List<String> pairs,
      int accesses,
      ProgressListener progress)
      throws IOException {
    OpenOptions inOneThread =
        options.withThreads(1).withBackgroundCheckpoints(false).withCheckpointBytes(1 << 20);
    Map<String, String> abouts = new LinkedHashMap<>();
    List<Finding> findings = new ArrayList<>();
    for (String pair : pairs) {
      abouts.put(pair, String.valueOf(ABOUTS.get(pair)));
      TimeAudit audit = new TimeAudit(config, inOneThread, accesses);
      progress.begin("audit of times: " + pair, "accesses", 2L * accesses);
      try {
        findings.addAll(
            pair.equals(CONSTANT_RATE) ? audit.gaps(progress) : audit.times(pair, progress));
      } finally {
        progress.end();
      }
    }
    List<String> subject =
        List.of(
            config.toString(),
            RunSettings.mapForm(config)
                + ", store in memory, durability "
                + options.durabilityOf(Scheme.of(config.scheme()))
                + ", through the library, one access after another, times");
    return new AuditReport(subject, abouts, accesses, new Findings(findings), List.of(), List.of());
  }

  private interface Accesses {
    void make(Oram oram) throws IOException;
  }

  /** Makes accesses of a new store that was loaded, whose times the listener is told. */
  private void onStore(TimedStore.Listener listener, Accesses accesses) throws IOException {
    try (MasterKey key = MasterKey.generate();
        MemoryStore memory = new MemoryStore(Orams.storeBytes(config))) {
      TimedStore store = new TimedStore(memory, listener);
      Oram oram = Orams.create(store, ClientVault.inMemory(), config, key, options);
      RunSettings.requireMade(config, memory);
      try (Oram timed =
          new RecordedOram(oram, new ViewRecorder(sight -> {}), blocks -> store.accessBegins())) {
        for (long written = 0; written < config.blocks(); written++) {
          timed.write(written, block.clear());
        }
        accesses.make(timed);
      }
    }
  }

  private List<Finding> times(String pair, ProgressListener progress) throws IOException {
    Samples inside = new Samples(accesses);
    Samples whole = new Samples(accesses);
    int[] side = new int[1];
    long[] made = new long[1];
    onStore(
        (insideNanos, wholeNanos, gap) -> {
          if (made[0] > Math.min(WARM_UP, MOST_WARM_UPS * accesses)) {
            inside.add(side[0], insideNanos);
            whole.add(side[0], wholeNanos);
          }
        },
        oram -> {
          while (!whole.isFull()) {
            // The times of an access are told when the next one begins to ask.
            int next = random.nextInt(2);
            access(oram, pair, next);
            side[0] = next;
            made[0]++;
            if (made[0] % WARM_UP == 0) {
              progress.advanceTo(Math.min(2L * accesses, made[0]));
            }
          }
        });
    return List.of(
        finding(pair, "time within an access", inside),
        finding(pair, "time to the next access", whole));
  }

  private void access(Oram oram, String pair, int side) throws IOException {
    boolean writes = pair.equals("reads-writes") && side == 1;
    long at = random.nextLong(config.blocks());
    if (side == 0 && pair.equals("hit-miss")) {
      at = last;
    } else if (side == 0 && pair.equals("hot-cold")) {
      at %= HOT_BLOCKS;
    }
    last = at;
    if (writes) {
      oram.write(at, block.clear());
    } else {
      oram.read(at, 1, block.clear());
    }
  }

  private static Finding finding(String pair, String check, Samples samples) {
    double all = samples.welch();
    double cropped = samples.croppedWelch();
    boolean apart = Math.max(Math.abs(all), Math.abs(cropped)) >= THRESHOLD;
    String evidence =
        String.format(
            Locale.ROOT,
            "means of %.2f and %.2f µs, Welch's t %.1f, without the slowest 5 %% %.1f; %d a side",
            samples.mean(0) / 1e3,
            samples.mean(1) / 1e3,
            all,
            cropped,
            samples.count());
    return finding(pair, check, apart, evidence);
  }

  private static Finding finding(String pair, String check, boolean apart, String evidence) {
    Verdict verdict = apart ? Verdict.TOLD_APART : Verdict.ALIKE;
    return new Finding(pair, Observer.STORE, check, verdict, evidence, null);
  }

  /** Alternates between load and no load, because the machine's speed varies. */
  private List<Finding> gaps(ProgressListener progress) throws IOException {
    int most = Math.min(accesses, MOST_GAPS);
    Samples gaps = new Samples(most);
    int[] side = {-1};
    onStore(
        (inside, whole, gap) -> {
          synchronized (gaps) {
            if (side[0] >= 0) {
              gaps.add(side[0], gap);
            }
          }
        },
        oram -> {
          AsyncOram queued = Orams.queued(oram, 4 * UNDER_WAY);
          try (ConstantRate timed = Orams.atConstantRate(queued, PER_SECOND, 0, UNDER_WAY)) {
            for (int phase = 0; !isFull(gaps); phase++) {
              phase(timed, phase % 2 == 0, side, gaps);
              progress.advanceTo(Math.min(2L * accesses, 2L * gaps.count()));
            }
          }
        });
    double[] found = gaps.kolmogorovSmirnov();
    String evidence =
        String.format(
            Locale.ROOT,
            "gaps of %.1f and %.1f µs on the average, largest distance of the distributions %.4f;"
                + " by chance with probability %.2g; %d a side",
            gaps.mean(0) / 1e3,
            gaps.mean(1) / 1e3,
            found[0],
            found[1],
            gaps.count());
    return List.of(finding(CONSTANT_RATE, "gaps between accesses", found[1] < LEVEL, evidence));
  }

  private static boolean isFull(Samples gaps) {
    synchronized (gaps) {
      return gaps.isFull();
    }
  }

  private void phase(ConstantRate timed, boolean loaded, int[] side, Samples gaps) {
    Deque<CompletableFuture<Void>> underWay = new ArrayDeque<>();
    long end = System.nanoTime() + (long) (PHASE_GAPS * 1e9 / PER_SECOND);
    setSide(gaps, side, loaded ? 0 : 1);
    while (System.nanoTime() < end) {
      if (!loaded) {
        pause();
        continue;
      }
      long at = random.nextLong(config.blocks());
      ByteBuffer buffer = ByteBuffer.allocate(config.blockBytes());
      underWay.add(random.nextBoolean() ? timed.read(at, 1, buffer) : timed.write(at, buffer));
      if (underWay.size() > UNDER_WAY) {
        underWay.remove().join();
      }
    }
    setSide(gaps, side, -1);
    underWay.forEach(CompletableFuture::join);
  }

  private static void setSide(Samples gaps, int[] side, int value) {
    synchronized (gaps) {
      side[0] = value;
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Times of both sides of a pair, in nanoseconds. Not thread safe. */
  static final class Samples {

    private static final double CROPPED = 0.95;

    private final double[][] values;
    private final int[] counts = new int[2];

    /** Creates samples with room for {@code most} of each side; further ones are dropped. */
    Samples(int most) {
      values = new double[2][most];
    }

    void add(int side, long nanos) {
      if (counts[side] < values[side].length) {
        values[side][counts[side]++] = nanos;
      }
    }

    boolean isFull() {
      return counts[0] == values[0].length && counts[1] == values[1].length;
    }

    int count() {
      return Math.min(counts[0], counts[1]);
    }

    double[] of(int side) {
      return Arrays.copyOf(values[side], counts[side]);
    }

    /** Welch's t of the means. */
    double welch() {
      return welch(Double.POSITIVE_INFINITY);
    }

    /**
     * Returns the same of those below the 95th percentile of all: what the machine did else is
     * above.
     */
    double croppedWelch() {
      double[] all = Arrays.copyOf(of(0), counts[0] + counts[1]);
      System.arraycopy(values[1], 0, all, counts[0], counts[1]);
      Arrays.sort(all);
      return welch(all[(int) (CROPPED * (all.length - 1))]);
    }

    private double welch(double below) {
      SummaryStatistics a = summary(0, below);
      SummaryStatistics b = summary(1, below);
      double variance = a.getVariance() / a.getN() + b.getVariance() / b.getN();
      return variance > 0 ? (a.getMean() - b.getMean()) / Math.sqrt(variance) : 0;
    }

    private SummaryStatistics summary(int side, double below) {
      SummaryStatistics summary = new SummaryStatistics();
      Arrays.stream(of(side)).filter(value -> value <= below).forEach(summary::addValue);
      return summary;
    }

    double mean(int side) {
      return summary(side, Double.POSITIVE_INFINITY).getMean();
    }

    /** Returns the largest distance between the distributions, and its probability by chance. */
    double[] kolmogorovSmirnov() {
      KolmogorovSmirnovTest test = new KolmogorovSmirnovTest();
      double statistic = test.kolmogorovSmirnovStatistic(of(0), of(1));
      return new double[] {statistic, test.approximateP(statistic, counts[0], counts[1])};
    }
  }

  /**
   * A store whose holder has a clock: when requests come, less the time that he takes himself. For
   * requests of one thread at a time.
   */
  static final class TimedStore extends FilterBlockStore {

    /** Is told the times of an access once the next one begins, in nanoseconds. */
    interface Listener {
      /** Takes the times of an access. */
      void access(long inside, long whole, long gap);
    }

    private final Listener listener;
    private boolean begins;
    private long first;
    private long last;
    private long inStore;
    private long inStoreAtLast;

    TimedStore(BlockStore delegate, Listener listener) {
      super(delegate);
      this.listener = listener;
    }

    /** Notes that the next request is the first of an access. */
    synchronized void accessBegins() {
      begins = true;
    }

    private synchronized long asked() {
      long now = System.nanoTime();
      if (begins) {
        if (first != 0) {
          listener.access(last - first - inStoreAtLast, now - first - inStore, now - first);
        }
        begins = false;
        first = now;
        inStore = 0;
      }
      last = now;
      inStoreAtLast = inStore;
      return now;
    }

    private synchronized void answered(long asked) {
      inStore += System.nanoTime() - asked;
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      long asked = asked();
      delegate.read(batch, sink);
      answered(asked);
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      long asked = asked();
      delegate.write(batch, source);
      answered(asked);
    }

    @Override
    public void sync() throws IOException {
      long asked = asked();
      delegate.sync();
      answered(asked);
    }
  }
}
