package io.github.roram.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Provides the units of an {@link ExtentBatch} while a store writes them. */
@FunctionalInterface
public interface UnitSource {

  /**
   * Fills one piece, from position to limit.
   *
   * @param firstUnit number of the piece's first unit, counted from 0 over the whole batch
   * @param units the buffer for the units: a positive multiple of {@link ExtentBatch#unitBytes}
   *     bytes; the store's own memory, valid during this call only
   */
  void fill(int firstUnit, ByteBuffer units) throws IOException;
}
