package io.github.roram.auditor.judge;

import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Seen.Extent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Where the slots of scheme {@code ring} lie, worked out from the parameters in the superblock. */
public final class SlotLayout {

  private static final int SUPERBLOCK_BYTES = 4096;
  private static final int SEALING_BYTES = 28 + 8 + 16;

  /** Least number of blocks with which buckets have room for more reads. */
  private static final long LARGE_BLOCKS = 1L << 26;

  /**
   * A stored level.
   *
   * @param depth its number in the tree
   * @param slots of a bucket
   * @param base where its places begin
   */
  record Level(int depth, int slots, long base) {

    long buckets() {
      return 1L << depth;
    }

    /** Returns where an eviction writes. */
    long place(long eviction) {
      return eviction % (buckets() + 2);
    }
  }

  /** A slot of a place of a level. */
  public record Slot(int level, long place, int slot) {

    /** Returns the first slot of its bucket. */
    public Slot bucket() {
      return new Slot(level, place, 0);
    }
  }

  private final List<Level> levels = new ArrayList<>();
  private final int mostReads;
  private final int slotBytes;
  private final boolean sweeps;
  private final long end;

  /** Creates the layout of a store. */
  public SlotLayout(OramConfig config) {
    int rate = setting(config, "evictionBlocks");
    int fanOut = setting(config, "fanOut");
    int height = setting(config, "height");
    double waiting = rate * (fanOut - 1) / 2.0;
    double load = (double) config.blocks() / (1 << height);
    double slack = config.blocks() >= LARGE_BLOCKS ? 3.5 : 3;
    mostReads = (int) Math.ceil(rate + slack * Math.sqrt(rate));
    slotBytes = SEALING_BYTES + config.blockBytes();
    sweeps = "buckets".equals(config.parameters().settings().get("evictionReads"));
    long base = SUPERBLOCK_BYTES;
    for (int depth = setting(config, "treetopLevels"); depth <= height; depth += fanOut / 2) {
      double room =
          depth == height ? load + 1.5 * Math.sqrt(load) : waiting + 1.7 * Math.sqrt(waiting);
      int count = (int) Math.ceil(room) + mostReads;
      levels.add(new Level(depth, count, base));
      base += ((1L << depth) + 2) * count * slotBytes;
    }
    end = base;
  }

  /** Returns whether a store has such slots. */
  public static boolean isOf(OramConfig config) {
    return config.scheme().equals("ring");
  }

  private static int setting(OramConfig config, String name) {
    return Integer.parseInt(config.parameters().settings().get(name));
  }

  /** Returns the stored levels, from the root side. */
  List<Level> levels() {
    return levels;
  }

  /** Returns whether evictions read whole buckets. */
  boolean sweeps() {
    return sweeps;
  }

  /** Returns S: the number of reads of a bucket by paths before it is closed. */
  public int mostReads() {
    return mostReads;
  }

  /** Returns Z: the number of slots that an eviction reads of a bucket. */
  int room(int level) {
    return levels.get(level).slots() - mostReads;
  }

  /** Returns whether all of it is of the tree. */
  public boolean has(List<Extent> extents) {
    return extents.stream()
        .allMatch(extent -> extent.offset() >= SUPERBLOCK_BYTES && extent.offset() < end);
  }

  /** Returns where the slots of the bucket lie that an eviction writes at a depth of the tree. */
  long offset(int depth, long eviction) {
    Level of = levels.stream().filter(level -> level.depth() == depth).findFirst().orElseThrow();
    return of.base() + of.place(eviction) * of.slots() * slotBytes;
  }

  /** Returns the slots of a request, in its order. */
  public List<Slot> slots(List<Extent> extents) {
    List<Slot> found = new ArrayList<>();
    for (Extent extent : extents) {
      for (long at = extent.offset(); at < extent.offset() + extent.bytes(); at += slotBytes) {
        found.add(slotAt(at));
      }
    }
    return found;
  }

  private Slot slotAt(long offset) {
    int level = levels.size() - 1;
    while (offset < levels.get(level).base()) {
      level--;
    }
    Level of = levels.get(level);
    long number = (offset - of.base()) / slotBytes;
    return new Slot(level, number / of.slots(), (int) (number % of.slots()));
  }

  /** Returns how many slots of which buckets a request has: what does not follow from chance. */
  String buckets(List<Extent> extents) {
    Map<String, Integer> counts = new TreeMap<>();
    slots(extents)
        .forEach(slot -> counts.merge(slot.level() + "@" + slot.place(), 1, Integer::sum));
    return counts.toString();
  }
}
