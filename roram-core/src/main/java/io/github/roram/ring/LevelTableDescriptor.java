package io.github.roram.ring;

import io.github.roram.IntegrityException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of a {@link LevelTable} (big endian).
 *
 * <pre>
 *   0         1        2       4
 *   +---------+--------+-------+-- n times -------------------------------------------------+
 *   | version | 0      | n     | tree | first level | levels | bucket bytes | slack | base   |
 *   +---------+--------+-------+------+-------------+--------+--------------+-------+--------+
 *     u8 = 1    u8       u16     u16    u8            u8       u32            u32     u64
 * </pre>
 *
 * A new store has one entry for each tree; levels that are added later have entries of their own. A
 * table with added levels has version 2, where each entry ends with the first eviction that writes
 * its levels (u64), 0 for levels with which the tree was created.
 *
 * <p>The table tells how the store itself is laid out; the only effect of a wrong one is that
 * buckets fail to authenticate.
 */
public final class LevelTableDescriptor {

  private static final int VERSION = 1;
  private static final int GROWN_VERSION = 2;
  private static final int HEAD_BYTES = 4;
  private static final int ENTRY_BYTES = 20;
  private static final int MOST_ENTRIES = 0xffff;

  private LevelTableDescriptor() {}

  private static int bytes(int runs, int version) {
    return HEAD_BYTES + runs * (ENTRY_BYTES + (version == VERSION ? 0 : Long.BYTES));
  }

  /** Returns the bytes of a table. */
  public static byte[] encode(LevelTable table) {
    int entries = table.runs().size();
    if (entries > MOST_ENTRIES) {
      throw new IllegalArgumentException(
          "the table has " + entries + " entries, must be at most " + MOST_ENTRIES);
    }
    boolean grown = table.runs().stream().anyMatch(run -> run.since() > 0);
    int version = grown ? GROWN_VERSION : VERSION;
    ByteBuffer out = ByteBuffer.allocate(bytes(entries, version));
    out.put((byte) version).put((byte) 0).putShort((short) entries);
    for (LevelRun run : table.runs()) {
      out.putShort((short) run.tree()).put((byte) run.firstLevel()).put((byte) run.levels());
      out.putInt(run.bucketBytes()).putInt(run.slack()).putLong(run.base());
      if (grown) {
        out.putLong(run.since());
      }
    }
    return out.array();
  }

  /**
   * Returns the table from the bytes that {@link #encode} returned, with none after them.
   *
   * @throws IntegrityException if the table is of a later version, or damaged
   */
  public static LevelTable decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (bytes.length < HEAD_BYTES) {
      throw new IntegrityException(
          damaged("it has " + bytes.length + " bytes, must be at least " + HEAD_BYTES));
    }
    int version = in.get() & 0xff;
    if (version != VERSION && version != GROWN_VERSION) {
      throw new IntegrityException(
          "the store's table of levels has version "
              + version
              + ", this version of roram reads version "
              + VERSION
              + " and "
              + GROWN_VERSION
              + "; use the version that the store was made with");
    }
    int zero = in.get();
    int entries = in.getShort() & 0xffff;
    if (zero != 0 || bytes.length != bytes(entries, version)) {
      throw new IntegrityException(
          damaged("it has " + bytes.length + " bytes for " + entries + " entries"));
    }
    List<LevelRun> runs = new ArrayList<>();
    try {
      for (int i = 0; i < entries; i++) {
        int tree = in.getShort() & 0xffff;
        int firstLevel = in.get() & 0xff;
        int levels = in.get() & 0xff;
        runs.add(
            new LevelRun(
                tree,
                firstLevel,
                levels,
                in.getInt(),
                in.getInt(),
                in.getLong(),
                version == VERSION ? 0 : in.getLong()));
      }
      return new LevelTable(runs);
    } catch (IllegalArgumentException e) {
      throw new IntegrityException(damaged(String.valueOf(e.getMessage())), e);
    }
  }

  private static String damaged(String what) {
    return "the store's table of levels is corrupt: " + what + "; restore it from a copy";
  }
}
