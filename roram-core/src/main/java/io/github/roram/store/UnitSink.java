package io.github.roram.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Receives the units of an {@link ExtentBatch} while a store reads them. */
@FunctionalInterface
public interface UnitSink {

  /**
   * Receives one piece.
   *
   * @param firstUnit number of the piece's first unit, counted from 0 over the whole batch
   * @param units the units, from position to limit: a positive multiple of {@link
   *     ExtentBatch#unitBytes}; the store's own memory, valid during this call only
   */
  void accept(int firstUnit, ByteBuffer units) throws IOException;
}
