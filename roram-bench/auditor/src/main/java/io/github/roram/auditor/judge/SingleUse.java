package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * No label is shown for a second reason. Two labels of a tree with 2^h leaves are equal by chance
 * with probability 2^−h; how many equal pairs there are among reads that lie near each other, and
 * among reads before and after a crash, is Poisson with a known mean. More of them say that a range
 * was read twice under one label: because it was not given a fresh one, or because the journal lost
 * it. The one repetition right after a crash is declared, and not counted.
 */
final class SingleUse implements ViewCheck {

  /** Reads that lie at most so far apart are near each other. */
  private static final int[] DISTANCES = {1, 4, 16, 64, 256};

  private final Map<Integer, Pairs[]> counted = new HashMap<>();
  private List<StoreMap.Tree> trees = List.of();

  @Override
  public Observer observer() {
    return Observer.STORE;
  }

  @Override
  public String name() {
    return "labels shown once";
  }

  @Override
  public void add(Seen run) {
    List<StoreMap.Tree> found = new StoreMap(run.config()).trees();
    for (StoreMap.Tree tree : found) {
      Pairs[] pairs = counted.computeIfAbsent(tree.number(), number -> newPairs());
      List<ShownLabels.Label> labels = new ArrayList<>(ShownLabels.of(run, tree.number()));
      near(labels, pairs);
      labels.removeIf(label -> label.among() != tree.leaves());
      all(labels, tree.leaves(), pairs[DISTANCES.length]);
      acrossCrashes(labels, tree.leaves(), pairs[DISTANCES.length + 1]);
    }
    trees = found;
  }

  @Override
  public Outcome outcome() {
    double least = 2;
    int tests = 0;
    String evidence = "";
    for (StoreMap.Tree tree : trees) {
      Pairs[] pairs = counted.getOrDefault(tree.number(), new Pairs[0]);
      for (int i = 0; i < pairs.length; i++) {
        if (pairs[i].expected == 0) {
          continue;
        }
        tests++;
        double probability = Chance.poissonTail(pairs[i].equal, pairs[i].expected);
        if (probability < least) {
          least = probability;
          evidence = evidence(tree, pairs[i], i);
        }
      }
    }
    return tests == 0
        ? Outcome.notApplicable("no labels were shown")
        : Outcome.byChance(Math.min(1, least * tests), evidence);
  }

  private static String evidence(StoreMap.Tree tree, Pairs pairs, int index) {
    String where =
        index < DISTANCES.length
            ? "reads at most " + DISTANCES[index] + " apart"
            : index == DISTANCES.length ? "all reads" : "reads before and after a crash";
    return String.format(
        Locale.ROOT,
        "tree %d, %s: %d labels shown again, %.3g expected%s",
        tree.number(),
        where,
        pairs.equal,
        pairs.expected,
        pairs.first == null ? "" : ", first in access " + pairs.first);
  }

  /** For each distance, for any, and across crashes. */
  private static Pairs[] newPairs() {
    Pairs[] pairs = new Pairs[DISTANCES.length + 2];
    Arrays.setAll(pairs, i -> new Pairs());
    return pairs;
  }

  private static void near(List<ShownLabels.Label> labels, Pairs[] pairs) {
    for (int i = 0; i < labels.size(); i++) {
      ShownLabels.Label second = labels.get(i);
      for (int j = i - 1; j >= 0; j--) {
        ShownLabels.Label first = labels.get(j);
        int distance = second.read() - first.read();
        if (distance > DISTANCES[DISTANCES.length - 1]) {
          break;
        }
        double chance = 1.0 / Math.max(first.among(), second.among());
        for (int d = DISTANCES.length - 1;
            d >= 0 && distance > 0 && distance <= DISTANCES[d];
            d--) {
          pairs[d].add(first.label() == second.label(), chance, second.access());
        }
      }
    }
  }

  private static void all(List<ShownLabels.Label> labels, int leaves, Pairs pairs) {
    Map<Integer, Long> shown = new HashMap<>();
    for (int i = 0; i < labels.size(); i++) {
      long before = shown.merge(labels.get(i).label(), 1L, Long::sum) - 1;
      pairs.add(before, (double) i / leaves, labels.get(i).access());
    }
  }

  /** Each label against those of the life before. */
  private static void acrossCrashes(List<ShownLabels.Label> labels, int leaves, Pairs pairs) {
    Map<Integer, Map<Integer, Long>> byLife = new HashMap<>();
    Map<Integer, Long> sizes = new HashMap<>();
    for (ShownLabels.Label label : labels) {
      byLife
          .computeIfAbsent(label.life(), l -> new HashMap<>())
          .merge(label.label(), 1L, Long::sum);
      sizes.merge(label.life(), 1L, Long::sum);
      Map<Integer, Long> before = byLife.getOrDefault(label.life() - 1, Map.of());
      double expected = (double) sizes.getOrDefault(label.life() - 1, 0L) / leaves;
      pairs.add(before.getOrDefault(label.label(), 0L), expected, label.access());
    }
  }

  /** Equal pairs, and how many are expected. */
  private static final class Pairs {
    private long equal;
    private double expected;
    private @Nullable Long first;

    void add(boolean isEqual, double chance, long access) {
      add(isEqual ? 1 : 0, chance, access);
    }

    void add(long found, double mean, long access) {
      equal += found;
      expected += mean;
      if (found > 0 && first == null) {
        first = access;
      }
    }
  }
}
