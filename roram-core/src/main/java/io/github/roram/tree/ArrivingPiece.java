package io.github.roram.tree;

import io.github.roram.bucket.SealedBucket;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * The piece of a batch that the store hands over at the moment. Whoever opens a bucket copies it
 * first, so that it is opened out of the same processor's cache; those that nobody has begun when
 * the store wants its piece back are copied by the calling thread.
 *
 * <p>Thread safety: one thread announces pieces and buckets, any may take a bucket that was
 * announced to them.
 */
final class ArrivingPiece {

  private static final int IN_PIECE = 0;
  private static final int BEING_COPIED = 1;
  private static final int COPIED = 2;

  /** A copy takes a few microseconds, unless its thread lost its processor. */
  private static final int SPINS = 200;

  private static final long SHORT_WAIT_NANOS = 20_000;

  private final SealedBucket[] slots;
  private final AtomicIntegerArray states;
  private final int unitBytes;
  private ByteBuffer piece = ByteBuffer.allocate(0);
  private int firstUnit;
  private int start;

  /**
   * No piece yet.
   *
   * @param slots where buckets are copied to
   * @param unitBytes bytes of a bucket in the piece
   */
  ArrivingPiece(SealedBucket[] slots, int unitBytes) {
    this.slots = slots;
    this.unitBytes = unitBytes;
    states = new AtomicIntegerArray(slots.length);
  }

  /**
   * A new piece, from its position to its limit. All buckets of the one before were taken.
   *
   * @return number of its units
   */
  int begin(int first, ByteBuffer units) {
    if (units.remaining() % unitBytes != 0) {
      throw new IllegalStateException(
          "the store came with " + units.remaining() + " bytes, units are of " + unitBytes);
    }
    piece = units;
    firstUnit = first;
    start = units.position();
    return units.remaining() / unitBytes;
  }

  /** The next bucket for a slot is in the piece. To be called before others learn of it. */
  void announce(int slot) {
    states.set(slot, IN_PIECE);
  }

  /** The bucket of a slot, out of the piece: copied now if nobody did. */
  SealedBucket take(int unit, int slot) {
    SealedBucket bucket = slots[slot];
    if (states.get(slot) == IN_PIECE && states.compareAndSet(slot, IN_PIECE, BEING_COPIED)) {
      try {
        bucket.take(piece, start + (unit - firstUnit) * unitBytes);
      } finally {
        states.set(slot, COPIED); // should it fail, nobody waits for ever
      }
      return bucket;
    }
    for (int spins = 0; states.get(slot) != COPIED; spins++) {
      if (spins < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(this, SHORT_WAIT_NANOS);
      }
    }
    return bucket;
  }
}
