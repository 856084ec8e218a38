package io.github.roram.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client's watermark in a file of {@link #BYTES} bytes with two slots: a crash leaves at least
 * one. For authors of stores on files.
 *
 * <pre>
 *  two slots of 512 bytes
 *    0  number of the writing  u64, from 1
 *    8  watermark              64
 *   72  CRC-32C of it all      u32
 *   76  zeros                  436
 * </pre>
 *
 * <p>The slot that was forced last is not overwritten: unforced watermarks go to the other slot,
 * again and again. Thread safety: safe.
 */
public final class WatermarkSlots {

  /** Bytes of the file. */
  public static final int BYTES = 1024;

  private static final int SLOT_BYTES = BYTES / 2;
  private static final int CRC_OFFSET = Long.BYTES + BlockStore.WATERMARK_BYTES;
  private static final int USED_BYTES = CRC_OFFSET + Integer.BYTES;

  /** Half the numbers, which wrap around and skip 0: the newer of two is less than this ahead. */
  private static final long HALF = 1L << 62;

  /** The file. */
  public interface Medium {
    /** Writes bytes at an offset. */
    void write(int offset, byte[] bytes) throws IOException;

    /** Makes the file's content durable. */
    void force() throws IOException;
  }

  private final Medium medium;
  private final byte[] @Nullable [] slots = new byte[2][];
  private long number;

  /** The slot that is not overwritten. */
  private int forced;

  /** Whether that slot is durable: an earlier process may not have forced it. */
  private boolean isForced;

  /**
   * Reads the slots of a file.
   *
   * @param found the file's content; zeros, or empty, if it is new
   */
  public WatermarkSlots(byte[] found, Medium medium) {
    this.medium = medium;
    for (int slot = 0; slot < slots.length; slot++) {
      long of = found.length < BYTES ? 0 : number(found, slot);
      if (of > 0) {
        int start = slot * SLOT_BYTES + Long.BYTES;
        slots[slot] = Arrays.copyOfRange(found, start, start + BlockStore.WATERMARK_BYTES);
      }
      if (of > 0 && (number == 0 || isNewer(of, number))) {
        number = of;
        forced = slot;
      }
    }
  }

  /** Returns the number of a slot; 0 if the slot holds nothing valid. */
  private static long number(byte[] found, int slot) {
    int start = slot * SLOT_BYTES;
    ByteBuffer in = ByteBuffer.wrap(found, start, SLOT_BYTES).slice();
    boolean whole = in.getInt(CRC_OFFSET) == Crc32c.of(found, start, CRC_OFFSET);
    return whole ? in.getLong(0) : 0;
  }

  private static boolean isNewer(long number, long other) {
    return ((number - other) & Long.MAX_VALUE) < HALF;
  }

  private static long next(long number) {
    return number == Long.MAX_VALUE ? 1 : number + 1;
  }

  /** Keeps a watermark as {@link BlockStore#keepWatermark} requires. */
  public synchronized void keep(byte[] watermark, boolean durably) throws IOException {
    if (!isForced) {
      medium.force();
      isForced = true;
    }
    int slot = 1 - forced;
    ByteBuffer out = ByteBuffer.allocate(USED_BYTES);
    out.putLong(next(number)).put(watermark, 0, BlockStore.WATERMARK_BYTES);
    out.putInt(Crc32c.of(out.array(), 0, CRC_OFFSET));
    number = next(number);
    medium.write(slot * SLOT_BYTES, out.array());
    slots[slot] = watermark.clone();
    if (durably) {
      medium.force();
      forced = slot;
    }
  }

  /** Returns the watermarks that are valid. */
  public synchronized List<byte[]> all() {
    List<byte[]> all = new ArrayList<>();
    for (byte[] slot : slots) {
      if (slot != null) {
        all.add(slot.clone());
      }
    }
    return all;
  }
}
