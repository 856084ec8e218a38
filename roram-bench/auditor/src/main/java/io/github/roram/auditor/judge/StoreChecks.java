package io.github.roram.auditor.judge;

import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.auditor.judge.Check.CheckOutcome;
import io.github.roram.auditor.judge.Check.PairCheck;
import io.github.roram.auditor.judge.Check.ViewCheck;
import io.github.roram.auditor.judge.Seen.SeenRequest;
import io.github.roram.auditor.judge.Seen.Step;
import io.github.roram.auditor.judge.ShownPaths.Shown;
import io.github.roram.auditor.judge.SlotHistory.SlotChecks;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks of what the store is asked for. */
final class StoreChecks {

  private StoreChecks() {}

  /**
   * Two sides make the same requests to the store, in the same order: operation, tree, which
   * levels, how many buckets, and for what follows a counter also the places.
   *
   * <p>Not compared is where random paths lie, and how many of their buckets there are in rORAM: a
   * bucket that several runs of random labels meet is read once, and one that was never written is
   * not read. {@link ComparedLengths} and the checks of labels are for these.
   */
  static final class StoreShapes extends PairCheck {

    private long requests;
    private int runs;
    private @Nullable String difference;

    StoreShapes() {
      super(Observer.STORE, "requests");
    }

    @Override
    void add(Seen sideA, Seen sideB) {
      runs++;
      List<Step> a = compared(sideA);
      List<Step> b = compared(sideB);
      requests += a.size();
      for (int i = 0; i < Math.max(a.size(), b.size()) && difference == null; i++) {
        String inA = i < a.size() ? shape(a.get(i), sideA) : "nothing";
        String inB = i < b.size() ? shape(b.get(i), sideB) : "nothing";
        if (!inA.equals(inB)) {
          long access = i < a.size() ? a.get(i).access() : b.get(i).access();
          difference =
              String.format(
                  Locale.ROOT,
                  "run %d, request %d (access %d): one side %s, the other %s (%d and %d requests)",
                  runs,
                  i + 1,
                  access,
                  inA,
                  inB,
                  a.size(),
                  b.size());
        }
      }
    }

    @Override
    CheckOutcome outcome() {
      return CheckOutcome.ofAll(
          requests,
          difference,
          "the store saw nothing",
          requests + " requests of " + runs + " runs are the same");
    }

    /**
     * Accesses are left out: the store does not see where one ends. So are reads of trees that are
     * so young that random labels decide whether there is anything to read. Reads of random slots
     * are for {@link SlotChecks}.
     */
    private static List<Step> compared(Seen seen) {
      SlotLayout slots = SlotLayout.isOf(seen.config()) ? new SlotLayout(seen.config()) : null;
      return seen.steps().stream()
          .filter(step -> !step.isDeclared(Action.ACCESS) && !mayBeLeftOut(step.shown()))
          .filter(step -> slots == null || !readsSlots(step.request(), slots))
          .toList();
    }

    private static boolean readsSlots(SeenRequest request, SlotLayout slots) {
      return request.isTransfer()
          && request.action() == Action.READ
          && slots.has(request.extents());
    }

    private static boolean mayBeLeftOut(@Nullable Shown shown) {
      return shown != null && !shown.bucketsPerLevel().isEmpty() && !isWritten(shown, 0);
    }

    /**
     * Returns whether evictions have met all buckets of a level, the uppermost wholly stored being
     * 0.
     */
    private static boolean isWritten(Shown shown, int level) {
      int height = Integer.numberOfTrailingZeros(shown.allLeaves());
      int treetop = height + 1 - shown.bucketsPerLevel().size();
      return shown.writtenLeaves() >= 1 << (treetop + level);
    }

