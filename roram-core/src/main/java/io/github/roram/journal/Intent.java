package io.github.roram.journal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A read of runs of labels of one tree that is about to be shown to the store. It is pending until
 * its access is complete, and has to be done again the same after a crash.
 *
 * @param number intents are numbered in their order, without gaps, through the client's life
 * @param tree the tree
 * @param ranges the range that each run is for; −1 for one that is read for nothing
 * @param labels where each run of labels starts; {@link #NOT_LOOKED_UP} as long as the position
 *     map, which is on the store, was not asked
 * @param freshLabels the labels that the ranges get; {@link #READ_BEFORE} where an older pending
 *     intent reads the range already. That run is then a random one, read for nothing, and the
 *     range keeps the label that the older one gives it. Of no meaning where the range is −1
 * @param maps the reads of the trees of the position map that come before it, each of one level
 *     with a chain of none, the uppermost first; none where the client has the map
 * @param writes whether the access is shown to be one that writes; false where that is hidden
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record Intent(
    long number,
    int tree,
    int[] ranges,
    int[] labels,
    int[] freshLabels,
    List<Intent> maps,
    boolean writes) {

  /** In place of a label: the position map says it once it was read. */
  public static final int NOT_LOOKED_UP = -1;

  /** Creates a read whose labels the client holds, or a read of such a map. */
  public Intent(long number, int tree, int[] ranges, int[] labels, int[] freshLabels) {
    this(number, tree, ranges, labels, freshLabels, List.of(), false);
  }

  /** In place of a fresh label: an older pending intent reads the range. */
  public static final int READ_BEFORE = -1;

  /** Returns the same read, with those of the map that look its labels up. */
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

  /** Returns whether one of the runs does that for a range. */
  public boolean relabelsRange(int range) {
    for (int run = 0; run < ranges.length; run++) {
      if (ranges[run] == range && relabels(run)) {
        return true;
      }
    }
    return false;
  }

  /** Returns what it reads of a tree, be it one of the position map; null if nothing. */
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
