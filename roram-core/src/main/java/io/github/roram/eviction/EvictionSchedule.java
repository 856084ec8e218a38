package io.github.roram.eviction;

import io.github.roram.parameters.TreeParameters;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Which paths a tree evicts, in bit-reversed (reverse lexicographic) order, and when: a function of
 * the sequence of size classes alone, never of addresses, data or operation (construction, section
 * 2.1 step 4, and section 7 for the window).
 *
 * <p>Eviction t touches bucket {@code t mod 2^j} at every level j (rORAM, §IV-B). The counter
 * starts at 2^h and never wraps. A debt of one block is 1/A evictions; the fraction is carried
 * exactly. If A is 3.5, evictions pay for 3 and 4 blocks in turn, by their numbers, so that the
 * debt is always a whole number.
 *
 * <p>With a public write share ρ below 1 (construction, section 7), a tree that is only written to
 * owes ρ blocks for each block that might have been written. Blocks written beyond the share are
 * the backlog; when it exceeds its bound, all of it is owed at once.
 *
 * <p>If the store may learn which accesses write (rORAM, §VIII-C), blocks that were written one by
 * one are the backlog, until the tree's turn.
 *
 * <h2>Security</h2>
 *
 * Evictions that come early because the backlog is full depend on how much was written: they show
 * that since the backlog was last empty, more than the share was written, by the bound of the
 * backlog. Apart from that, and always with ρ = 1, due evictions follow from the classes alone; or,
 * if it is shown which accesses write, from the classes and that.
 */
public final class EvictionSchedule {

  private final int halfBlocks;
  private final int windowBlocks;
  private final int chunkPaths;
  private final WriteShare share;
  private final long firstEviction;
  private long evictions;
  private long owedBlocks;

  /** The debt beyond whole blocks, in parts of a block: see {@link WriteShare#PARTS}. */
  private long owedParts;

  private long backlogBlocks;
  private long paddingBlocks;

  /**
   * Creates a schedule.
   *
   * @param halfBlocks 2A: half blocks that an eviction pays for
   * @param windowBlocks W: evictions are due once this many blocks are owed
   * @param chunkPaths K: the most evictions of one chunk
   * @param evictions cnt, where the counter starts: 2^h
   * @param share the share of possible writes that is owed for
   */
  public EvictionSchedule(
      int halfBlocks, int windowBlocks, int chunkPaths, long evictions, WriteShare share) {
    this.share = share;
    this.halfBlocks = halfBlocks;
    this.windowBlocks = windowBlocks;
    this.chunkPaths = chunkPaths;
    this.firstEviction = evictions;
    this.evictions = evictions;
  }

  /** Returns cnt: the number of the next chunk's first eviction. */
  public long evictions() {
    return evictions;
  }

  /** Blocks inserted whose evictions are still to be done. */
  public long owedBlocks() {
    return owedBlocks;
  }

  /**
   * Returns the most blocks that accesses can have brought to a tree that was empty: those that
   * they owed, computed from the evictions. This is public; it is no bound beyond one lap of the
   * counter, or after a bulk load.
   */
  public long mostEntered() {
    long done = evictions - firstEviction;
    // Postponed blocks depend on the accesses that are shown to write, as owed blocks do.
    long putOff = share.isWhole() ? backlogBlocks : 0;
    return done >= firstEviction
        ? Long.MAX_VALUE
        : ((done * halfBlocks + 1) / 2 + owedBlocks + putOff + 1)
            * WriteShare.PARTS
            / share.parts();
  }

  /** Owes the evictions for {@code blocks} more blocks. */
  public void owe(long blocks) {
    owedBlocks += blocks;
  }

  /**
   * Owes the evictions for an access of another tree, by which up to {@code blocks} blocks came.
   */
  public void oweShare(long blocks) {
    long parts = owedParts + blocks * share.parts();
    long whole = parts / WriteShare.PARTS;
    owedParts = parts % WriteShare.PARTS;
    owedBlocks += whole;
    backlogBlocks = Math.max(0, backlogBlocks - whole);
  }

