package io.github.roram.linked;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The current one of the two places of each bucket: one bit per bucket, part of the client's state.
 * With one place per bucket there is nothing to remember. Buckets are named by {@link
 * PathUnion#key}.
 */
final class Places {

  private final LinkedStoreLayout.Tree layout;
  private final int words;

  /** The keys of the buckets whose second place is current. */
  private final BitSet second;

  /** Creates the state in which all first places are current. */
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

  /** Returns the byte offset of a bucket's current place. */
  long currentOffset(int key) {
    return offset(key, second.get(key) ? 1 : 0);
  }

  /** Returns the byte offset of a bucket's other place, or of its only one. */
  long otherOffset(int key) {
    return offset(key, areTwo() && !second.get(key) ? 1 : 0);
  }

  private long offset(int key, int place) {
    int level = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(key);
    return layout.offset(level, key ^ Integer.highestOneBit(key), place);
  }

  /** Makes the other place of a bucket the current one. */
  void flip(int key) {
    if (areTwo()) {
      second.flip(key);
    }
  }

  /** Returns the bytes of client memory. */
  long heldBytes() {
    return second.size() / Byte.SIZE;
  }

  /** Writes the state of all buckets. */
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
