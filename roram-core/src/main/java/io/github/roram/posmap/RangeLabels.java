package io.github.roram.posmap;

import io.github.roram.checkpoint.StateCopy;
import java.io.DataInput;
import java.io.IOException;

/**
 * The labels of a tree's ranges that the client knows now: all of them if it holds the map; if the
 * map is on the store, those that the current access has looked up.
 */
public interface RangeLabels {

  /** Returns the label of a range. */
  int label(int range);

  /** Returns the pseudorandom label that a range has until it is given another. */
  int firstLabel(int range);

  /** Gives a range a fresh label, and returns its previous one. */
  int exchange(int range, int freshLabel);

  /** Forgets all labels, so that ranges have their pseudorandom ones again. */
  void clear();

  /**
   * Adds the labels that the client holds to the saved state.
   *
   * @param mostLabels the most labels that can have been requested, a public number
   */
  void addTo(StateCopy state, long mostLabels);

  /** Loads what {@link #addTo} added. */
  void readFrom(DataInput in) throws IOException;

  /**
   * Takes over the labels of the smaller tree, before any label of this one was requested. Each
   * label gets its missing bits from the {@linkplain #firstLabel first label}: these are fresh, and
   * the same each time the growth is repeated.
   */
  void growFrom(RangeLabels smaller);

  /** Returns the bytes of client memory that the labels take. */
  long heldBytes();
}
