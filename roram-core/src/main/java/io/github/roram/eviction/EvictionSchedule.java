package io.github.roram.eviction;

/**
 * Which paths a tree evicts, and when: a function of the sequence of size classes alone, never of
 * addresses, data or operation (construction, section 2.1 step 4, and section 7 for the window).
 *
 * <p>Eviction t touches bucket {@code t mod 2^j} at every level j (rORAM, §IV-B). The counter
 * starts at 2^h and never wraps. A debt of one block is 1/A evictions; the fraction is carried
 * exactly.
 */
public final class EvictionSchedule {

  private final int rate;
  private final int windowBlocks;
  private final int chunkPaths;
  private long evictions;
  private long owedBlocks;

  /**
   * A schedule.
   *
   * @param rate A
   * @param windowBlocks W: evictions are due once this many blocks are owed
   * @param chunkPaths K: the most evictions of one chunk
   * @param evictions cnt, where the counter starts: 2^h
   */
  public EvictionSchedule(int rate, int windowBlocks, int chunkPaths, long evictions) {
    this.rate = rate;
    this.windowBlocks = windowBlocks;
    this.chunkPaths = chunkPaths;
    this.evictions = evictions;
  }

  /** cnt: the next chunk evicts from this number on. */
  public long evictions() {
    return evictions;
  }

  /** Blocks inserted whose evictions are still to be done. */
  public long owedBlocks() {
    return owedBlocks;
  }

  /** Owes the evictions for {@code blocks} more blocks. */
  public void owe(long blocks) {
    owedBlocks += blocks;
  }

  /** Number of evictions that the next chunk does; 0 if none is due. */
  public int due() {
    if (owedBlocks < windowBlocks) {
      return 0;
    }
    return (int) Math.min(chunkPaths, owedBlocks / rate);
  }

  /** Records that a chunk of evictions was done. */
  public void done(int paths) {
    evictions += paths;
    owedBlocks -= (long) paths * rate;
  }

  /** Starts over, as after {@code count} evictions with nothing owed. */
  public void reset(long count) {
    restore(count, 0);
  }

  /** Continues where a saved schedule stood. */
  public void restore(long count, long owed) {
    evictions = count;
    owedBlocks = owed;
  }
}
