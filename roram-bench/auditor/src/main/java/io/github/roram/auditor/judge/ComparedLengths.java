package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.Chance.TwoSamples;
import io.github.roram.auditor.judge.Check.CheckOutcome;
import io.github.roram.auditor.judge.Check.PairCheck;
import io.github.roram.auditor.judge.Seen.Step;
import io.github.roram.auditor.judge.ShownPaths.Shown;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.ObjLongConsumer;

/** Lengths are distributed on one side as on the other, all of a kind taken together. */
final class ComparedLengths extends PairCheck {

  private final Map<String, TwoSamples> samples = new TreeMap<>();
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
   * Of reads of random paths: not each one, since a bucket that two random runs meet is read once,
   * but all of a tree and size class taken together.
   */
  static PairCheck ofReads() {
    return new ComparedLengths(
        Observer.STORE,
        "lengths of reads",
        ComparedLengths::reads,
        "buckets",
        "no paths were read");
  }

  /**
   * Of changes of the vault, for accesses that overlap: where which change comes when may be by
   * chance.
   */
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
    lengths.accept(sideA, (kind, length) -> samples(kind).add(0, length));
    lengths.accept(sideB, (kind, length) -> samples(kind).add(1, length));
  }

  private TwoSamples samples(String kind) {
    return samples.computeIfAbsent(kind, k -> new TwoSamples());
  }

  @Override
  CheckOutcome outcome() {
    return TwoSamples.leastLikely(samples, unit, ifNone);
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
