package io.github.roram.auditor.judge;

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

  private static final int LEAST_READS_A_SLOT = 20;

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
    if (reads.length == 0 || Arrays.stream(reads[0]).sum() == 0) {
      return CheckOutcome.notApplicable("no slots were read");
    }
    for (int level = 0; level < reads.length; level++) {
      if (!isUniform(reads[level])) {
        return CheckOutcome.apart("stored level " + level + ": " + describe(reads[level]));
      }
    }
    return CheckOutcome.alike(describe(reads[0]));
  }

  /**
   * Reads of a life are without repetition, so they are more even than the test takes them for, and
   * only what is too uneven counts.
   */
  private static boolean isUniform(long[] counts) {
    return Arrays.stream(counts).sum() < LEAST_READS_A_SLOT * (long) counts.length
        || Chance.chiSquaredAbove(chi(counts), counts.length - 1) >= Chance.LEVEL;
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
