package io.github.roram.linked;

import io.github.roram.tree.Slices;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A write-back in slices, as fast as paths are read: for each read that begins so much is written
 * that a write-back of k paths takes somewhat fewer than k reads; besides that, one slice is always
 * under way. So the requests of reads never wait behind much of it on the line, and it needs no
 * answers to go on, which wait behind what is being read. Without room for reads all of it is asked
 * for.
 *
 * <p>How it is cut follows from its length, when from the reads. Calls come one after another, on
 * the executor.
 */
final class PacedWrite {

  /**
   * How much faster than paths are read. With less, write-backs do not keep up; with more, requests
   * of reads wait behind them: 2 costs a twentieth of the accesses at 11 MB/s and 12 ms.
   */
  private static final int HASTE_PERCENT = 125;

  private final int units;
  private final int unitsForRead;
  private final Slices slices;
  private int allowed;

  /**
   * A write, of which nothing is asked for yet.
   *
   * @param paths k
   */
  PacedWrite(int units, int unitBytes, int paths, Slices.Slice slice, Executor turns) {
    this.units = units;
    unitsForRead = (units * HASTE_PERCENT / 100 + paths - 1) / paths;
    slices =
        new Slices(
            units,
            unitBytes,
            (first, count) -> {
              allowed = Math.max(0, allowed - count);
              return slice.ask(first, count);
            },
            underWay -> allowed > 0 ? allowed : underWay == 0 ? units : 0,
            turns);
  }

  /** Begins; the future fails, if a slice does, when those under way have ended. */
  CompletableFuture<Void> begin() {
    slices.goOn();
    return slices.end();
  }

  /** A read was asked for. */
  void readBegan() {
    allowed = Math.min(units, allowed + unitsForRead);
    slices.goOn();
  }

  /** Reads wait for this to end. */
  void hurry() {
    allowed = units;
    slices.goOn();
  }
}
