package io.github.roram.storage.view;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import io.github.roram.store.Crc32c;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a recorded view begins.
 *
 * <pre>
 *  0        8         10            12      16
 *  +--------+---------+-------------+-------+---------------------------------------------+
 *  | magic  | version | reserved, 0 | CRC   | zlib: config, sights, end                   |
 *  +--------+---------+-------------+-------+---------------------------------------------+
 *     8        u16        u16         u32
 *
 *  config: scheme (u8 length, ASCII), blocks u64, block bytes u32, number of parameters u16, and
 *          name and value of each (u8 length, ASCII); layout: u32 length, bytes
 *  sights: {@link SightDescriptor}
 *  end:    0 u8, number of sights u64, CRC-32C of config, sights and the fields of the end before
 *          it u32
 * </pre>
 *
 * <p>Version 2 had no scans, version 3 no watermarks, version 4 neither layout nor growth; they are
 * else the same.
 *
 * <p>Numbers are big-endian. The CRC of the head is the CRC-32C of the 12 bytes before it, so that
 * damage is never taken for another version.
 */
final class ViewDescriptor {

  static final int VERSION = 5;
  static final int OLDEST_VERSION = 2;
  static final int HEAD_BYTES = 16;

  private static final byte[] MAGIC = "rORAMvw1".getBytes(StandardCharsets.US_ASCII);
  private static final int VERSION_OFFSET = 8;
  private static final int CRC_OFFSET = 12;

  /** A superblock has no more in all. */
  private static final int MOST_LAYOUT_BYTES = 4096;

  /** The last version without a layout. */
  private static final int NO_LAYOUT = 4;

  private ViewDescriptor() {}

  static byte[] encodeHead() {
    ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES);
    out.put(MAGIC).putShort((short) VERSION).putShort((short) 0);
    return out.putInt(Crc32c.of(out.array(), 0, CRC_OFFSET)).array();
  }

  /**
   * Checks a head.
   *
   * @param file named in errors
   * @return its version
   */
  static int checkHead(byte[] head, String file) throws IOException {
    if (head.length < HEAD_BYTES || !Arrays.equals(head, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new ViewFormatException(
          file + " is no recorded view: it does not start with rORAMvw1; --record makes one");
    }
    ByteBuffer in = ByteBuffer.wrap(head);
    if (in.getInt(CRC_OFFSET) != Crc32c.of(head, 0, CRC_OFFSET)) {
      throw new ViewFormatException(
          file + " is corrupt: the checksum of its head is wrong; record it again");
    }
    int version = Short.toUnsignedInt(in.getShort(VERSION_OFFSET));
    if (version < OLDEST_VERSION || version > VERSION) {
      throw new ViewVersionException(
          file
              + " is of format version "
              + version
              + (version < OLDEST_VERSION ? ", too old" : ", too new")
              + ": this version of roram reads "
              + OLDEST_VERSION
              + " to "
              + VERSION
              + (version < OLDEST_VERSION ? "; record it again" : "; use a newer roram"));
    }
    return version;
  }

  static void writeConfig(DataOutput out, OramConfig config) throws IOException {
    writeText(out, config.scheme());
    out.writeLong(config.blocks());
    out.writeInt(config.blockBytes());
    Map<String, String> settings = config.parameters().settings();
    out.writeShort(settings.size());
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      writeText(out, setting.getKey());
      writeText(out, setting.getValue());
    }
  }

  /**
   * Reads what {@link #writeConfig} wrote.
   *
   * @throws ConfigurationException if it is impossible, or no jar at hand has the scheme
   */
  static OramConfig readConfig(DataInput in) throws IOException {
    String scheme = readText(in);
    OramConfig.Builder builder =
        OramConfig.builder(in.readLong()).scheme(scheme).blockBytes(in.readInt());
    for (int left = in.readUnsignedShort(); left > 0; left--) {
      builder.set(readText(in), readText(in));
    }
    return builder.build();
  }

  static void writeLayout(DataOutput out, ByteBuffer layout) throws IOException {
    byte[] bytes = new byte[layout.remaining()];
    layout.duplicate().get(bytes);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** Reads what {@link #writeLayout} wrote; earlier versions have none. */
  static ByteBuffer readLayout(DataInput in, int version) throws IOException {
    int length = version <= NO_LAYOUT ? 0 : in.readInt();
    if (length < 0 || length > MOST_LAYOUT_BYTES) {
      throw new ViewFormatException("the layout has " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return ByteBuffer.wrap(bytes);
  }

  /** Writes up to 255 characters of ASCII. */
  static void writeText(DataOutput out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    if (bytes.length > 255) {
      throw new IllegalArgumentException("name has " + bytes.length + " characters, more than 255");
    }
    out.writeByte(bytes.length);
    out.write(bytes);
  }

  static String readText(DataInput in) throws IOException {
    byte[] bytes = new byte[in.readUnsignedByte()];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.US_ASCII);
  }

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
   * follow; differences are zigzag: 2d, or −2d − 1 if d is negative. Keeps what came before, so
   * there is one for each file and direction. Not thread safe.
   */
  static final class SightDescriptor {

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
            Action.WATERMARK,
            Action.GROW);

    /** By their code in the format. */
    private static final List<Observer> OBSERVERS =
        List.of(
            Observer.DECLARED,
            Observer.STORE,
            Observer.VAULT,
            Observer.NETWORK,
            Observer.BACKUP,
            Observer.ENGINE);

    /** The last version of the file that had fewer actions. */
    private static final int FEWER_ACTIONS = 3;

    private final int observerShift;

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private final long[] requests = new long[OBSERVERS.size()];
    private long access;
    private long extentEnd;

    /** Creates the codec for a file of this version. */
    SightDescriptor(int version) {
      observerShift = version <= FEWER_ACTIONS ? 4 : 5;
    }

    void write(DataOutput out, Sight sight) throws IOException {
      int observer = OBSERVERS.indexOf(sight.observer());
      out.writeByte((observer << observerShift) | (ACTIONS.indexOf(sight.action()) + 1));
      writeDifference(out, sight.access() - access);
      writeDifference(out, sight.request() - requests[observer]);
      if (hasName(sight.observer())) {
        writeName(out, sight.name());
      }
      if (sight.observer() == Observer.STORE) {
        writeDifference(out, sight.offset() - extentEnd);
        extentEnd = sight.offset() + sight.bytes();
      } else if (sight.observer() == Observer.ENGINE) {
        writeNumber(out, sight.offset());
      }
      writeNumber(out, sight.bytes());
      access = sight.access();
      requests[observer] = sight.request();
    }

    /**
     * Returns the next sight; null if {@link #END} stands there.
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
      String name = hasName(who) ? readName(in) : "";
      long offset =
          switch (who) {
            case STORE -> extentEnd + readDifference(in);
            case ENGINE -> readNumber(in);
            default -> 0;
          };
      long bytes = readNumber(in);
      if (who == Observer.STORE) {
        extentEnd = offset + bytes;
      }
      return new Sight(access, who, ACTIONS.get(action), requests[observer], name, offset, bytes);
    }

    private static boolean hasName(Observer observer) {
      return observer == Observer.VAULT
          || observer == Observer.BACKUP
          || observer == Observer.ENGINE;
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
}
