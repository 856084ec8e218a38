package io.github.roram.auditor.judge;

import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Chance.LeastLikely;
import io.github.roram.auditor.judge.Check.ViewCheck;
import io.github.roram.auditor.judge.OverlapView.Asked;
import io.github.roram.auditor.judge.Seen.SeenRequest;
import io.github.roram.auditor.judge.Seen.Step;
import io.github.roram.auditor.judge.ShownPaths.ShownLabels.Label;
import io.github.roram.auditor.judge.SlotLayout.Level;
import io.github.roram.auditor.judge.SlotLayout.Slot;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.store.IoPhase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The reads and writes of scheme {@code ring} in one run, interpreted with the parameters in the
 * superblock: violations of the rules, the slots that paths read and, if accesses are made one at a
 * time on a store created in this view, the labels that they show.
 */
final class SlotHistory {

  private final SlotLayout layout;

  /** Whether buckets were written before the view began, of which nothing is known. */
  private final boolean isOld;

  private final Map<Slot, Life> lives = new HashMap<>();

  /** What paths read, of accesses that overlap. */
  private final Set<List<Slot>> paths = new HashSet<>();

  /** How often paths read each slot, by stored level. */
  private final long[][] reads;

  private final List<Label> labels = new ArrayList<>();

  private boolean isLoading;
  private long evictions;

  /** Whether the client died since the last eviction, so that some may be made again. */
  private boolean mayGoBack;

  private int crashes;
  private int pathReads;

  /** How many places of leaves have a bucket that is closed. */
  private int closedLeaves;

  /** What paths read last: after a crash it is read again. */
  private List<Slot> last = List.of();

  private @Nullable String wrong;

  /** The reads of a bucket since it was written. */
  private static final class Life {
    private final boolean isSeenWhole;
    private final BitSet read = new BitSet();
    private final BitSet byEviction = new BitSet();
    private int byPaths;

    Life(boolean isSeenWhole) {
      this.isSeenWhole = isSeenWhole;
    }
  }

  private SlotHistory(OramConfig config, boolean isOld, boolean isLoaded) {
    layout = new SlotLayout(config);
    this.isOld = isOld;
    reads = new long[layout.levels().size()][];
    for (int level = 0; level < reads.length; level++) {
      reads[level] = new long[layout.levels().get(level).slots()];
    }
    evictions = (isLoaded ? 2 : 1) * leaves();
  }

  /** Returns the history of a run of scheme {@code ring}. */
  static SlotHistory of(Seen run) {
    OverlapView overlap = run.overlap();
    boolean isOld =
        overlap == null
            && !StoreHistory.isCreated(run.steps().stream().map(Step::request).toList());
    SlotHistory history = new SlotHistory(run.config(), isOld, overlap != null);
    if (overlap == null) {
      run.steps().forEach(history::follow);
    } else {
      history.followOverlapped(overlap.before(), false);
      history.followOverlapped(overlap.asked(), overlap.hasFailures());
    }
    return history;
  }

  /** Returns what is against the rules; null if nothing is. */
  @Nullable String wrong() {
    return wrong;
  }

  /** Returns how often paths read each slot, by stored level. */
  long[][] reads() {
    return reads;
  }

  /** Returns the labels that reads show, in order, where they can be recognized. */
  List<Label> labels() {
    return labels;
  }

  private long leaves() {
    return lowest().buckets();
  }

  private boolean isLeaf(Slot slot) {
    return slot.level() == layout.levels().size() - 1;
  }

  private Level lowest() {
    return layout.levels().get(layout.levels().size() - 1);
  }

  private void follow(Step step) {
    if (step.kind() == Step.Kind.DECLARED) {
      declared(step.request().action());
      return;
    }
    SeenRequest request = step.request();
    if (step.kind() != Step.Kind.PLAIN || !request.isTransfer() || !layout.has(request.extents())) {
      return;
    }
    List<Slot> shown = layout.slots(request.extents());
    if (request.action() == Action.WRITE) {
      written(shown);
    } else if (!isWhole(shown) && !shown.equals(last)) {
      if (isOld) {
        shown.forEach(slot -> lives.computeIfAbsent(slot.bucket(), old -> new Life(false)));
      }
      read(shown, step.access());
    }
  }

