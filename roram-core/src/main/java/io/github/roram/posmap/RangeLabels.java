package io.github.roram.posmap;

import io.github.roram.checkpoint.StateCopy;
import java.io.DataInput;
import java.io.IOException;

/**
 * The labels of a tree's ranges, as far as the client can tell them now: all, where it has the map;
 * where the map is on the store, those that the access at hand has looked up.
 */
public interface RangeLabels {

  /** Returns the label of a range. */
  int label(int range);

  /** Returns the pseudorandom label of a range, which it has until it is given another. */
  int firstLabel(int range);

  /** Gives a range a fresh label; returns the one that it had. */
  int exchange(int range, int freshLabel);

  /** Forgets all labels: they are the pseudorandom ones again. */
  void clear();

  /**
   * Adds what the client holds of them.
   *
   * @param mostLabels the most labels that can have been asked for, as far as everyone knows
   */
  void addTo(StateCopy state, long mostLabels);

  /** Loads what {@link #addTo} added. */
  void readFrom(DataInput in) throws IOException;

  /**
   * Takes the labels of the tree when it was smaller, none of its own having been asked for. Each
   * gets the bits that it lacks, of the {@linkplain #firstLabel first label}: fresh ones, and the
   * same whenever the tree grows by them again.
   */
  void growFrom(RangeLabels smaller);

  /** Returns the bytes of client memory that they take. */
  long heldBytes();
}
