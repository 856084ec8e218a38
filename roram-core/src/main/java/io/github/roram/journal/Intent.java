package io.github.roram.journal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A read of runs of labels of one tree that is about to be shown to the store. It is pending until
 * its access is complete, and must be repeated unchanged after a crash.
 *
 * @param number the number of the intent: intents are numbered in order, without gaps, through the
 *     client's life
 * @param tree the tree
 * @param ranges the range that each run is for; −1 for a random run that is discarded
 * @param labels the first label of each run; {@link #NOT_LOOKED_UP} as long as the position map,
 *     which is on the store, was not read
 * @param freshLabels the labels that the ranges get; {@link #READ_BEFORE} if an older pending
 *     intent reads the range already. The run is then a random one, which is discarded, and the
 *     range keeps the label that the older intent gives it. Without meaning if the range is −1
 * @param maps the reads of the position map's trees that come before this read, uppermost level
 *     first, each without such reads of its own; empty if the client has the map
 * @param writes whether the store is shown that the access writes; false where that is hidden
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Intent(
    long number,
    int tree,
    int[] ranges,
    int[] labels,
    int[] freshLabels,
    List<Intent> maps,
    boolean writes) {

  /** In place of a label: the position map contains the label, and was not read yet. */
  public static final int NOT_LOOKED_UP = -1;

  /** Creates a read whose labels the client holds, or a read of such a position map. */
  public Intent(long number, int tree, int[] ranges, int[] labels, int[] freshLabels) {
    this(number, tree, ranges, labels, freshLabels, List.of(), false);
  }

  /** In place of a fresh label: an older pending intent reads the range. */
  public static final int READ_BEFORE = -1;

  /** Returns the same read, with the reads of the position map that look its labels up. */
  public Intent with(List<Intent> lookUps) {
    return new Intent(number, tree, ranges, labels, freshLabels, lookUps, writes);
  }

  /** Returns the same read, for an access that is shown to write. */
  public Intent shownToWrite() {
    return new Intent(number, tree, ranges, labels, freshLabels, maps, true);
  }

  /** Returns whether a run shows the label of its range, so that the range gets a fresh one. */
  public boolean relabels(int run) {
    return ranges[run] >= 0 && freshLabels[run] != READ_BEFORE;
  }

  /** Returns whether one of the runs gives a range a fresh label. */
  public boolean relabelsRange(int range) {
    for (int run = 0; run < ranges.length; run++) {
      if (ranges[run] == range && relabels(run)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the part of this read that reads a tree, be it a tree of the position map; null if none
   * does.
   */
  public @Nullable Intent part(int ofTree) {
    if (tree == ofTree) {
      return this;
    }
    for (Intent map : maps) {
      if (map.tree == ofTree) {
        return map;
      }
    }
    return null;
  }
}
