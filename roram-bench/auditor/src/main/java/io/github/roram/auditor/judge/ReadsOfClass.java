package io.github.roram.auditor.judge;

import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Each access reads as many paths as its size class says, whatever it is for: so many reads, of one
 * tree, of so many runs of labels. A run may share leaves with another by chance; how often follows
 * from the number of leaves, and more of it says that runs were left out.
 *
 * <p>Accesses around a crash or a failure of the store are left out: what they read again is told
 * by the check of single use.
 */
final class ReadsOfClass implements ViewCheck {

  @Override
  public Observer observer() {
    return Observer.STORE;
  }

  @Override
  public String name() {
    return "paths of a size class";
  }

  private final Missing missing = new Missing();
  private long accesses;
  private @Nullable String wrong;

  /** What the runs that are left out, or share leaves, add up to. */
  private static final class Missing {
    private long reads;
    private long withSome;
    private double expectedWithSome;
    private double leaves;
    private double expectedLeaves;
    private double variance;
  }

  @Override
  public void add(Seen run) {
    long[] classes = run.classes();
    int[] reads = new int[classes.length];
    boolean[] disturbed = new boolean[classes.length + 3];
    for (Step step : run.steps()) {
      int access = (int) step.access();
      if (step.isDeclared(Action.CRASH) || step.kind() == Step.Kind.REPEATED) {
        // What failed is left to the next access.
        Arrays.fill(disturbed, access, access + 3, true);
      } else if (step.kind() == Step.Kind.PATHS && access < reads.length && classes[access] > 0) {
        reads[access]++;
        note(access, count(run.config(), step, classes[access], missing));
      }
    }
    for (int access = 1; access < reads.length; access++) {
      accesses++;
      long expected = reads(run, classes[access]);
      if (classes[access] > 0 && !disturbed[access] && isWrong(reads[access], expected, run)) {
        note(
            access,
            String.format(
                Locale.ROOT,
                "%d blocks by %d reads of paths instead of %d",
                classes[access],
                reads[access],
                expected));
      }
    }
  }

  private void note(int access, @Nullable String what) {
    if (what != null && wrong == null) {
      wrong = "access " + access + ": " + what;
    }
  }

  @Override
  public Outcome outcome() {
    if (wrong != null) {
      return Outcome.apart(wrong);
    }
    return accesses == 0 ? Outcome.notApplicable("no accesses") : outcome(missing, accesses);
  }

  /** In an empty store a read may have nothing to ask for: it is not seen. */
  private static boolean isWrong(int reads, long expected, Seen seen) {
    boolean mayBeEmpty = !new StoreMap(seen.config()).isClassic();
    return mayBeEmpty ? reads > expected : reads != expected;
  }

  private static long reads(Seen seen, long blocks) {
    StoreMap map = new StoreMap(seen.config());
    if (seen.config().has(Scheme.Trait.WHOLE_RANGES)) {
      return 1L + map.maps();
    }
    return map.isClassic() ? blocks * map.trees().size() : blocks * (1L + map.maps());
  }

  private static Outcome outcome(Missing missing, long accesses) {
    String evidence =
        String.format(
            Locale.ROOT,
            "%d accesses; %d of %d reads show fewer leaves than their runs have, %.3g expected",
            accesses,
            missing.withSome,
            missing.reads,
            missing.expectedWithSome);
    if (missing.expectedWithSome < 50) {
      return Outcome.byChance(
          Chance.poissonTail(missing.withSome, missing.expectedWithSome), evidence);
    }
    double deviations =
        (missing.leaves - missing.expectedLeaves) / Math.sqrt(Math.max(1e-9, missing.variance));
    String text =
        String.format(
            Locale.ROOT,
            "%s; %.0f leaves shown, %.0f expected, %.1f standard deviations",
            evidence,
            missing.leaves,
            missing.expectedLeaves,
            deviations);
    // The variance is that of pairs of runs alone, which is not all of it: hence some room.
    return Math.abs(deviations) > 1.5 * Chance.LEVEL_DEVIATIONS
        ? Outcome.apart(text)
        : Outcome.alike(text);
  }

  /** Counts what one read shows; says what cannot be by chance. */
  private static @Nullable String count(
      OramConfig config, Step step, long classBlocks, Missing missing) {
    Shown shown = step.shown();
    if (shown == null || !shown.isComplete()) {
      return null;
    }
    boolean ranges = config.has(Scheme.Trait.WHOLE_RANGES);
    TreeParameters parameters = TreeParameters.of(config);
    int map = ranges ? step.tree() - parameters.trees().length : -1;
    int exponent = ranges && map < 0 ? parameters.trees()[step.tree()] : 0;
    long runs = ranges ? runs(config, classBlocks, exponent) : 1;
    if (map >= 0) {
      int read = treeOf(parameters, classBlocks);
      runs = StoreMap.mapRuns(parameters, map, read, runs(config, classBlocks, read));
    }
    long length = 1L << exponent;
    long all = shown.allLeaves();
    long found = shown.leaves().size();
    if (found > Math.min(all, runs * length) || found < Math.min(all, length)) {
      return String.format(
          Locale.ROOT,
          "a read in tree %d of %d leaves, %d runs of %d have %d to %d",
          step.tree(),
          found,
          runs,
          length,
          Math.min(all, length),
          Math.min(all, runs * length));
    }
    double cover = Math.min(1, (double) length / all);
    double pairs = runs * (runs - 1) / 2.0;
    missing.reads++;
    missing.withSome += found < runs * length ? 1 : 0;
    missing.expectedWithSome += Math.min(1, pairs * (2 * length - 1) / all);
    missing.leaves += found;
    missing.expectedLeaves += all * (1 - Math.pow(1 - cover, runs));
    missing.variance += pairs * (2.0 * length * length * length + length) / 3 / all;
    return null;
  }

  /** t of the tree that serves a class: that of its longest ranges. */
  private static int treeOf(TreeParameters parameters, long classBlocks) {
    int exponent = 0;
    for (int tree : parameters.trees()) {
      exponent = 1L << tree <= classBlocks ? tree : exponent;
    }
    return exponent;
  }

  /** How many runs of 2^exponent labels an access of a class reads (construction, section 2.1). */
  private static long runs(OramConfig config, long classBlocks, int exponent) {
    if (TreeParameters.of(config).fullDebt()) {
      return 2;
    }
    long whole = Math.max(1, classBlocks >> exponent);
    return exponent == 0 ? whole : whole + 1;
  }
}
