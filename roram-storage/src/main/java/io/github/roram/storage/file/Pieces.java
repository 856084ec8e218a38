package io.github.roram.storage.file;

import io.github.roram.store.ExtentBatch;

/**
 * Goes through the extents of a batch in order, cut into pieces of whole units.
 *
 * <p>Not safe for use by several threads.
 */
final class Pieces {

  private static final int PIECE_BYTES = 1 << 20;

  private final ExtentBatch batch;
  private final int mostUnits;
  private int extent;
  private int nextUnit;
  private int firstUnit;
  private long offset;
  private int bytes;
  private boolean startsExtent;
  private boolean endsExtent;

  /** Pieces of at most {@value #PIECE_BYTES} bytes, or of one unit if that is longer. */
  Pieces(ExtentBatch batch) {
    this.batch = batch;
    mostUnits = Math.max(1, PIECE_BYTES / batch.unitBytes());
  }

  /** Returns the bytes of the longest piece that a batch may have. */
  static int mostBytes(ExtentBatch batch) {
    return Math.max(PIECE_BYTES, batch.unitBytes());
  }

  /** Goes to the next piece; false if there is none. */
  boolean next() {
    if (extent == batch.extents()) {
      return false;
    }
    int unitsBefore = nextUnit - batch.firstUnit(extent);
    int units = Math.min(mostUnits, batch.units(extent) - unitsBefore);
    firstUnit = nextUnit;
    offset = batch.offset(extent) + (long) unitsBefore * batch.unitBytes();
    bytes = units * batch.unitBytes();
    nextUnit += units;
    startsExtent = unitsBefore == 0;
    endsExtent = nextUnit == batch.firstUnit(extent) + batch.units(extent);
    if (endsExtent) {
      extent++;
    }
    return true;
  }

  /** Returns whether the piece is the last one of the batch. */
  boolean isLast() {
    return extent == batch.extents();
  }

  /** Returns whether the piece starts where its extent does. */
  boolean startsExtent() {
    return startsExtent;
  }

  /** Returns whether the piece ends where its extent does. */
  boolean endsExtent() {
    return endsExtent;
  }

  /** Returns the number of pieces left. */
  int left() {
    int pieces = 0;
    for (int i = extent; i < batch.extents(); i++) {
      int units = batch.units(i) - Math.max(0, nextUnit - batch.firstUnit(i));
      pieces += (units + mostUnits - 1) / mostUnits;
    }
    return pieces;
  }

  /** Returns the number of the piece's first unit within the batch. */
  int firstUnit() {
    return firstUnit;
  }

  /** Returns the offset of the piece in the store. */
  long offset() {
    return offset;
  }

  /** Returns the length of the piece in bytes. */
  int bytes() {
    return bytes;
  }
}
