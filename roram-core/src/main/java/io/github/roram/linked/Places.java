package io.github.roram.linked;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Which of the two places of each bucket is current: one bit a bucket, part of the client's state.
 * With one place a bucket that is, and nothing is to be remembered. Buckets are named by {@link
 * PathUnion#key}.
 */
final class Places {

  private final LinkedStoreLayout.Tree layout;
  private final int words;

  /** Whether the second place is current. */
  private final BitSet second;

  /** All first ones. */
  Places(LinkedStoreLayout.Tree layout) {
    this.layout = layout;
    int keys = areTwo() ? 2 * layout.geometry().leaves() : 0;
    words = (keys + Long.SIZE - 1) / Long.SIZE;
    second = new BitSet(keys);
  }

  /** Returns whether each bucket has two places. */
  boolean areTwo() {
    return layout.places() == 2;
  }

  /** Byte offset of the place of a bucket that is current. */
  long currentOffset(int key) {
    return offset(key, second.get(key) ? 1 : 0);
  }

  /** Byte offset of the other place, or of the only one. */
  long otherOffset(int key) {
    return offset(key, areTwo() && !second.get(key) ? 1 : 0);
  }

  private long offset(int key, int place) {
    int level = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(key);
    return layout.offset(level, key ^ Integer.highestOneBit(key), place);
  }

  /** From now on the other place of a bucket is current. */
  void flip(int key) {
    if (areTwo()) {
      second.flip(key);
    }
  }

  /** Returns the bytes of client memory. */
  long heldBytes() {
    return second.size() / Byte.SIZE;
  }

  /** Writes all of them. */
  void write(DataOutput out) throws IOException {
    for (long word : Arrays.copyOf(second.toLongArray(), words)) {
      out.writeLong(word);
    }
  }

  /** Loads what {@link #write} wrote. */
  void readFrom(DataInput in) throws IOException {
    long[] read = new long[words];
    for (int word = 0; word < words; word++) {
      read[word] = in.readLong();
    }
    second.clear();
    second.or(BitSet.valueOf(read));
  }
}
