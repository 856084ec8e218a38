package io.github.roram.auditor.judge;

import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Check.ViewCheck;
import io.github.roram.auditor.judge.OverlapView.Asked;
import io.github.roram.auditor.judge.Seen.SeenRequest;
import io.github.roram.auditor.judge.Seen.Step;
import io.github.roram.auditor.judge.SlotLayout.Level;
import io.github.roram.auditor.judge.SlotLayout.Slot;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.store.IoPhase;
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
 * What scheme {@code ring} reads, worked out from the parameters in the superblock: in a life of a
 * bucket each slot once, S of them by paths at most and Z by its eviction, and which of them paths
 * read is uniform.
 */
final class SlotChecks extends ViewCheck {

  /** So many standard deviations of χ² are no chance. */
  private static final double MOST_DEVIATIONS = 5;

  private static final int LEAST_READS_A_SLOT = 20;

  private long reads;
  private long[] slots = {};
  private @Nullable String wrong;

  SlotChecks() {
    super(Observer.STORE, "slots read once, and uniform");
  }

  @Override
  void add(Seen run) {
    if (!SlotLayout.isOf(run.config())) {
      return;
    }
    OverlapView overlap = run.overlap();
    History history = new History(run.config(), overlap == null && !isCreated(run.steps()));
    if (overlap == null) {
      history.follow(run.steps());
    } else {
      history.followOverlapped(overlap.before(), false);
      history.followOverlapped(overlap.asked(), overlap.hasFailures());
    }
  }

  /** Whether the view begins with a new store, whose superblock is written first. */
  private static boolean isCreated(List<Step> steps) {
    return steps.stream()
        .map(Step::request)
        .filter(SeenRequest::isTransfer)
        .findFirst()
        .filter(first -> first.action() == Action.WRITE && first.extents().get(0).offset() == 0)
        .isPresent();
  }

  @Override
  CheckOutcome outcome() {
    if (wrong != null) {
      return CheckOutcome.apart(wrong);
    }
    if (reads == 0) {
      return CheckOutcome.notApplicable("no slots were read");
    }
    double expected = (double) reads / slots.length;
    double chi = 0;
    for (long count : slots) {
      chi += (count - expected) * (count - expected) / expected;
    }
    int freedom = slots.length - 1;
    String text =
        String.format(Locale.ROOT, "%d reads, chi-square %.1f of %d", reads, chi, freedom);
    boolean apart =
        expected >= LEAST_READS_A_SLOT
            && chi > freedom + MOST_DEVIATIONS * Math.sqrt(2.0 * freedom);
    return apart ? CheckOutcome.apart(text) : CheckOutcome.alike(text);
  }

  /** What was read of a bucket since it was written. */
  private static final class Life {
    private final BitSet read = new BitSet();
    private final BitSet byEviction = new BitSet();
    private int byPaths;
  }

  /** The buckets of one run. */
  private final class History {
    private final SlotLayout layout;

    /** Whether buckets were written before the view began, of which nothing is known. */
    private final boolean isOld;

    private final int mostReads;
    private final Map<Slot, Life> lives = new HashMap<>();

    /** What paths read, of accesses that overlap. */
    private final Set<List<Slot>> paths = new HashSet<>();

    private long evictions;

    /** What paths read last: after a crash it is read again. */
    private List<Slot> last = List.of();

    History(OramConfig config, boolean isOld) {
      layout = new SlotLayout(config);
      this.isOld = isOld;
      mostReads = layout.mostReads();
      evictions = 2 * layout.levels().get(layout.levels().size() - 1).buckets();
      slots = slots.length == 0 ? new long[layout.levels().get(0).slots()] : slots;
    }

    void follow(List<Step> steps) {
      for (Step step : steps) {
        SeenRequest request = step.request();
        if (step.kind() != Step.Kind.PLAIN
            || !request.isTransfer()
            || !layout.has(request.extents())) {
          continue;
        }
        List<Slot> shown = layout.slots(request.extents());
        if (request.action() == Action.WRITE) {
          shown.forEach(slot -> lives.put(slot.bucket(), new Life()));
          last = List.of();
        } else if (!isWhole(shown) && !shown.equals(last)) {
          if (isOld) {
            shown.forEach(slot -> lives.computeIfAbsent(slot.bucket(), old -> new Life()));
          }
          read(shown);
        }
      }
    }

