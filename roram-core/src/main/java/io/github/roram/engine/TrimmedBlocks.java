package io.github.roram.engine;

import com.carrotsearch.hppc.IntObjectHashMap;
import io.github.roram.BlockSink;
import io.github.roram.checkpoint.GradualCopy;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that were trimmed and not written since: one bit per block. Such a block reads as
 * zeros, whatever its copies in the trees hold. Part of the client's state.
 *
 * <p>The set takes memory only where a block was trimmed, in pages of {@value #PAGE_BLOCKS} blocks.
 * Not thread safe: used under the ORAM's lock.
 */
public final class TrimmedBlocks {

  private static final int PAGE_BLOCKS = 1 << 15;
  private static final int PAGE_BYTES = PAGE_BLOCKS / Byte.SIZE;

  private @Nullable BitSet[] pages;
  private long blocks;
  private @Nullable Copy copy;

  /** Creates an empty set for a number of blocks. */
  public TrimmedBlocks(long blocks) {
    this.blocks = blocks;
    pages = new BitSet[pages(blocks)];
  }

  private static int pages(long blocks) {
    return Math.toIntExact((blocks + PAGE_BLOCKS - 1) / PAGE_BLOCKS);
  }

  /**
   * Extends the set to {@code more} blocks, of which the added ones are not trimmed. Not allowed
   * while there is a copy.
   */
  public void grow(long more) {
    blocks = more;
    pages = Arrays.copyOf(pages, pages(more));
  }

  /** Returns whether a block is trimmed. */
  public boolean contains(long block) {
    BitSet page = pages[(int) (block / PAGE_BLOCKS)];
    return page != null && page.get((int) (block % PAGE_BLOCKS));
  }

  /** Returns whether no block is trimmed. */
  public boolean isEmpty() {
    for (BitSet page : pages) {
      if (page != null && !page.isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Makes consecutive existing blocks read as zeros. */
  public void add(long first, long count) {
    long end = first + count;
    for (long from = first; from < end; ) {
      int number = (int) (from / PAGE_BLOCKS);
      long pageStart = (long) number * PAGE_BLOCKS;
      long to = Math.min(end, pageStart + PAGE_BLOCKS);
      beforeChange(number);
      BitSet page = pages[number];
      if (page == null) {
        page = new BitSet(PAGE_BLOCKS);
        pages[number] = page;
      }
      page.set((int) (from - pageStart), (int) (to - pageStart));
      from = to;
    }
  }

  /**
   * Removes a block, because it is written.
   *
   * @return whether it was trimmed
   */
  public boolean remove(long block) {
    if (!contains(block)) {
      return false;
    }
    int number = (int) (block / PAGE_BLOCKS);
    beforeChange(number);
    BitSet page = pages[number];
    if (page != null) {
      page.clear((int) (block % PAGE_BLOCKS));
    }
    return true;
  }

  private void beforeChange(int page) {
    if (copy != null) {
      copy.beforeChange(page);
    }
  }

  /** Returns a copy of all bits as they are now. Its length does not depend on them. */
  public GradualCopy copy() {
    Copy started = new Copy(pages, (blocks + 7) / Byte.SIZE, () -> copy = null);
    copy = started;
    return started;
  }

  /**
   * Loads the output of a copy.
   *
   * @param saved number of blocks of the copy, at most the present number
   */
  public void readFrom(DataInput in, long saved) throws IOException {
    long left = (saved + 7) / Byte.SIZE;
    for (int number = 0; number < pages(saved); number++) {
      byte[] bytes = new byte[(int) Math.min(PAGE_BYTES, left)];
      in.readFully(bytes);
      BitSet page = BitSet.valueOf(bytes);
      pages[number] = page.isEmpty() ? null : page;
      left -= bytes.length;
    }
  }

  /** Returns a sink that passes on all blocks but the trimmed ones, which read as zeros. */
  public BlockSink withoutTrimmed(BlockSink sink) {
    return new BlockSink() {
      @Override
      public void accept(long block, ByteBuffer data) throws IOException {
        if (!contains(block)) {
          sink.accept(block, data);
        }
      }

      @Override
      public void advancedTo(long doneBytes, long totalBytes) throws IOException {
        sink.advancedTo(doneBytes, totalBytes);
      }
    };
  }

  /**
   * A copy: bit b mod 8, from the lowest on, of byte b / 8 is that of block b. Its length depends
   * on the number of blocks alone, so it does not tell whether any was trimmed.
   */
  private static final class Copy implements GradualCopy {

    private final @Nullable BitSet[] pages;
    private final long bytes;
    private final Runnable ended;

    /** Old content of pages that changed before they were written. */
    private final IntObjectHashMap<byte[]> aside = new IntObjectHashMap<>();

    private int next;
    private long written;

    Copy(@Nullable BitSet[] pages, long bytes, Runnable ended) {
      this.pages = pages;
      this.bytes = bytes;
      this.ended = ended;
    }

    @Override
    public long mostBytes() {
      return bytes;
    }

    /** Called before a bit of this page changes. */
    void beforeChange(int page) {
      if (page >= next && !aside.containsKey(page)) {
        aside.put(page, bytes(page));
      }
    }

    private byte[] bytes(int page) {
      BitSet bits = pages[page];
      return bits == null ? new byte[0] : bits.toByteArray();
    }

    @Override
    public boolean step(DataOutput out) throws IOException {
      byte[] kept = aside.remove(next);
      byte[] page = kept == null ? bytes(next) : kept;
      int length = (int) Math.min(PAGE_BYTES, bytes - written);
      out.write(Arrays.copyOf(page, length));
      written += length;
      next++;
      return written < bytes;
    }

    @Override
    public void end() {
      ended.run();
    }
  }
}
