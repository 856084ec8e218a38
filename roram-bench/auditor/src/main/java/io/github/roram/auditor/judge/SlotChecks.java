package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.Chance.LeastLikely;
import io.github.roram.auditor.judge.Check.ViewCheck;
import io.github.roram.storage.view.Observer;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What scheme {@code ring} reads: of each path a slot of every level, in a life of a bucket each
 * slot once, S of them by paths at most and Z by its eviction; and which of them paths read is
 * uniform. Evictions follow the counter.
 */
final class SlotChecks extends ViewCheck {

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
   * Reads of a life are without repetition, so they are more even than the test takes them for, and
   * only what is too uneven counts.
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
