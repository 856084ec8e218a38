package io.github.roram.posmap;

import java.io.IOException;

/** Knows the label of every range of a tree (rORAM, §V; Path ORAM, section 3). */
public interface PositionMap {

  /**
   * Gives a range a fresh label.
   *
   * @return the label that it had
   * @throws IOException if the map is kept on a store that failed; the call must then be repeated,
   *     with the same arguments, before any other
   */
  int exchange(int range, int freshLabel) throws IOException;
}
