package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.Chance.LeastLikely;
import io.github.roram.auditor.judge.Chance.TwoSamples;
import io.github.roram.auditor.judge.Check.CheckOutcome;
import io.github.roram.auditor.judge.Check.PairCheck;
import io.github.roram.auditor.judge.Seen.Step;
import io.github.roram.auditor.judge.ShownPaths.Shown;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.ObjLongConsumer;

/**
 * Lengths are distributed on one side as on the other, all of a kind taken together; and a kind
 * occurs in about as many runs. A kind that only one side has has no lengths to compare: from some
 * twenty runs on it is found. In how many runs, not how often: within a run the one may follow from
 * the other.
 */
final class ComparedLengths extends PairCheck {

  private final Map<String, TwoSamples> samples = new TreeMap<>();
  private final Map<String, int[]> runsWith = new TreeMap<>();
  private int runs;
  private final BiConsumer<Seen, ObjLongConsumer<String>> lengths;
  private final String unit;
  private final String ifNone;

  private ComparedLengths(
      Observer observer,
      String name,
      BiConsumer<Seen, ObjLongConsumer<String>> lengths,
      String unit,
      String ifNone) {
    super(observer, name);
    this.lengths = lengths;
    this.unit = unit;
    this.ifNone = ifNone;
  }

  /**
   * Compares reads of random paths. A bucket that two random runs meet is read once, so reads are
   * not compared one by one, but all those of a tree and size class together.
   */
  static PairCheck ofReads() {
    return new ComparedLengths(
        Observer.STORE,
        "lengths of reads",
        ComparedLengths::reads,
        "buckets",
        "no paths were read");
  }

  /** Compares changes of the vault by overlapping accesses, whose order may be due to chance. */
  static PairCheck ofVault() {
    return new ComparedLengths(
        Observer.VAULT,
        "lengths of changes",
        ComparedLengths::changes,
        "bytes",
        "the vault was not touched");
  }

  @Override
  void add(Seen sideA, Seen sideB) {
    runs++;
    add(0, sideA);
    add(1, sideB);
  }

  private void add(int side, Seen run) {
    Set<String> kinds = new HashSet<>();
    lengths.accept(
        run,
        (kind, length) -> {
          samples(kind).add(side, length);
          kinds.add(kind);
        });
    kinds.forEach(kind -> runsWith.computeIfAbsent(kind, k -> new int[2])[side]++);
  }

  private TwoSamples samples(String kind) {
    return samples.computeIfAbsent(kind, k -> new TwoSamples());
  }

  @Override
  CheckOutcome outcome() {
    LeastLikely least = new LeastLikely();
    samples.forEach((kind, of) -> of.test(kind + ", " + unit + " ", least));
    runsWith.forEach(
        (kind, found) -> least.add(Chance.inRuns(found, runs), () -> describe(kind, found)));
    return least.outcome(ifNone);
  }

  private String describe(String kind, int[] found) {
    return String.format(
        Locale.ROOT,
        "%s: in %d of %d runs of one side, in %d of the other's",
        kind,
        found[0],
        runs,
        found[1]);
  }

  private static void reads(Seen seen, ObjLongConsumer<String> found) {
    long[] classes = seen.classes();
    for (Step step : seen.steps()) {
      Shown shown = step.shown();
      if (step.kind() == Step.Kind.PATHS && shown != null && shown.isComplete()) {
        int access = (int) step.access();
        String kind =
            String.format(
                Locale.ROOT,
                "tree %d, class of %d blocks",
                step.tree(),
                access < classes.length ? classes[access] : 0);
        found.accept(kind, shown.buckets());
      }
    }
  }

  private static void changes(Seen seen, ObjLongConsumer<String> found) {
    for (Sight sight : seen.of(Observer.VAULT)) {
      found.accept(sight.action().name().toLowerCase(Locale.ROOT), sight.bytes());
    }
  }
}