    /**
     * Follows accesses that overlap, on a store that was filled: slices of evictions come between
     * reads, and so does what is left in buckets that a read closes.
     *
     * @param mayRepeat whether the store failed requests
     */
    void followOverlapped(List<Asked> asked, boolean mayRepeat) {
      for (Asked next : asked) {
        List<Slot> shown = layout.slots(next.extents());
        if (next.phase() == IoPhase.EVICT_WRITE) {
          write(shown);
          continue;
        }
        shown.forEach(slot -> lives.computeIfAbsent(slot.bucket(), loaded -> new Life()));
        if (next.phase() == IoPhase.EVICT_READ && !layout.sweeps()) {
          shown.forEach(slot -> evict(slot, mayRepeat));
        } else if (next.phase() == IoPhase.READ && (paths.add(shown) || !mayRepeat)) {
          readPaths(shown);
        }
      }
    }

    /** Begins to write a path, or goes on; of what that replaces Z slots were read by no path. */
    private void write(List<Slot> shown) {
      if (shown.get(0).level() == 0 && shown.get(0).slot() == 0) {
        for (int level = 0; level < layout.levels().size(); level++) {
          Level of = layout.levels().get(level);
          Slot before = new Slot(level, of.place(evictions - of.buckets()), 0);
          Life life = lives.getOrDefault(before, new Life());
          int others = life.read.cardinality() - life.byPaths;
          if (!layout.sweeps() && others != layout.room(level)) {
            wrong = "eviction " + evictions + " read " + others + " slots of " + before;
          }
        }
        evictions++;
      }
      shown.stream()
          .filter(slot -> slot.slot() == 0)
          .forEach(slot -> lives.put(slot.bucket(), new Life()));
    }

    /** Whether whole buckets are read, as evictions and scans do. */
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

    private void read(List<Slot> shown) {
      Life only = lives.get(shown.get(0).bucket());
      boolean ofOne =
          shown.stream()
              .allMatch(
                  slot ->
                      slot.place() == shown.get(0).place() && slot.level() == shown.get(0).level());
      if (ofOne && only != null && only.byPaths == mostReads) {
        close(only, shown);
        return;
      }
      if (isEviction(shown)) {
        shown.forEach(slot -> evict(slot, true));
        return;
      }
      last = shown;
      readPaths(shown);
    }

    private void readPaths(List<Slot> shown) {
      for (Slot slot : shown) {
        Life life = lives.get(slot.bucket());
        if (life == null || life.read.get(slot.slot()) || life.byPaths == mostReads) {
          wrong =
              slot
                  + (life == null
                      ? " was never written"
                      : life.byPaths == mostReads ? " is of a closed bucket" : " is read twice");
          return;
        }
        life.read.set(slot.slot());
        life.byPaths++;
        if (slot.level() == 0) {
          slots[slot.slot()]++;
          reads++;
        }
      }
    }

    /** Whether as many slots of each bucket are read as an eviction reads. */
    private boolean isEviction(List<Slot> shown) {
      Map<Slot, Long> counts =
          shown.stream().collect(Collectors.groupingBy(Slot::bucket, Collectors.counting()));
      return counts.entrySet().stream()
          .allMatch(one -> one.getValue() == layout.room(one.getKey().level()));
    }

    /** A slot that was not read; or, where that may be, one that its eviction reads again. */
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

    /** The slots that are left, all of them; or the same again after a crash. */
    private void close(Life life, List<Slot> shown) {
      int all = layout.levels().get(shown.get(0).level()).slots();
      boolean left = shown.stream().noneMatch(slot -> life.read.get(slot.slot()));
      boolean again = life.read.cardinality() == all;
      if (shown.size() != all - mostReads || !(left || again)) {
        wrong = "a closed bucket is read but for what is left: " + shown.get(0);
      }
      shown.forEach(slot -> life.read.set(slot.slot()));
    }
  }
}
