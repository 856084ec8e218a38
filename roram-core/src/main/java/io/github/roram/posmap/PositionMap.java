package io.github.roram.posmap;

import java.io.IOException;

/** Knows the label of every range of a tree (rORAM, §V; Path ORAM, section 3). */
public interface PositionMap {

  /**
   * Gives consecutive ranges fresh labels, in one look-up where the map can.
   *
   * @param first number of the first range
   * @param freshLabels one for each range
   * @return the labels that they had
   * @throws IOException if the map is kept on a store that failed; the call must then be repeated,
   *     with the same arguments, before any other
   */
  int[] exchange(int first, int[] freshLabels) throws IOException;
}
