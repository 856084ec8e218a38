package io.github.roram.store;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The groups of units that a store combines by XOR in a read (Ring ORAM, section 3.2, "XOR
 * technique"): each unit of the request is in one group, and a group's units are consecutive.
 *
 * <p>The <i>result</i> of a group of n units:
 *
 * <pre>
 *  n × ( first {@link #headBytes} bytes of a unit | its last {@link #tailBytes} bytes )
 *    | XOR of what is between them in the n units
 * </pre>
 *
 * So the client gets each unit's nonce and tag unchanged. Not safe for use by several threads while
 * it is being changed.
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
   * Creates an empty list of groups.
   *
   * @throws IllegalArgumentException unless head and tail together are shorter than a unit
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

  /** Removes all groups. */
  public void clear() {
    groups = 0;
  }

  /** Returns an empty list of groups for the same kind of units. */
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

  /** Returns the number of groups. */
  public int groups() {
    return groups;
  }

  /** Returns the number of a group's units. */
  public int units(int group) {
    return firstUnits[group + 1] - firstUnits[group];
  }

  /** Returns the number, over the whole request, of a group's first unit, or of the groups' end. */
  public int firstUnit(int group) {
    return firstUnits[group];
  }

  /** Returns the number of units of all groups. */
  public int units() {
    return firstUnits[groups];
  }

  /** Returns the bytes of one unit. */
  public int unitBytes() {
    return unitBytes;
  }

  /** Returns the bytes of a unit before those that are combined. */
  public int headBytes() {
    return headBytes;
  }

  /** Returns the bytes of a unit after those that are combined. */
  public int tailBytes() {
    return tailBytes;
  }

  /** Returns the bytes of a group's result. */
  public int bytes(int group) {
    return (units(group) - 1) * (headBytes + tailBytes) + unitBytes;
  }

  /** Returns the bytes of all results. */
  public long bytes() {
    return (long) (units() - groups) * (headBytes + tailBytes) + (long) groups * unitBytes;
  }

  /**
   * Returns a sink for the units that passes on the results, each as a piece of its own.
   *
   * @param results receives the number of a group and its result
   */
  public UnitSink into(UnitSink results) {
    return new Fold(results);
  }

  /**
   * Combines units, however the request is cut into pieces. One thread at a time calls it, and sees
   * the effects of the previous call.
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

    /** Takes the next bytes of the request; the bytes before tell where they belong. */
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

  /** Writes the XOR of bytes of two arrays into the second one. */
  public static void xor(byte[] source, int from, byte[] target, int to, int bytes) {
    int i = 0;
    // Eight bytes at a time, which Java does not do by itself, as the arrays might be the same.
    for (; i <= bytes - Long.BYTES; i += Long.BYTES) {
      LONG.set(target, to + i, (long) LONG.get(target, to + i) ^ (long) LONG.get(source, from + i));
    }
    for (; i < bytes; i++) {
      target[to + i] ^= source[from + i];
    }
  }
}