    private static String shape(Step step, Seen seen) {
      String action = step.request().action() + " ";
      return switch (step.kind()) {
        case DECLARED -> action + "declared";
        case PLAIN, BULK_WRITE -> action + extents(step.request());
        case REPEATED -> action + "failed, of tree " + step.tree();
        case SCAN_READ -> action + "all of tree " + step.tree();
        case UNEXPLAINED -> action + "unexplained, tree " + step.tree();
        case EVICTION_READ, EVICTION_WRITE ->
            action
                + step.paths()
                + " evictions from "
                + step.eviction()
                + " of tree "
                + step.tree();
        case PATHS -> action + "paths of tree " + step.tree() + levels(step, seen);
      };
    }

    private static String levels(Step step, Seen seen) {
      Shown shown = step.shown();
      if (shown == null) {
        return "";
      }
      boolean shared = seen.config().has(Scheme.Trait.WHOLE_RANGES);
      List<String> levels = new ArrayList<>();
      for (int i = 0; i < shown.bucketsPerLevel().size(); i++) {
        int buckets = shown.bucketsPerLevel().get(i);
        boolean written = isWritten(shown, i);
        levels.add(!written ? "?" : String.valueOf(shared ? Integer.signum(buckets) : buckets));
      }
      return ", buckets per level " + String.join(" ", levels);
    }

    private static String extents(SeenRequest request) {
      if (!request.isTransfer()) {
        return "";
      }
      return request.extents().stream()
          .map(extent -> extent.offset() + "+" + extent.bytes())
          .collect(Collectors.joining(" "));
    }
  }

  /**
   * Checks that every request to the store is explained: evictions are those that the counter
   * implies, and each read of random paths is of the current buckets of whole paths, each bucket
   * once. Anything else is a leak, whatever it depends on. For schemes without such trees nothing
   * is explained.
   */
  static final class ExplainedRequests extends ViewCheck {

    private long explained;
    private long left;
    private boolean hasTrees;
    private String first = "";

    ExplainedRequests() {
      super(Observer.STORE, "whole paths, counted evictions");
    }

    @Override
    void add(Seen run) {
      hasTrees = !new StoreMap(run.config()).trees().isEmpty();
      for (Step step : run.steps()) {
        String wrong = wrong(step);
        if (wrong == null) {
          explained += step.request().isTransfer() ? 1 : 0;
        } else if (left++ == 0) {
          first = "access " + step.access() + ": " + wrong;
        }
      }
    }

    @Override
    CheckOutcome outcome() {
      if (left > 0) {
        return CheckOutcome.apart(left + " requests follow from nothing public; " + first);
      }
      if (!hasTrees) {
        return CheckOutcome.notApplicable("the scheme has no trees of such buckets");
      }
      return explained == 0
          ? CheckOutcome.notApplicable("the store saw nothing")
          : CheckOutcome.alike(explained + " requests are explained");
    }

    private static @Nullable String wrong(Step step) {
      if (step.kind() == Step.Kind.UNEXPLAINED) {
        return "a " + step.request().action() + " in tree " + step.tree() + " that no counter says";
      }
      Shown shown = step.shown();
      if (step.kind() == Step.Kind.PATHS && shown != null && !shown.wholePaths()) {
        return "a READ in tree " + step.tree() + " that is not of whole current paths";
      }
      return null;
    }
  }

  /**
   * Checks that each access reads as many paths as its size class implies, whatever it is for: a
   * number of reads of one tree, each with a number of runs of labels. A run may share leaves with
   * another by chance; the number of leaves determines how often, and if it happens more often,
   * runs were left out.
   *
   * <p>Accesses around a crash or a failure of the store are left out: the check of single use
   * covers what they read again.
   */
  static final class ReadsOfClass extends ViewCheck {

    private final Missing missing = new Missing();
    private long accesses;
    private boolean hasTrees;
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

    ReadsOfClass() {
      super(Observer.STORE, "paths of a size class");
    }

