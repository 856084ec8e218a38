package io.github.roram.ring;

import io.github.roram.store.StoreParts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Tells where every level of every tree of a store begins, and how much longer its ring is than the
 * level. Because the table is kept with the store, levels can be added later, and can have slacks
 * of their own.
 *
 * @param runs runs of levels; no level occurs twice, and no two overlap
 */
public record LevelTable(List<LevelRun> runs) {

  /** Checks that no level occurs twice, and that no two overlap. */
  public LevelTable {
    runs = List.copyOf(runs);
    for (int i = 0; i < runs.size(); i++) {
      for (int j = 0; j < i; j++) {
        checkDistinct(runs.get(j), runs.get(i));
      }
    }
    List<LevelRun> byBase = new ArrayList<>(runs);
    byBase.sort((a, b) -> Long.compare(a.base(), b.base()));
    for (int i = 1; i < byBase.size(); i++) {
      if (byBase.get(i).base() < byBase.get(i - 1).end()) {
        throw new IllegalArgumentException(
            "levels overlap: " + byBase.get(i - 1) + " and " + byBase.get(i));
      }
    }
  }

  private static void checkDistinct(LevelRun one, LevelRun other) {
    if (one.tree() != other.tree()) {
      return;
    }
    if (one.bucketBytes() != other.bucketBytes()) {
      throw new IllegalArgumentException(
          "buckets of tree " + one.tree() + " have two sizes: " + one + " and " + other);
    }
    if (one.firstLevel() < other.firstLevel() + other.levels()
        && other.firstLevel() < one.firstLevel() + one.levels()) {
      throw new IllegalArgumentException(
          "a level of tree " + one.tree() + " is there twice: " + one + " and " + other);
    }
  }

  /** Returns the number of trees: one more than the highest number. */
  public int trees() {
    return runs.stream().mapToInt(run -> run.tree() + 1).max().orElse(0);
  }

  /**
   * Returns the run that contains a level.
   *
   * @throws IllegalArgumentException if the table has no such level
   */
  public LevelRun run(int tree, int level) {
    for (LevelRun run : runs) {
      if (run.tree() == tree
          && level >= run.firstLevel()
          && level < run.firstLevel() + run.levels()) {
        return run;
      }
    }
    throw new IllegalArgumentException(
        "level " + level + " of tree " + tree + " is not in the table of " + runs);
  }

  /**
   * Returns the uppermost level of a tree.
   *
   * @throws IllegalArgumentException if the table has no such tree
   */
  public int topLevel(int tree) {
    return runs.stream()
        .filter(run -> run.tree() == tree)
        .mapToInt(LevelRun::firstLevel)
        .min()
        .orElseThrow(() -> new IllegalArgumentException("tree " + tree + " is not in the table"));
  }

  /** Returns S of a tree: the least slack of its levels. */
  public int slack(int tree) {
    return runs.stream()
        .filter(run -> run.tree() == tree)
        .mapToInt(LevelRun::slack)
        .min()
        .orElseThrow(() -> new IllegalArgumentException("tree " + tree + " is not in the table"));
  }

  /** Returns where every level of every tree begins, for a store of several media. */
  StoreParts parts() {
    List<List<Long>> trees = new ArrayList<>();
    for (int tree = 0; tree < trees(); tree++) {
      List<Long> levels = new ArrayList<>();
      for (LevelRun run : runs) {
        for (int i = 0; run.tree() == tree && i < run.levels(); i++) {
          levels.add(run.offset(run.firstLevel() + i));
        }
      }
      levels.sort(Comparator.naturalOrder());
      trees.add(levels);
    }
    return new StoreParts(trees);
  }

  /** Returns the byte offset after all levels; 0 if there are none. */
  public long end() {
    return runs.stream().mapToLong(LevelRun::end).max().orElse(0);
  }
}
