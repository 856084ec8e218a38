package io.github.roram.posmap;

import io.github.roram.IntegrityException;
import io.github.roram.checkpoint.StateCopy;
import java.io.DataInput;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One bit for each slot of a tree, which the client holds in memory or in a file. Not thread safe.
 */
public final class SlotBits {

  private final MapArray words;

  /**
   * Creates bits of which none is set.
   *
   * @param slots number of slots, 0 to 2^36
   * @param directory directory of a file with the bits; null for bits on the heap
   * @throws io.github.roram.ConfigurationException if a file cannot be created there
   */
  public SlotBits(long slots, @Nullable Path directory) {
    int length = Math.toIntExact((slots + Integer.SIZE - 1) / Integer.SIZE);
    words = directory == null ? MapArray.onHeap(length) : MapArray.inFile(directory, length);
  }

  /** Returns the bits of slots 32 · word to 32 · word + 31, the first in the lowest place. */
  public int word(long word) {
    return words.get((int) word);
  }

  /** Clears the bits of a word. */
  public void clearWord(long word) {
    put((int) word, 0);
  }

  /** Returns whether the bit of a slot is set. */
  public boolean get(long slot) {
    return (words.get((int) (slot / Integer.SIZE)) & 1 << (slot % Integer.SIZE)) != 0;
  }

  /** Sets the bit of a slot. */
  public void set(long slot) {
    int word = (int) (slot / Integer.SIZE);
    put(word, words.get(word) | 1 << (slot % Integer.SIZE));
  }

  private void put(int word, int value) {
    if (words.get(word) != value) {
      words.set(word, value);
    }
  }

  /** Clears all bits. */
  public void clear() {
    words.clear();
  }

  /**
   * Adds the bits to the saved state.
   *
   * @param most the most words that can have been set, a public number
   */
  public void addTo(StateCopy state, long most) {
    state.add(words.startCopy(most));
  }

  /** Loads what {@link #addTo} added. */
  public void readFrom(DataInput in) throws IOException {
    int saved = in.readInt();
    if (saved != words.length()) {
      throw new IntegrityException(
          "the saved bits of slots are "
              + saved
              + " words, not "
              + words.length()
              + "; restore the client's state from a copy");
    }
    words.readFrom(in);
  }

  /** Returns the bytes of client memory that the bits take. */
  public long heldBytes() {
    return words.heldBytes();
  }
}
