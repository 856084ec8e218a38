package io.github.roram.detwo;

import io.github.roram.checkpoint.GradualCopy;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The position map. An entry is the slot of the write that put the block into the holding area, p
 * mod (M + S), or says that the block is in the main area, where its place needs no map. Entries
 * take ⌈log2(M + S + 1)⌉ bits, less than four bytes; the map is equally long whatever was written.
 *
 * <p>Not thread safe.
 */
final class HoldingMap {

  private static final int PAGE_WORDS = 512;

  private final int blocks;
  private final int bits;
  private final long mask;
  private final long[] words;
  private @Nullable Copy copy;

  /**
   * Creates a map in which all blocks are in the main area.
   *
   * @param slots number of different slots
   */
  HoldingMap(int blocks, int slots) {
    this.blocks = blocks;
    bits = Integer.SIZE - Integer.numberOfLeadingZeros(slots);
    mask = (1L << bits) - 1;
    words = new long[Math.toIntExact(((long) blocks * bits + Long.SIZE - 1) / Long.SIZE)];
  }

  /** Returns the bits of an entry. */
  int bits() {
    return bits;
  }

  /** Returns the slot of the write that put a block into the holding area, or −1 for none. */
  int slot(int block) {
    long bit = (long) block * bits;
    int word = (int) (bit >>> 6);
    int shift = (int) (bit & 63);
    long value = words[word] >>> shift;
    if (shift + bits > Long.SIZE) {
      value |= words[word + 1] << (Long.SIZE - shift);
    }
    return (int) (value & mask) - 1;
  }

  /** Sets the slot of a block; −1 puts it into the main area. */
  void setSlot(int block, int slot) {
    long bit = (long) block * bits;
    int word = (int) (bit >>> 6);
    int shift = (int) (bit & 63);
    long value = slot + 1L;
    put(word, (words[word] & ~(mask << shift)) | (value << shift));
    if (shift + bits > Long.SIZE) {
      int spill = Long.SIZE - shift;
      put(word + 1, (words[word + 1] & ~(mask >>> spill)) | (value >>> spill));
    }
  }

  private void put(int word, long value) {
    if (copy != null && words[word] != value) {
      copy.beforeChange(word);
    }
    words[word] = value;
  }

  /** Puts all blocks into the main area. */
  void clear() {
    for (int block = 0; block < blocks; block++) {
      setSlot(block, -1);
    }
  }

  /** Starts a copy of the map as it is now, made piece by piece; one copy at a time. */
  GradualCopy startCopy() {
    if (copy != null) {
      throw new IllegalStateException("the page table is being copied");
    }
    copy = new Copy();
    return copy;
  }

  void readFrom(DataInput in) throws IOException {
    for (int word = 0; word < words.length; word++) {
      words[word] = in.readLong();
    }
  }

  private final class Copy implements GradualCopy {

    /** Old content of pages that changed before they were copied. */
    private final Map<Integer, long[]> aside = new HashMap<>();

    private final BitSet kept = new BitSet();
    private int next;

    @Override
    public long mostBytes() {
      return (long) words.length * Long.BYTES;
    }

    void beforeChange(int word) {
      int page = word / PAGE_WORDS;
      if (page >= next && !kept.get(page)) {
        kept.set(page);
        int first = page * PAGE_WORDS;
        aside.put(
            page, Arrays.copyOfRange(words, first, Math.min(words.length, first + PAGE_WORDS)));
      }
    }

    @Override
    public boolean step(DataOutput out) throws IOException {
      int first = next * PAGE_WORDS;
      long[] changed = aside.remove(next);
      int count = Math.min(PAGE_WORDS, words.length - first);
      for (int i = 0; i < count; i++) {
        out.writeLong(changed == null ? words[first + i] : changed[i]);
      }
      next++;
      return (long) next * PAGE_WORDS < words.length;
    }

    @Override
    public void end() {
      if (copy == this) {
        copy = null;
      }
    }
  }
}
