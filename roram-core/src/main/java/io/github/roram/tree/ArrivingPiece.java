package io.github.roram.tree;

import io.github.roram.bucket.SealedBucket;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * The piece of a batch that the store is handing over, in portions of some buckets. The thread that
 * opens a portion copies it first, so that the bytes are in its own processor's cache. When the
 * store wants its piece back, the calling thread copies the portions that no thread has begun.
 *
 * <p>Thread safety: one thread announces pieces and portions; any thread may take a portion that
 * was announced to it.
 */
final class ArrivingPiece {

  private static final int IN_PIECE = 0;
  private static final int BEING_COPIED = 1;
  private static final int COPIED = 2;

  /** A copy takes a few microseconds, unless its thread lost its processor. */
  private static final int SPINS = 200;

  private static final long SHORT_WAIT_NANOS = 20_000;

  private final SealedBucket[] buckets;
  private final int portionUnits;
  private final int unitBytes;
  private final AtomicIntegerArray states;
  private final int[] firstUnits;
  private final int[] units;
  private ByteBuffer piece = ByteBuffer.allocate(0);
  private int firstUnit;
  private int start;

  /**
   * Creates the object without a piece.
   *
   * @param buckets destinations of the copies; those of a portion are consecutive
   * @param portionUnits most buckets of a portion
   * @param unitBytes bytes of a bucket in the piece
   */
  ArrivingPiece(SealedBucket[] buckets, int portionUnits, int unitBytes) {
    this.buckets = buckets;
    this.portionUnits = portionUnits;
    this.unitBytes = unitBytes;
    int portions = buckets.length / portionUnits;
    states = new AtomicIntegerArray(portions);
    firstUnits = new int[portions];
    units = new int[portions];
  }

  /**
   * Returns a new piece, from its position to its limit. All buckets of the one before were taken.
   *
   * @return number of the unit behind it
   */
  int begin(int first, ByteBuffer bytes) {
    if (bytes.remaining() % unitBytes != 0) {
      throw new IllegalStateException(
          "the store came with " + bytes.remaining() + " bytes, units are of " + unitBytes);
    }
    piece = bytes;
    firstUnit = first;
    start = bytes.position();
    return first + bytes.remaining() / unitBytes;
  }

  /**
   * Announces a portion in the piece, for a slot of the ring. Call this before other threads learn
   * of the portion.
   */
  void announce(int slot, int first, int count) {
    firstUnits[slot] = first;
    units[slot] = count;
    states.set(slot, IN_PIECE);
  }

  /** Returns the first unit of the portion in a slot. */
  int firstUnit(int slot) {
    return firstUnits[slot];
  }

  /** Returns how many units the portion in a slot has. */
  int units(int slot) {
    return units[slot];
  }

  /** Takes the portion of a slot out of the piece: it is copied now if nobody did. */
  void take(int slot) {
    if (states.get(slot) == IN_PIECE && states.compareAndSet(slot, IN_PIECE, BEING_COPIED)) {
      try {
        int at = start + (firstUnits[slot] - firstUnit) * unitBytes;
        for (int i = 0; i < units[slot]; i++) {
          buckets[slot * portionUnits + i].take(piece, at + i * unitBytes);
        }
      } finally {
        states.set(slot, COPIED); // should it fail, nobody waits for ever
      }
      return;
    }
    for (int spins = 0; states.get(slot) != COPIED; spins++) {
      if (spins < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(this, SHORT_WAIT_NANOS);
      }
    }
  }
}