    @Override
    void add(Seen run) {
      StoreMap map = new StoreMap(run.config(), run.view().layout());
      hasTrees = !map.trees().isEmpty();
      if (!hasTrees) {
        return;
      }
      long[] classes = run.classes();
      int[] seen = new int[classes.length];
      boolean[] disturbed = new boolean[classes.length + 3];
      for (Step step : run.steps()) {
        if (step.isDeclared(Action.CRASH) || step.kind() == Step.Kind.REPEATED) {
          // What failed is left to the next access.
          int access = (int) step.access();
          Arrays.fill(disturbed, access, access + 3, true);
        }
      }
      // While trees are young a read may have nothing to ask for: it is not seen.
      int young = firstWritten(run, map) + 1;
      for (Step step : run.steps()) {
        int access = (int) step.access();
        boolean reads = step.kind() == Step.Kind.PATHS && access < seen.length;
        if (reads && !disturbed[access] && classes[access] > 0) {
          seen[access]++;
          note(access, count(run.config(), step, classes[access], missing));
        }
      }
      for (int access = 1; access < seen.length; access++) {
        accesses++;
        long expected = reads(run.config(), map, classes[access]);
        // After the last access, nothing may follow that distinguishes its reads from those of
        // evictions.
        boolean mayLack = !map.isClassic() && (access < young || access == seen.length - 1);
        boolean isWrong = mayLack ? seen[access] > expected : seen[access] != expected;
        if (classes[access] > 0 && !disturbed[access] && isWrong) {
          note(
              access,
              String.format(
                  Locale.ROOT,
                  "%d blocks by %d reads of paths instead of %d",
                  classes[access],
                  seen[access],
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
    CheckOutcome outcome() {
      if (wrong != null) {
        return CheckOutcome.apart(wrong);
      }
      if (!hasTrees) {
        return CheckOutcome.notApplicable("the scheme reads no paths of such trees");
      }
      return accesses == 0 ? CheckOutcome.notApplicable("no accesses") : outcome(missing, accesses);
    }

    /**
     * Returns the first access by which a read of every tree had shown that all of it was written.
     */
    private static int firstWritten(Seen run, StoreMap map) {
      Set<Integer> written = new HashSet<>();
      for (Step step : run.steps()) {
        Shown shown = step.shown();
        if (shown != null && shown.isComplete()) {
          written.add(step.tree());
        }
        if (written.size() == map.trees().size()) {
          return (int) step.access();
        }
      }
      return Integer.MAX_VALUE - 1;
    }

    private static long reads(OramConfig config, StoreMap map, long blocks) {
      if (config.has(Scheme.Trait.WHOLE_RANGES)) {
        return 1L + map.maps();
      }
      return map.isClassic() ? blocks * map.trees().size() : blocks * (1L + map.maps());
    }

    private static CheckOutcome outcome(Missing missing, long accesses) {
      String evidence =
          String.format(
              Locale.ROOT,
              "%d accesses; %d of %d reads show fewer leaves than their runs have, %.3g expected",
              accesses,
              missing.withSome,
              missing.reads,
              missing.expectedWithSome);
      if (missing.expectedWithSome < 50) {
        return CheckOutcome.byChance(
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
      // The variance covers only pairs of runs, which is not all of it: hence the margin.
      return Math.abs(deviations) > 1.5 * Chance.LEVEL_DEVIATIONS
          ? CheckOutcome.apart(text)
          : CheckOutcome.alike(text);
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

    /** Returns t of the tree that serves a class: that of its longest ranges. */
    private static int treeOf(TreeParameters parameters, long classBlocks) {
      int exponent = 0;
      for (int tree : parameters.trees()) {
        exponent = 1L << tree <= classBlocks ? tree : exponent;
      }
      return exponent;
    }

    /**
     * Returns how many runs of 2^exponent labels an access of a class reads (construction, section
     * 2.1).
     */
    private static long runs(OramConfig config, long classBlocks, int exponent) {
      if (TreeParameters.of(config).fullDebt()) {
        return 2;
      }
      long whole = Math.max(1, classBlocks >> exponent);
      return exponent == 0 ? whole : whole + 1;
    }
  }
}
