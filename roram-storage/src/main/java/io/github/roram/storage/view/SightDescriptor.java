package io.github.roram.storage.view;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sights of a recorded view, each written as what it differs by from those before.
 *
 * <pre>
 *  what       u8: action (its place in ACTIONS, from 1) + 32 · observer (its place in OBSERVERS);
 *             up to version 3 of the file 16 · observer
 *  access     difference from the sight before
 *  request    difference from the last sight of the same observer
 *  name       VAULT alone: number of the name, from 0 in the order in which names come; a new one
 *             is followed by u8 length, ASCII
 *  offset     STORE alone: difference from the end of the last extent
 *  bytes      as it is
 * </pre>
 *
 * All but the first are numbers of variable length, 7 bits a byte, lowest first, bit 7 where more
 * follow; differences are zigzag: 2d, or −2d − 1 if d is negative. Keeps what came before, so there
 * is one for each file and direction. Not thread safe.
 */
final class SightDescriptor {

  /** What stands where another sight could. */
  static final int END = 0;

  /** By their code in the format, from 1; new ones go to the end. */
  private static final List<Action> ACTIONS =
      List.of(
          Action.ACCESS,
          Action.CRASH,
          Action.BULK_LOAD,
          Action.OPEN,
          Action.CLOSE,
          Action.READ,
          Action.WRITE,
          Action.SYNC,
          Action.SAVE,
          Action.APPEND,
          Action.TRUNCATE,
          Action.DELETE,
          Action.SEND,
          Action.RECEIVE,
          Action.SCAN,
          Action.WATERMARK);

  /** By their code in the format. */
  private static final List<Observer> OBSERVERS =
      List.of(Observer.DECLARED, Observer.STORE, Observer.VAULT, Observer.NETWORK);

  /** The last version of the file that had fewer actions. */
  private static final int FEWER_ACTIONS = 3;

  private final int observerShift;

  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> names = new ArrayList<>();
  private final long[] requests = new long[OBSERVERS.size()];
  private long access;
  private long extentEnd;

  /** The sights of a file of this version. */
  SightDescriptor(int version) {
    observerShift = version <= FEWER_ACTIONS ? 4 : 5;
  }

  void write(DataOutput out, Sight sight) throws IOException {
    int observer = OBSERVERS.indexOf(sight.observer());
    out.writeByte((observer << observerShift) | (ACTIONS.indexOf(sight.action()) + 1));
    writeDifference(out, sight.access() - access);
    writeDifference(out, sight.request() - requests[observer]);
    if (sight.observer() == Observer.VAULT) {
      writeName(out, sight.name());
    }
    if (sight.observer() == Observer.STORE) {
      writeDifference(out, sight.offset() - extentEnd);
      extentEnd = sight.offset() + sight.bytes();
    }
    writeNumber(out, sight.bytes());
    access = sight.access();
    requests[observer] = sight.request();
  }

  /**
   * The next sight; null if {@link #END} stands there.
   *
   * @throws ViewFormatException if it is none
   */
  @Nullable Sight read(DataInput in) throws IOException {
    int what = in.readUnsignedByte();
    if (what == END) {
      return null;
    }
    int action = (what & ((1 << observerShift) - 1)) - 1;
    int observer = what >>> observerShift;
    if (action < 0 || action >= ACTIONS.size() || observer >= OBSERVERS.size()) {
      throw new ViewFormatException("a sight begins with " + what);
    }
    access += readDifference(in);
    requests[observer] += readDifference(in);
    Observer who = OBSERVERS.get(observer);
    String name = who == Observer.VAULT ? readName(in) : "";
    long offset = who == Observer.STORE ? extentEnd + readDifference(in) : 0;
    long bytes = readNumber(in);
    if (who == Observer.STORE) {
      extentEnd = offset + bytes;
    }
    return new Sight(access, who, ACTIONS.get(action), requests[observer], name, offset, bytes);
  }

  private void writeName(DataOutput out, String name) throws IOException {
    Integer known = numbers.putIfAbsent(name, numbers.size());
    writeNumber(out, known == null ? numbers.size() - 1 : known);
    if (known == null) {
      ViewDescriptor.writeText(out, name);
    }
  }

  private String readName(DataInput in) throws IOException {
    long number = readNumber(in);
    if (number < 0 || number > names.size()) {
      throw new ViewFormatException("name " + number + " comes before name " + names.size());
    }
    if (number == names.size()) {
      names.add(ViewDescriptor.readText(in));
    }
    return names.get((int) number);
  }

  private static void writeDifference(DataOutput out, long difference) throws IOException {
    writeNumber(out, (difference << 1) ^ (difference >> (Long.SIZE - 1)));
  }

  private static long readDifference(DataInput in) throws IOException {
    long number = readNumber(in);
    return (number >>> 1) ^ -(number & 1);
  }

  private static void writeNumber(DataOutput out, long number) throws IOException {
    long left = number;
    while ((left & ~0x7FL) != 0) {
      out.writeByte((int) ((left & 0x7F) | 0x80));
      left >>>= 7;
    }
    out.writeByte((int) left);
  }

  private static long readNumber(DataInput in) throws IOException {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = in.readUnsignedByte();
      number |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        return number;
      }
    }
    throw new ViewFormatException("a number has more than 64 bits");
  }
}