  /**
   * Records that blocks were written by an access of another tree, and so came to this one, too.
   * Several at once count as they do one by one, which is how a replay of the journal has them.
   */
  public void writtenBeside(int blocks) {
    if (share.isWhole()) {
      return;
    }
    for (int block = 0; block < blocks; block++) {
      backlogBlocks++;
      if (backlogBlocks > share.backlogBlocks()) {
        owedBlocks += backlogBlocks;
        paddingBlocks += backlogBlocks;
        backlogBlocks = 0;
      }
    }
  }

  /** Puts off what is owed for a block that was written, until {@link #owePutOff}. */
  public void putOffBlock() {
    backlogBlocks++;
  }

  /** Owes what was put off: it is this tree's turn. */
  public void owePutOff() {
    owedBlocks += backlogBlocks;
    backlogBlocks = 0;
  }

  /** Blocks written beyond the share, or put off, whose evictions are not owed yet. */
  public long backlogBlocks() {
    return backlogBlocks;
  }

  /** Blocks that were owed for because the backlog was full, since the schedule was made. */
  public long paddingBlocks() {
    return paddingBlocks;
  }

  /** Returns the number of evictions that the next chunk does; 0 if none is due. */
  public int due() {
    return due(evictions, owedBlocks);
  }

  /**
   * Returns the number of evictions that the chunk after one of {@code paths} does; 0 if none would
   * be due.
   */
  public int dueAfter(int paths) {
    return due(evictions + paths, owedBlocks - paidBy(evictions, paths));
  }

  private int due(long first, long owed) {
    if (owed < windowBlocks) {
      return 0;
    }
    long paths = 2 * owed / halfBlocks;
    // The first may be one that pays half a block less.
    return (int) Math.min(chunkPaths, paidBy(first, paths + 1) <= owed ? paths + 1 : paths);
  }

  /** Blocks that evictions from one on pay for: all up to number t pay for ⌊At⌋. */
  private long paidBy(long first, long paths) {
    long half = first & halfBlocks & 1;
    return (half + paths * halfBlocks) / 2;
  }

  /** Records that a chunk of evictions was done. */
  public void done(int paths) {
    owedBlocks -= paidBy(evictions, paths);
    evictions += paths;
  }

  /** Starts over, as after {@code count} evictions with nothing owed. */
  public void reset(long count) {
    restore(count, 0);
  }

  /** Continues where a saved schedule stood. */
  public void restore(long count, long owed) {
    evictions = count;
    owedBlocks = owed;
    owedParts = 0;
    backlogBlocks = 0;
  }

  /** Continues where another one of the same tree stands. */
  public void goOnFrom(EvictionSchedule other) {
    evictions = other.evictions;
    owedBlocks = other.owedBlocks;
    owedParts = other.owedParts;
    backlogBlocks = other.backlogBlocks;
    paddingBlocks = other.paddingBlocks;
  }

  /** Saves the share's account; nothing where there is never a backlog. */
  public void writeShareTo(DataOutput out) throws IOException {
    if (share.hasBacklog()) {
      out.writeLong(owedParts);
      out.writeLong(backlogBlocks);
    }
  }

  /** Loads what {@link #writeShareTo} saved. */
  public void readShareFrom(DataInput in) throws IOException {
    if (share.hasBacklog()) {
      owedParts = in.readLong();
      backlogBlocks = in.readLong();
    }
  }

  /**
   * The public write share ρ (construction, section 7).
   *
   * @param parts ρ in parts of {@link #PARTS}
   * @param backlogBlocks the most blocks that a tree may hold before they are owed for: beyond the
   *     share, or, where it is shown which accesses write, put off until the tree's turn; 0 if all
   *     are owed for at once
   */
  public record WriteShare(int parts, int backlogBlocks) {

    /** ρ = 1. */
    public static final int PARTS = TreeParameters.WRITE_SHARE_PARTS;

    /** Everything might be written. */
    public static final WriteShare WHOLE = new WriteShare(PARTS, 0);

    /** Returns whether ρ = 1, so that nothing is ever written beyond it. */
    public boolean isWhole() {
      return parts == PARTS;
    }

    /** Returns whether there may be a backlog. */
    boolean hasBacklog() {
      return backlogBlocks > 0;
    }
  }
}
