package io.github.roram.storage.file;

/**
 * Tells reads that wait for a medium from those that the operating system answers from its memory,
 * by their time. Where nothing waits there is nothing to win by waiting for several at once.
 *
 * <p>A slow read outweighs a number of fast ones, so that batches whose first extents are cached
 * and whose others are not count as slow. Not safe for use by several threads.
 */
public final class ReadPace {

  /** Above what a call takes whose bytes are in memory, below what any medium takes. */
  private static final long CALL_NANOS = 25_000;

  /** A copy in memory runs at more than this. */
  private static final long BYTES_FOR_NANO = 2;

  /** So many slow reads weigh as much as more of them. */
  private static final int MOST_SLOW = 4;

  private final int fastForSlow;
  private int fastToCome;

  /**
   * A pace that has yet to be found out.
   *
   * @param fastForSlow so many fast reads make good for a slow one
   * @param slowAtFirst whether reads are taken for slow until so many were fast
   */
  public ReadPace(int fastForSlow, boolean slowAtFirst) {
    this.fastForSlow = fastForSlow;
    fastToCome = slowAtFirst ? fastForSlow : 0;
  }

  /** Records a read. */
  public void add(int bytes, long nanos) {
    boolean slow = nanos > CALL_NANOS + bytes / BYTES_FOR_NANO;
    fastToCome =
        slow
            ? Math.min(MOST_SLOW * fastForSlow, fastToCome + fastForSlow)
            : Math.max(0, fastToCome - 1);
  }

  /** Whether reads wait for a medium. */
  public boolean isSlow() {
    return fastToCome > 0;
  }
}