  private void declared(Action action) {
    if (action == Action.BULK_LOAD) {
      isLoading = true;
    } else if (isLoading && (action == Action.ACCESS || action == Action.SCAN)) {
      isLoading = false;
      evictions = 2 * leaves();
    } else if (action == Action.CRASH) {
      crashes++;
      mayGoBack = true;
    }
  }

  /** Processes a write: the path of an eviction, or part of the tree in a bulk load. */
  private void written(List<Slot> shown) {
    Set<Slot> buckets = shown.stream().map(Slot::bucket).collect(Collectors.toSet());
    for (Slot bucket : buckets) {
      if (!isLoading) {
        checkEviction(bucket);
      }
    }
    buckets.forEach(this::begin);
    last = List.of();
  }

  private void begin(Slot bucket) {
    Life before = lives.put(bucket, new Life(true));
    closedLeaves -= isLeaf(bucket) && before != null && isClosed(before) ? 1 : 0;
  }

  /**
   * Before a bucket is written, its eviction reads Z slots of the one that it replaces, none of
   * which a path has read. The level has two more places than buckets, so that one is two places
   * further on.
   *
   * @param isLoaded whether a bucket of which nothing is known was written before the view began
   */
  private void checkReplaced(int level, long place, boolean isLoaded) {
    Slot before = new Slot(level, layout.levels().get(level).place(place + 2), 0);
    Life life = lives.getOrDefault(before, new Life(isLoaded));
    int others = life.read.cardinality() - life.byPaths;
    if (life.isSeenWhole && !layout.sweeps() && others != layout.room(level)) {
      wrong = "the eviction of " + before + " read " + others + " slots of it";
    }
  }

  private void checkEviction(Slot bucket) {
    Level level = layout.levels().get(bucket.level());
    checkReplaced(bucket.level(), bucket.place(), false);
    if (isLeaf(bucket) && !isOld) {
      long back = Math.floorMod(evictions - bucket.place(), level.buckets() + 2);
      if (back > 0 && !mayGoBack) {
        wrong = bucket + " is written, and eviction " + evictions + " is due";
      }
      evictions += 1 - back;
      mayGoBack = false;
    }
  }

  /**
   * Follows accesses that overlap, on a store that was filled: slices of evictions come between
   * reads, and so does what is left in buckets that a read closes.
   *
   * @param mayRepeat whether the store failed requests
   */
  private void followOverlapped(List<Asked> asked, boolean mayRepeat) {
    for (Asked next : asked) {
      List<Slot> shown = layout.slots(next.extents());
      if (next.phase() == IoPhase.EVICT_WRITE) {
        writtenOverlapped(shown);
        continue;
      }
      shown.forEach(slot -> lives.computeIfAbsent(slot.bucket(), loaded -> new Life(true)));
      if (next.phase() == IoPhase.EVICT_READ && !layout.sweeps()) {
        shown.forEach(slot -> evict(slot, mayRepeat));
      } else if (next.phase() == IoPhase.READ && (paths.add(shown) || !mayRepeat)) {
        readPaths(shown);
      }
    }
  }

  /** Begins to write a path, or goes on. */
  private void writtenOverlapped(List<Slot> shown) {
    if (shown.get(0).level() == 0 && shown.get(0).slot() == 0) {
      for (int level = 0; level < layout.levels().size(); level++) {
        checkReplaced(level, evictions, true);
      }
      evictions++;
    }
    shown.stream().filter(slot -> slot.slot() == 0).forEach(slot -> begin(slot.bucket()));
  }

  /** Returns whether whole buckets are read, as evictions and scans do. */
  private boolean isWhole(List<Slot> shown) {
    int next = 0;
    while (next < shown.size()) {
      Slot first = shown.get(next);
      int end = next + layout.levels().get(first.level()).slots();
      if (end > shown.size()) {
        return false;
      }
      for (int i = next; i < end; i++) {
        if (!shown.get(i).equals(new Slot(first.level(), first.place(), i - next))) {
          return false;
        }
      }
      next = end;
    }
    return true;
  }

