package io.github.roram.journal;

/**
 * A read of runs of labels of one tree that is about to be shown to the store. It is pending until
 * its access is complete, and has to be done again the same after a crash.
 *
 * @param number intents are numbered in their order, without gaps, through the client's life
 * @param tree the tree
 * @param ranges the range that each run is for; −1 for one that is read for nothing
 * @param labels where each run of labels starts
 * @param freshLabels the labels that the ranges get; {@link #READ_BEFORE} where an older pending
 *     intent reads the range already. That run is then a random one, read for nothing, and the
 *     range keeps the label that the older one gives it. Of no meaning where the range is −1
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record Intent(long number, int tree, int[] ranges, int[] labels, int[] freshLabels) {

  /** In place of a fresh label: an older pending intent reads the range. */
  public static final int READ_BEFORE = -1;

  /** Whether a run shows the label of its range, so that the range gets a fresh one. */
  public boolean relabels(int run) {
    return ranges[run] >= 0 && freshLabels[run] != READ_BEFORE;
  }
}
