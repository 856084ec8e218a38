package io.github.roram.storage.file;

/**
 * Tells by their time whether reads wait for a medium or are answered from the operating system's
 * memory. If none waits, nothing is gained by waiting for several at once.
 *
 * <p>A slow read outweighs several fast ones, so that a batch counts as slow even if its first
 * extents are cached. Not safe for use by several threads.
 */
public final class ReadPace {

  /** Above what a call takes whose bytes are in memory, below what any medium takes. */
  private static final long CALL_NANOS = 25_000;

  /** A copy in memory runs at more than this. */
  private static final long BYTES_FOR_NANO = 2;

  /** Number of slow reads beyond which further ones carry no more weight. */
  private static final int MOST_SLOW = 4;

  private final int fastForSlow;
  private int fastToCome;

  /**
   * Creates a pace before the first read.
   *
   * @param fastForSlow number of fast reads that outweigh a slow one
   * @param slowAtFirst whether reads count as slow until that many were fast
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

  /** Returns whether reads wait for a medium. */
  public boolean isSlow() {
    return fastToCome > 0;
  }
}
