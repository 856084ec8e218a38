package io.github.roram.map;

import io.github.roram.ConfigurationException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The longest key and value of a map; each entry takes room for both. Immutable.
 *
 * <p>Entries are in slots of a block; big endian:
 *
 * <pre>
 *   0  length of the key + 1, or 0 in an empty slot   u16
 *   2  key, then zeros
 *   k  length of the value                            u32
 *      value, then zeros
 * </pre>
 *
 * @param keyBytes longest key, 1 to 1024
 * @param valueBytes longest value, 0 to 65536
 */
public record EntryShape(int keyBytes, int valueBytes) {

  private static final int MOST_KEY_BYTES = 1024;
  private static final int MOST_VALUE_BYTES = 1 << 16;

  /**
   * Checks the lengths.
   *
   * @throws ConfigurationException if one is out of bounds
   */
  public EntryShape {
    if (keyBytes < 1 || keyBytes > MOST_KEY_BYTES) {
      throw new ConfigurationException(
          "keys of up to " + keyBytes + " bytes, must be 1 to " + MOST_KEY_BYTES + "; hash them");
    }
    if (valueBytes < 0 || valueBytes > MOST_VALUE_BYTES) {
      throw new ConfigurationException(
          "values of up to " + valueBytes + " bytes, must be 0 to " + MOST_VALUE_BYTES);
    }
  }

  int slotBytes() {
    return Short.BYTES + keyBytes + Integer.BYTES + valueBytes;
  }

  /** Returns how many entries fit in {@code bytes} bytes. */
  int slots(int bytes) {
    return bytes / slotBytes();
  }

  /**
   * Refuses a key that is too long.
   *
   * @throws IllegalArgumentException if it has more than {@link #keyBytes} bytes
   */
  public void checkKey(byte[] key) {
    if (key.length > keyBytes) {
      throw new IllegalArgumentException(
          "the key has " + key.length + " bytes, this map's have at most " + keyBytes);
    }
  }

  /** Refuses a value that is too long. */
  void checkValue(byte[] value) {
    if (value.length > valueBytes) {
      throw new IllegalArgumentException(
          "the value has " + value.length + " bytes, this map's have at most " + valueBytes);
    }
  }

  private int at(int first, int slot) {
    return first + slot * slotBytes();
  }

  /** Returns whether a slot has no entry. */
  boolean isEmpty(ByteBuffer block, int first, int slot) {
    return block.getShort(at(first, slot)) == 0;
  }

  /** Returns how many slots have entries. */
  int used(ByteBuffer block, int first, int slots) {
    int used = 0;
    for (int slot = 0; slot < slots; slot++) {
      used += isEmpty(block, first, slot) ? 0 : 1;
    }
    return used;
  }

  /**
   * Returns the slot of a key, or −1; always looks at all slots.
   *
   * @param first where the first slot is
   */
  int find(ByteBuffer block, int first, int slots, byte[] key) {
    int found = -1;
    for (int slot = 0; slot < slots; slot++) {
      int at = at(first, slot);
      if (block.getShort(at) == (short) (key.length + 1)
          && block.slice(at + Short.BYTES, key.length).equals(ByteBuffer.wrap(key))) {
        found = slot;
      }
    }
    return found;
  }

  /** Returns a slot without an entry; −1 if there is none. */
  int findEmpty(ByteBuffer block, int first, int slots) {
    for (int slot = 0; slot < slots; slot++) {
      if (isEmpty(block, first, slot)) {
        return slot;
      }
    }
    return -1;
  }

  byte[] key(ByteBuffer block, int first, int slot) {
    byte[] key = new byte[(block.getShort(at(first, slot)) & 0xFFFF) - 1];
    block.get(at(first, slot) + Short.BYTES, key);
    return key;
  }

  byte[] value(ByteBuffer block, int first, int slot) {
    int at = at(first, slot) + Short.BYTES + keyBytes;
    byte[] value = new byte[block.getInt(at)];
    block.get(at + Integer.BYTES, value);
    return value;
  }

  void clear(ByteBuffer block, int first, int slot) {
    block.put(at(first, slot), new byte[slotBytes()]);
  }

  void put(ByteBuffer block, int first, int slot, byte[] key, byte[] value) {
    int at = at(first, slot);
    block.putShort(at, (short) (key.length + 1));
    block.put(at + Short.BYTES, Arrays.copyOf(key, keyBytes));
    block.putInt(at + Short.BYTES + keyBytes, value.length);
    block.put(at + Short.BYTES + keyBytes + Integer.BYTES, Arrays.copyOf(value, valueBytes));
  }
}
