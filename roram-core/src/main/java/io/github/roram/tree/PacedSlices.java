package io.github.roram.tree;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A long request in slices, as fast as the reads that it is for: for each read that begins so much
 * is asked for that all of it takes somewhat fewer reads than there are for it; besides that, one
 * slice is always under way. So the requests of reads never wait behind much of it on the line, and
 * it needs no answers to go on, which wait behind what is being read. Where reads have to wait for
 * it, all of it is asked for.
 *
 * <p>How it is cut follows from its length, when from the reads. Calls come one after another, on
 * the executor.
 */
public final class PacedSlices {

  /**
   * How much faster than the reads. With less, write-backs do not keep up; with more, requests of
   * reads wait behind them: 2 costs a twentieth of the accesses at 11 MB/s and 12 ms.
   */
  private static final int HASTE_PERCENT = 125;

  private final int units;
  private final int unitsForRead;
  private final Slices slices;
  private int allowed;

  /**
   * A request, of which nothing is asked for yet.
   *
   * @param reads how many there are for it: k for a write-back of k paths, A for an eviction of a
   *     ring
   */
  public PacedSlices(int units, int unitBytes, int reads, Slices.Slice slice, Executor turns) {
    this(units, unitBytes, reads, slice, end -> end, turns);
  }

  /** As above, cut at some places only. */
  public PacedSlices(
      int units, int unitBytes, int reads, Slices.Slice slice, Slices.Cut cut, Executor turns) {
    this.units = units;
    unitsForRead = (units * HASTE_PERCENT / 100 + reads - 1) / reads;
    slices =
        new Slices(
            units,
            unitBytes,
            (first, count) -> {
              allowed = Math.max(0, allowed - count);
              return slice.ask(first, count);
            },
            underWay -> allowed > 0 ? allowed : underWay == 0 ? units : 0,
            cut,
            turns);
  }

  /** Begins; the future fails, if a slice does, when those under way have ended. */
  public CompletableFuture<Void> begin() {
    slices.goOn();
    return slices.end();
  }

  /** A read was asked for. */
  public void readBegan() {
    allowed = Math.min(units, allowed + unitsForRead);
    slices.goOn();
  }

  /** Reads wait for this to end. */
  public void hurry() {
    allowed = units;
    slices.goOn();
  }
}
