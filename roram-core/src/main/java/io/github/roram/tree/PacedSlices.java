package io.github.roram.tree;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A long request in slices, paced by the reads that it serves. For each read that begins, as much
 * is requested that the whole takes somewhat fewer reads than are available; in addition, one slice
 * is always in flight. So a read's requests never wait behind much of it on the line, and it does
 * not depend on answers, which wait behind the data being read. If reads have to wait for it, all
 * of it is requested.
 *
 * <p>Where it is cut follows from its length, and when slices are sent follows from the reads.
 * Calls come one after another, on the executor.
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
   * Creates a request of which nothing has been sent.
   *
   * @param reads number of reads available: k for a write-back of k paths, A for an eviction of a
   *     ring
   */
  public PacedSlices(int units, int unitBytes, int reads, Slices.Slice slice, Executor turns) {
    this(units, unitBytes, reads, slice, end -> end, turns);
  }

  /** Creates a request that may be cut only at some places. */
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

  /** Begins. If a slice fails, the future fails once the slices in flight have ended. */
  public CompletableFuture<Void> begin() {
    slices.goOn();
    return slices.end();
  }

  /** Notes that a read was sent. */
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
