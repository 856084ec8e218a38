package io.github.roram.store;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Which units of a read a store returns as their XOR (Ring ORAM, section 3.2, "XOR technique"):
 * each unit of the request is in one of these groups, whose units follow one another.
 *
 * <p>The <i>result</i> of a group of n units:
 *
 * <pre>
 *  n × ( first {@link #headBytes} bytes of a unit | its last {@link #tailBytes} bytes )
 *    | XOR of what is between them in the n units
 * </pre>
 *
 * So what a client needs of each unit, a nonce and a tag, comes as it is. Not safe for use by
 * several threads while it is changed.
 */
public final class XorGroups {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final int unitBytes;
  private final int headBytes;
  private final int tailBytes;
  private int[] firstUnits = new int[17];
  private int groups;

  /**
   * None.
   *
   * @throws IllegalArgumentException unless head and tail are shorter than a unit together
   */
  public XorGroups(int unitBytes, int headBytes, int tailBytes) {
    if (headBytes < 0 || tailBytes < 0 || headBytes >= unitBytes - tailBytes) {
      throw new IllegalArgumentException(
          "units of "
              + unitBytes
              + " bytes have heads of "
              + headBytes
              + " and tails of "
              + tailBytes
              + ", which must be shorter together");
    }
    this.unitBytes = unitBytes;
    this.headBytes = headBytes;
    this.tailBytes = tailBytes;
  }

  /** Empties it. */
  public void clear() {
    groups = 0;
  }

  /** The same units, in no groups yet. */
  public XorGroups emptyLike() {
    return new XorGroups(unitBytes, headBytes, tailBytes);
  }

  /** Appends a group of the next {@code units} units, at least 1. */
  public XorGroups add(int units) {
    if (units < 1) {
      throw new IllegalArgumentException("a group of " + units + " units, must be at least 1");
    }
    if (groups + 1 == firstUnits.length) {
      firstUnits = Arrays.copyOf(firstUnits, 2 * firstUnits.length);
    }
    firstUnits[groups + 1] = Math.addExact(firstUnits[groups], units);
    groups++;
    return this;
  }

  /** Number of groups. */
  public int groups() {
    return groups;
  }

  /** Number of a group's units. */
  public int units(int group) {
    return firstUnits[group + 1] - firstUnits[group];
  }

  /** Number, over the whole request, of a group's first unit; of none behind the last one, too. */
  public int firstUnit(int group) {
    return firstUnits[group];
  }

  /** Number of units of all groups. */
  public int units() {
    return firstUnits[groups];
  }

  /** Bytes of one unit. */
  public int unitBytes() {
    return unitBytes;
  }

  /** Bytes of a unit before those that are put together. */
  public int headBytes() {
    return headBytes;
  }

  /** Bytes of a unit after those that are put together. */
  public int tailBytes() {
    return tailBytes;
  }

  /** Bytes of the result of a group. */
  public int bytes(int group) {
    return (units(group) - 1) * (headBytes + tailBytes) + unitBytes;
  }

  /** Bytes of all results. */
  public long bytes() {
    return (long) (units() - groups) * (headBytes + tailBytes) + (long) groups * unitBytes;
  }

  /**
   * Takes the units and hands on the results, each as a piece of its own.
   *
   * @param results takes the number of a group and its result
   */
  public UnitSink into(UnitSink results) {
    return new Fold(results);
  }

  /**
   * Puts units together, however the bytes of their request are cut. One thread at a time, each of
   * which sees what the one before did.
   */
  private final class Fold implements UnitSink {

    private final UnitSink results;
    private byte[] result = new byte[0];
    private byte[] piece = new byte[0];
    private int group;
    private int unit;
    private int inUnit;

    private Fold(UnitSink results) {
      this.results = results;
    }

    /** Takes the next bytes of the request; where they belong follows from those before. */
    @Override
    public void accept(int firstUnit, ByteBuffer units) throws IOException {
      while (units.hasRemaining()) {
        if (unit == 0 && inUnit == 0) {
          begin();
        }
        int ends = headBytes + tailBytes;
        if (inUnit < headBytes) {
          int bytes = Math.min(headBytes - inUnit, units.remaining());
          units.get(result, unit * ends + inUnit, bytes);
          inUnit += bytes;
        } else if (inUnit < unitBytes - tailBytes) {
          int bytes = Math.min(unitBytes - tailBytes - inUnit, units.remaining());
          put(units, units(group) * ends + inUnit - headBytes, bytes);
          inUnit += bytes;
        } else {
          int bytes = Math.min(unitBytes - inUnit, units.remaining());
          units.get(result, (unit + 1) * ends - (unitBytes - inUnit), bytes);
          inUnit += bytes;
        }
        if (inUnit == unitBytes) {
          inUnit = 0;
          end();
        }
      }
    }

    private void begin() {
      int bytes = bytes(group);
      if (result.length < bytes) {
        result = new byte[bytes];
      }
      Arrays.fill(result, 0, bytes, (byte) 0);
    }

    private void put(ByteBuffer units, int offset, int bytes) {
      if (piece.length < bytes) {
        piece = new byte[unitBytes];
      }
      units.get(piece, 0, bytes);
      xor(piece, 0, result, offset, bytes);
    }

    private void end() throws IOException {
      if (++unit == units(group)) {
        unit = 0;
        int done = group++;
        results.accept(done, ByteBuffer.wrap(result, 0, bytes(done)).slice());
      }
    }
  }

  /** Puts the XOR of bytes of two arrays into the second one. */
  public static void xor(byte[] source, int from, byte[] target, int to, int bytes) {
    int i = 0;
    // Eight at a time: Java does not do that by itself, as the arrays might be the same.
    for (; i <= bytes - Long.BYTES; i += Long.BYTES) {
      LONG.set(target, to + i, (long) LONG.get(target, to + i) ^ (long) LONG.get(source, from + i));
    }
    for (; i < bytes; i++) {
      target[to + i] ^= source[from + i];
    }
  }
}