  private void read(List<Slot> shown, long access) {
    Slot first = shown.get(0).bucket();
    Life only = lives.get(first);
    boolean ofOne = shown.stream().allMatch(slot -> slot.bucket().equals(first));
    if (ofOne && only != null && only.byPaths == layout.mostReads()) {
      close(only, shown);
      return;
    }
    if (isEviction(shown)) {
      shown.forEach(slot -> evict(slot, true));
      return;
    }
    last = shown;
    if (!isOld) {
      addLabels(shown, access);
    }
    if (!isOld && evictions >= 2 * leaves()) {
      checkPaths(shown);
    }
    readPaths(shown);
  }

  /** Adds the label of a path, which its leaf identifies. */
  private void addLabels(List<Slot> shown, long access) {
    int among = (int) Math.min(leaves(), evictions - leaves());
    shown.stream()
        .filter(this::isLeaf)
        .mapToInt(slot -> (int) bucket(slot))
        .forEach(
            leaf -> labels.add(new Label(pathReads, access, leaf, among, (int) leaves(), crashes)));
    pathReads++;
  }

  /** Returns how many slots are read of each bucket of a stored level. */
  private Map<Long, Long> buckets(List<Slot> shown, int level) {
    return shown.stream()
        .filter(slot -> slot.level() == level)
        .collect(Collectors.groupingBy(this::bucket, Collectors.counting()));
  }

  /** Returns the number, within its level, of the bucket that is at the place of a slot now. */
  private long bucket(Slot slot) {
    Level level = layout.levels().get(slot.level());
    return newest(slot.place(), level.buckets() + 2) & (level.buckets() - 1);
  }

  /** Returns the last eviction that has a remainder. */
  private long newest(long remainder, long divisor) {
    return evictions - 1 - Math.floorMod(evictions - 1 - remainder, divisor);
  }

  /** Returns how often paths may still read a bucket. */
  private long readsLeft(int level, long bucket) {
    Level of = layout.levels().get(level);
    Life life = lives.get(new Slot(level, of.place(newest(bucket, of.buckets())), 0));
    return (long) layout.mostReads() - (life == null ? 0 : life.byPaths);
  }

  /**
   * Checks that a slot of every level is read for each path, except of closed buckets. The leaves
   * identify the paths, unless one of them is closed.
   */
  private void checkPaths(List<Slot> shown) {
    int lowest = layout.levels().size() - 1;
    Map<Long, Long> leaves = buckets(shown, lowest);
    boolean areAllShown =
        closedLeaves == 0
            && leaves.entrySet().stream()
                .allMatch(leaf -> leaf.getValue() < readsLeft(lowest, leaf.getKey()));
    for (int level = 0; level < lowest && areAllShown; level++) {
      int above = level;
      Map<Long, Long> expected = new HashMap<>();
      leaves.forEach(
          (leaf, count) ->
              expected.merge(leaf & (layout.levels().get(above).buckets() - 1), count, Long::sum));
      expected.replaceAll((bucket, count) -> Math.min(count, readsLeft(above, bucket)));
      expected.values().removeIf(count -> count == 0);
      Map<Long, Long> found = buckets(shown, level);
      if (!found.equals(expected)) {
        wrong =
            "of stored level "
                + level
                + " buckets and slots "
                + found
                + " are read, paths to leaves "
                + leaves
                + " have "
                + expected;
      }
    }
  }

  private boolean isClosed(Life life) {
    return life.byPaths == layout.mostReads();
  }

  private void readPaths(List<Slot> shown) {
    for (Slot slot : shown) {
      Life life = lives.get(slot.bucket());
      if (life == null || life.read.get(slot.slot()) || isClosed(life)) {
        wrong =
            slot
                + (life == null
                    ? " was never written"
                    : isClosed(life) ? " is of a closed bucket" : " is read twice");
        return;
      }
      life.read.set(slot.slot());
      life.byPaths++;
      reads[slot.level()][slot.slot()]++;
      closedLeaves += isLeaf(slot) && isClosed(life) ? 1 : 0;
    }
  }

