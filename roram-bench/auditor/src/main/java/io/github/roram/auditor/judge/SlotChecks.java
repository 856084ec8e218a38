package io.github.roram.auditor.judge;

import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Check.ViewCheck;
import io.github.roram.auditor.judge.Seen.Extent;
import io.github.roram.auditor.judge.Seen.SeenRequest;
import io.github.roram.auditor.judge.Seen.Step;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What scheme {@code ring} reads, worked out from the parameters in the superblock: in a life of a
 * bucket each slot once, S of them by paths at most and Z by its eviction, and which of them paths
 * read is uniform.
 */
final class SlotChecks extends ViewCheck {

  private static final int SUPERBLOCK_BYTES = 4096;
  private static final int SEALING_BYTES = 28 + 8 + 16;

  /** So many standard deviations of χ² are no chance. */
  private static final double MOST_DEVIATIONS = 5;

  private static final int LEAST_READS_A_SLOT = 20;

  private long reads;
  private long[] slots = {};
  private @Nullable String wrong;

  SlotChecks() {
    super(Observer.STORE, "slots read once, and uniform");
  }

  /** Whether a store has such slots. */
  static boolean isOf(OramConfig config) {
    return config.scheme().equals("ring");
  }

  @Override
  void add(Seen run) {
    if (isOf(run.config())) {
      new History(run.config()).follow(run.steps());
    }
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

  /** A stored level: slots of a bucket, and where its places begin. */
  private record Level(int slots, long base) {}

  /** A slot of a place of a level. */
  private record Slot(int level, long place, int slot) {}

  /** What was read of a bucket since it was written. */
  private static final class Life {
    private final BitSet read = new BitSet();
    private final BitSet byEviction = new BitSet();
    private int byPaths;
  }

  /** The buckets of one run. */
  private final class History {
    private final List<Level> levels = new ArrayList<>();
    private final int mostReads;
    private final int slotBytes;
    private final long end;
    private final Map<Slot, Life> lives = new HashMap<>();

    /** What paths read last: after a crash it is read again. */
    private List<Slot> last = List.of();

    History(OramConfig config) {
      int rate = setting(config, "evictionBlocks");
      int fanOut = setting(config, "fanOut");
      int height = setting(config, "height");
      double waiting = rate * (fanOut - 1) / 2.0;
      double load = (double) config.blocks() / (1 << height);
      mostReads = (int) Math.ceil(rate + 3 * Math.sqrt(rate));
      slotBytes = SEALING_BYTES + config.blockBytes();
      long base = SUPERBLOCK_BYTES;
      for (int depth = setting(config, "treetopLevels"); depth <= height; depth += fanOut / 2) {
        double room =
            depth == height ? load + 1.5 * Math.sqrt(load) : waiting + 1.7 * Math.sqrt(waiting);
        int count = (int) Math.ceil(room) + mostReads;
        levels.add(new Level(count, base));
        base += ((1L << depth) + 2) * count * slotBytes;
      }
      end = base;
      slots = slots.length == 0 ? new long[levels.get(0).slots()] : slots;
    }

    private static int setting(OramConfig config, String name) {
      return Integer.parseInt(config.parameters().settings().get(name));
    }

    void follow(List<Step> steps) {
      for (Step step : steps) {
        SeenRequest request = step.request();
        if (step.kind() != Step.Kind.PLAIN || !request.isTransfer() || !isOfTree(request)) {
          continue;
        }
        List<Slot> shown = slots(request);
        if (request.action() == Action.WRITE) {
          shown.forEach(slot -> lives.put(new Slot(slot.level(), slot.place(), 0), new Life()));
          last = List.of();
        } else if (!isWhole(shown) && !shown.equals(last)) {
          read(shown);
        }
      }
    }

    private boolean isOfTree(SeenRequest request) {
      return request.extents().stream()
          .allMatch(extent -> extent.offset() >= SUPERBLOCK_BYTES && extent.offset() < end);
    }

    private List<Slot> slots(SeenRequest request) {
      List<Slot> found = new ArrayList<>();
      for (Extent extent : request.extents()) {
        for (long at = extent.offset(); at < extent.offset() + extent.bytes(); at += slotBytes) {
          found.add(slotAt(at));
        }
      }
      return found;
    }

    private Slot slotAt(long offset) {
      int level = levels.size() - 1;
      while (offset < levels.get(level).base()) {
        level--;
      }
      Level of = levels.get(level);
      long number = (offset - of.base()) / slotBytes;
      return new Slot(level, number / of.slots(), (int) (number % of.slots()));
    }

    /** Whether whole buckets are read, as evictions and scans do. */
    private boolean isWhole(List<Slot> shown) {
      int next = 0;
      while (next < shown.size()) {
        Slot first = shown.get(next);
        int end = next + levels.get(first.level()).slots();
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
      Life only = lives.get(new Slot(shown.get(0).level(), shown.get(0).place(), 0));
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
        shown.forEach(this::evict);
        return;
      }
      last = shown;
      for (Slot slot : shown) {
        Life life = lives.get(new Slot(slot.level(), slot.place(), 0));
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
          shown.stream()
              .collect(
                  Collectors.groupingBy(
                      slot -> new Slot(slot.level(), slot.place(), 0), Collectors.counting()));
      return counts.entrySet().stream()
          .allMatch(one -> one.getValue() == levels.get(one.getKey().level()).slots() - mostReads);
    }

    /** A slot that was not read; or, after a crash, one that its eviction reads again. */
    private void evict(Slot slot) {
      Life life = lives.get(new Slot(slot.level(), slot.place(), 0));
      if (life == null || life.read.get(slot.slot()) != life.byEviction.get(slot.slot())) {
        wrong = slot + " is read by an eviction, and was read or never written";
        return;
      }
      life.read.set(slot.slot());
      life.byEviction.set(slot.slot());
    }

    /** The slots that are left, all of them; or the same again after a crash. */
    private void close(Life life, List<Slot> shown) {
      int all = levels.get(shown.get(0).level()).slots();
      boolean left = shown.stream().noneMatch(slot -> life.read.get(slot.slot()));
      boolean again = life.read.cardinality() == all;
      if (shown.size() != all - mostReads || !(left || again)) {
        wrong = "a closed bucket is read but for what is left: " + shown.get(0);
      }
      shown.forEach(slot -> life.read.set(slot.slot()));
    }
  }
}
