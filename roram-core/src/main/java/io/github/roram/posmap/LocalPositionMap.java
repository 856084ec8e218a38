package io.github.roram.posmap;

import io.github.roram.IntegrityException;
import io.github.roram.checkpoint.GradualCopy;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.cipher.LabelPrf;
import java.io.DataInput;
import java.io.IOException;
import java.nio.IntBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A position map that the client holds, 4 bytes for each range (construction, section 4). A range
 * that was never given a label has a pseudorandom one, so creation and bulk loading draw none; the
 * map remembers a pseudorandom label after its first request.
 *
 * <p>Not thread safe.
 */
public class LocalPositionMap implements RangeLabels {

  private final LabelPrf prf;
  private final int tree;
  private final int leaves;

  /** Label + 1 of each range; 0 if the label was not requested yet. */
  private final MapArray labels;

  /** Number of ranges whose pseudorandom labels {@link #prepareToGrow} has noted. */
  private int prepared;

  /** Creates the map of a tree, on the heap. */
  public LocalPositionMap(LabelPrf prf, int tree, int ranges, int leaves) {
    this(prf, tree, ranges, leaves, null);
  }

  /**
   * Creates the map of a tree.
   *
   * @param directory directory of the map's file; null for a map on the heap
   * @throws io.github.roram.ConfigurationException if a file cannot be created there
   */
  public LocalPositionMap(
      LabelPrf prf, int tree, int ranges, int leaves, @Nullable Path directory) {
    this.prf = prf;
    this.tree = tree;
    this.leaves = leaves;
    labels = directory == null ? MapArray.onHeap(ranges) : MapArray.inFile(directory, ranges);
  }

  /** Returns the number of ranges. */
  public int ranges() {
    return labels.length();
  }

  @Override
  public int label(int range) {
    int known = labels.get(range);
    if (known != 0) {
      return known - 1;
    }
    int label = firstLabel(range);
    labels.note(range, label + 1);
    return label;
  }

  /** Returns whether the label of a range was ever requested or set. */
  public boolean isRemembered(int range) {
    return labels.get(range) != 0;
  }

  @Override
  public int firstLabel(int range) {
    return prf.label(tree, range, leaves);
  }

  /** Gives a range another label. */
  public void set(int range, int label) {
    labels.set(range, label + 1);
  }

  @Override
  public int exchange(int range, int freshLabel) {
    int old = label(range);
    set(range, freshLabel);
    return old;
  }

  @Override
  public void clear() {
    labels.clear();
  }

  /**
   * Begins a copy of the map in its present state, in which labels that are still pseudorandom may
   * or may not be remembered. Labels requested from now on do not make the copy longer. Only one
   * copy can be in progress.
   *
   * @param mostLabels most labels that can have been requested, a public number
   */
  public GradualCopy startCopy(long mostLabels) {
    return labels.startCopy(mostLabels);
  }

  @Override
  public void addTo(StateCopy state, long mostLabels) {
    state.add(startCopy(mostLabels));
  }

  @Override
  public long heldBytes() {
    return labels.heldBytes();
  }

  @Override
  public void readFrom(DataInput in) throws IOException {
    int saved = in.readInt();
    if (saved != labels.length()) {
      throw new IntegrityException(
          "the saved position map of tree "
              + tree
              + " has "
              + saved
              + " ranges, not "
              + labels.length()
              + "; restore the client's state from a copy");
    }
    labels.readFrom(in);
  }

  /**
   * Notes the pseudorandom labels of the ranges that {@link #growFrom} will take, so that it takes
   * less time.
   *
   * @param own the map's PRF, or one for this thread
   * @param ranges number of ranges of the smaller map
   */
  public void prepareToGrow(LabelPrf own, int ranges) {
    for (; prepared < ranges; prepared += MapArray.PAGE_INTS) {
      int count = Math.min(MapArray.PAGE_INTS, ranges - prepared);
      labels.put(prepared, IntBuffer.wrap(own.labels(tree, prepared, count, leaves)), count);
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>The bits come from the pseudorandom label: each of its bits is shown at most once, as part
   * of the range's first label or when the tree grew by that bit.
   */
  @Override
  public void growFrom(RangeLabels smaller) {
    LocalPositionMap from = (LocalPositionMap) smaller;
    prepareToGrow(prf, from.ranges());
    int[] known = new int[MapArray.PAGE_INTS];
    int[] first = new int[MapArray.PAGE_INTS];
    for (int page = 0; page < from.ranges(); page += MapArray.PAGE_INTS) {
      int ranges = Math.min(MapArray.PAGE_INTS, from.ranges() - page);
      from.labels.get(page, known, ranges);
      labels.get(page, first, ranges);
      for (int i = 0; i < ranges; i++) {
        int fresh = first[i] & -from.leaves;
        known[i] = known[i] == 0 ? 0 : (known[i] - 1 | fresh) + 1;
      }
      labels.put(page, IntBuffer.wrap(known), ranges);
    }
  }
}