  /** Returns whether as many slots of each bucket are read as an eviction reads. */
  private boolean isEviction(List<Slot> shown) {
    Map<Slot, Long> counts =
        shown.stream().collect(Collectors.groupingBy(Slot::bucket, Collectors.counting()));
    return counts.entrySet().stream()
        .allMatch(one -> one.getValue() == layout.room(one.getKey().level()));
  }

  /**
   * Processes a slot that was not read before or, if allowed, one that its eviction reads again.
   */
  private void evict(Slot slot, boolean mayRepeat) {
    Life life = lives.get(slot.bucket());
    boolean again = life != null && life.byEviction.get(slot.slot());
    if (life == null || life.read.get(slot.slot()) != again || (again && !mayRepeat)) {
      wrong = slot + " is read by an eviction, and was read or never written";
      return;
    }
    life.read.set(slot.slot());
    life.byEviction.set(slot.slot());
  }

  /** Checks that all slots that are left are read, or the same ones again after a crash. */
  private void close(Life life, List<Slot> shown) {
    int all = layout.levels().get(shown.get(0).level()).slots();
    boolean left = shown.stream().noneMatch(slot -> life.read.get(slot.slot()));
    boolean again = life.read.cardinality() == all;
    if (shown.size() != all - layout.mostReads() || !(left || again)) {
      wrong = "a closed bucket is read but for what is left: " + shown.get(0);
    }
    shown.forEach(slot -> life.read.set(slot.slot()));
  }

  /**
   * What scheme {@code ring} reads: of each path a slot of every level, in a life of a bucket each
   * slot once, S of them by paths at most and Z by its eviction; and which of them paths read is
   * uniform. Evictions follow the counter.
   */
  static final class SlotChecks extends ViewCheck {

    /** How often paths read each slot, by stored level. */
    private long[][] reads = {};

    private @Nullable String wrong;

    SlotChecks() {
      super(Observer.STORE, "slots read once, and uniform");
    }

    @Override
    void add(Seen run) {
      if (!SlotLayout.isOf(run.config())) {
        return;
      }
      SlotHistory history = run.slots();
      wrong = history.wrong() == null ? wrong : history.wrong();
      long[][] more = history.reads();
      reads = reads.length == 0 ? new long[more.length][] : reads;
      for (int level = 0; level < more.length; level++) {
        long[] before = reads[level];
        long[] found = more[level];
        reads[level] = new long[found.length];
        Arrays.setAll(reads[level], slot -> found[slot] + (before == null ? 0 : before[slot]));
      }
    }

    @Override
    CheckOutcome outcome() {
      if (wrong != null) {
        return CheckOutcome.apart(wrong);
      }
      LeastLikely least = new LeastLikely();
      for (int level = 0; level < reads.length; level++) {
        long[] counts = reads[level];
        if (Arrays.stream(counts).sum() > 0) {
          String where = "stored level " + level + ": ";
          least.add(probability(counts), () -> where + describe(counts));
        }
      }
      return least.outcome("no slots were read");
    }

    /**
     * Reads of a life are without repetition, so they are more even than the test takes them for,
     * and only what is too uneven counts.
     */
    private static double probability(long[] counts) {
      return Arrays.stream(counts).sum() < Chance.LEAST_EXPECTED * counts.length
          ? 1
          : Chance.chiSquaredAbove(chi(counts), counts.length - 1);
    }

    private static double chi(long[] counts) {
      double[] expected = new double[counts.length];
      Arrays.fill(expected, (double) Arrays.stream(counts).sum() / counts.length);
      return Chance.pearson(Arrays.stream(counts).asDoubleStream().toArray(), expected);
    }

    private static String describe(long[] counts) {
      return String.format(
          Locale.ROOT,
          "%d reads, chi-square %.1f of %d",
          Arrays.stream(counts).sum(),
          chi(counts),
          counts.length - 1);
    }
  }
}
