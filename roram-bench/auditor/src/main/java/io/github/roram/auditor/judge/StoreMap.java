package io.github.roram.auditor.judge;

import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Seen.Extent;
import io.github.roram.auditor.judge.Seen.SeenRequest;
import io.github.roram.parameters.PathParameters;
import io.github.roram.parameters.TaoParameters;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.parameters.TreetopBudget;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where the trees of a store lie, worked out from what its superblock shows, as a server can. The
 * layout is computed here anew (docs/file-formats.md, "Store"), since an auditor that asks the code
 * under audit learns nothing. Only how many levels the client keeps to itself is asked of the
 * library: another number would shift all buckets, and no request would fit the map.
 *
 * <p>A level j of a tree whose evictions follow a counter is a ring of 2^j + S buckets: eviction t
 * writes its bucket of level j at place t mod (2^j + S). In classic Path ORAM bucket b of a level
 * stands at place b. In TaORAM it stands at place b or at place 2^j + b.
 */
final class StoreMap {

  private static final int SUPERBLOCK_BYTES = 4096;
  private static final int SEALING_BYTES = 28 + 16;
  private static final int SLOT_HEADER_BYTES = 8;
  private static final int PATH_LINK_BYTES = 16;
  private static final int TOMBSTONE_BYTES = 8;
  private static final int LABEL_BYTES = 4;
  private static final int MOST_CLIENT_LABELS = 1024;
  private static final int MOST_MAP_PATHS = 32;
  private static final int TREETOP_PARTS = 16;

  /**
   * A level of a tree.
   *
   * @param tree number of its tree
   * @param level its number
   * @param offset where it begins, in bytes
   * @param places number of buckets that there is room for
   * @param bucketBytes bytes of each
   * @param since the first eviction that writes it; before, it is empty
   */
  record Level(int tree, int level, long offset, long places, int bucketBytes, long since) {

    long end() {
      return offset + places * bucketBytes;
    }

    /** Returns how many of its buckets were ever written when the counter stands there. */
    long written(long evictions) {
      return Math.max(0, Math.min(1L << level, evictions - since));
    }
  }

  /**
   * A tree.
   *
   * @param number its number in the store
   * @param height h: levels 0 … h
   * @param treetopLevels m: levels 0 … m − 1 are not on the store
   * @param treetopPart number of buckets of level m, the first ones, that are not stored either
   * @param rangeBlocks 2^t: labels of one run
   * @param chunkPaths K: the most paths of one eviction
   * @param isMap whether it holds labels of other trees, and no data
   * @param levels those on the store, from level m on
   */
  record Tree(
      int number,
      int height,
      int treetopLevels,
      int treetopPart,
      int rangeBlocks,
      int chunkPaths,
      boolean isMap,
      List<Level> levels) {

    /** Returns 2^h. */
    int leaves() {
      return 1 << height;
    }

    Level level(int level) {
      return levels.get(level - treetopLevels);
    }

    /** Returns where its counter was when it was created: 2^h of the height then. */
    long first() {
      return levels.get(0).since();
    }

    /**
     * Returns the lowest level that reads show completely: a level added by growing is empty at
     * first, so for some time random labels decide whether there is a bucket of it to read.
     */
    int shownHeight(long evictions) {
      int level = height;
      while (1L << level > first() && level(level).written(evictions) < 1L << level) {
        level--;
      }
      return level;
    }

    private Tree higher(int newHeight) {
      return new Tree(
          number, newHeight, treetopLevels, treetopPart, rangeBlocks, chunkPaths, isMap, levels);
    }

    /** Returns the uppermost level of which the client holds no bucket. */
    int firstWholeLevel() {
      return treetopLevels + (treetopPart > 0 ? 1 : 0);
    }

    /** Returns whether the client holds the bucket of a level that a path or an eviction meets. */
    boolean isHeld(int level, long path) {
      return level == treetopLevels && (path & ((1L << level) - 1)) < treetopPart;
    }
  }

  private final OramConfig config;
  private final List<Tree> trees = new ArrayList<>();
  private final TreeMap<Long, Level> byOffset = new TreeMap<>();
  private final int bucketBytes;
  private final boolean classic;
  private final boolean twofold;
  private final int slack;

  /** Number of trees of a recursive position map. */
  private final int maps;

  /** Creates the places of a new store. */
  StoreMap(OramConfig config) {
    this(config, ByteBuffer.allocate(0));
  }

  /**
   * Creates the places of a store; without trees there are none, and every request counts as it is.
   *
   * @param table the table of levels in its superblock, if any; it tells where levels were added,
   *     and how many trees a position map has
   */
  StoreMap(OramConfig config, ByteBuffer table) {
    this.config = config;
    if (!(config.parameters() instanceof TreeParameters parameters)) {
      classic = false;
      twofold = false;
      slack = 0;
      maps = 0;
      bucketBytes = 1;
      return;
    }
    twofold = parameters instanceof TaoParameters;
    classic = twofold || parameters instanceof PathParameters;
    slack = classic ? 0 : 2 * parameters.chunkPaths();
    bucketBytes = bucketBytes(parameters, config.blockBytes());
    List<TableEntry> entries = classic ? List.of() : TableEntry.of(table);
    maps = classic ? 0 : maps(config, parameters, entries);
    if (entries.stream().anyMatch(entry -> entry.since() > 0)) {
      addGrown(parameters, entries);
      return;
    }
    List<Long> sizes = treeBlocks(config, parameters);
    long next = SUPERBLOCK_BYTES;
    for (int number = 0; number < sizes.size(); number++) {
      int height = ceilLog2(ceilDivide(sizes.get(number), parameters.blocksPerLeaf()));
      int treetop = TreetopBudget.levels(config, sizes.get(number), height, sizes.size());
      List<Level> levels = new ArrayList<>();
      int range = classic ? 1 : 1 << parameters.trees()[number];
      int chunk = parameters.chunkPaths();
      int ofBucket = bucketBytes + (classic ? 0 : tombstones(parameters, range));
      int part = part(parameters, treetop, height);
      Tree tree = new Tree(number, height, treetop, part, range, chunk, false, levels);
      next = add(tree, next, ofBucket);
    }
    addMaps(config, parameters, next);
  }

  /** Returns how many trees a position map has: a store keeps those that it was created with. */
  private static int maps(OramConfig config, TreeParameters parameters, List<TableEntry> entries) {
    if (!parameters.mapForm().isRecursive()) {
      return 0;
    }
    if (!entries.isEmpty()) {
      return (int) entries.stream().mapToInt(TableEntry::tree).distinct().count()
          - parameters.trees().length;
    }
    int trees = 1;
    while (mapBlocks(config.blocks(), parameters, trees - 1)
        > parameters.mapForm().clientLabels()) {
      trees++;
    }
    return trees;
  }

  /** Blocks of a tree of a map, the lowest first. */
  private static long mapBlocks(long blocks, TreeParameters parameters, int level) {
    return ceilDivide(blocks, 1L << (mapFanExponent(parameters) * (level + 1)));
  }

  private static int bucketBytes(TreeParameters parameters, int blockBytes) {
    return SEALING_BYTES
        + parameters.bucketSlots() * (SLOT_HEADER_BYTES + blockBytes)
        + (parameters instanceof PathParameters || parameters instanceof TaoParameters
            ? PATH_LINK_BYTES
            : 0);
  }

  /**
   * Returns the bytes of the tombstones of a bucket whose labels are in the map: none where the
   * client's.
   */
  private int tombstones(TreeParameters parameters, long rangeBlocks) {
    boolean any = parameters.mapForm().isRecursive();
    return any && rangeBlocks <= 1L << (mapFanExponent(parameters) * maps)
        ? parameters.bucketSlots() * TOMBSTONE_BYTES
        : 0;
  }

  /** Places the levels of a tree one after another; returns where they end. */
  private long add(Tree tree, long start, int ofBucket) {
    long next = start;
    int longer = classic ? 0 : 2 * tree.chunkPaths();
    for (int level = tree.treetopLevels(); level <= tree.height(); level++) {
      long places = (twofold ? 2L << level : 1L << level) + longer;
      next = put(tree, new Level(tree.number(), level, next, places, ofBucket, tree.leaves()));
    }
    trees.add(tree);
    return next;
  }

  private long put(Tree tree, Level level) {
    tree.levels().add(level);
    byOffset.put(level.offset(), level);
    return level.end();
  }

  /**
   * An entry of a table of levels (docs/file-formats.md, "The table of levels").
   *
   * @param since the first eviction that writes the levels; 0 of those of the beginning
   */
  private record TableEntry(
      int tree, int firstLevel, int levels, int bucketBytes, int slack, long base, long since) {

    static List<TableEntry> of(ByteBuffer table) {
      List<TableEntry> entries = new ArrayList<>();
      ByteBuffer in = table.duplicate();
      boolean grown = in.remaining() > 0 && in.getShort() >> Byte.SIZE == 2;
      for (int left = in.remaining() > 0 ? in.getShort() : 0; left > 0; left--) {
        entries.add(
            new TableEntry(
                in.getShort(),
                in.get(),
                in.get(),
                in.getInt(),
                in.getInt(),
                in.getLong(),
                grown ? in.getLong() : 0));
      }
      return entries;
    }
  }

  /** Adds the trees of a store that has grown, whose table tells where levels are. */
  private void addGrown(TreeParameters parameters, List<TableEntry> entries) {
    int dataTrees = parameters.trees().length;
    for (int number = 0; number < dataTrees + maps; number++) {
      int tree = number;
      boolean isMap = number >= dataTrees;
      List<TableEntry> own = entries.stream().filter(entry -> entry.tree() == tree).toList();
      TableEntry first = own.get(0);
      int treetop = first.firstLevel();
      int firstHeight = treetop + first.levels() - 1;
      int part = isMap ? 0 : part(parameters, treetop, firstHeight);
      int height =
          own.stream().mapToInt(entry -> entry.firstLevel() + entry.levels()).max().orElse(1) - 1;
      Tree added =
          new Tree(
              number,
              height,
              treetop,
              part,
              isMap ? 1 : 1 << parameters.trees()[number],
              isMap ? mapChunk(parameters, firstHeight) : parameters.chunkPaths(),
              isMap,
              new ArrayList<>());
      for (TableEntry entry : own) {
        long next = entry.base();
        long since = entry.since() > 0 ? entry.since() : 1L << firstHeight;
        for (int level = entry.firstLevel(); level < entry.firstLevel() + entry.levels(); level++) {
          long places = (1L << level) + entry.slack();
          next = put(added, new Level(number, level, next, places, entry.bucketBytes(), since));
        }
      }
      trees.add(added);
    }
  }

  private static int part(TreeParameters parameters, int treetop, int height) {
    return treetop < height ? (parameters.treetopPart() << treetop) / TREETOP_PARTS : 0;
  }

  /**
   * Processes a growth: the trees become as high as those of a new store of {@code blocks} blocks,
   * by levels after everything that exists; those of a position map as high as that many blocks
   * need.
   *
   * @param since for each tree, the first eviction that writes its new levels
   */
  void grow(long blocks, long[] since) {
    long next = byOffset.lastEntry().getValue().end();
    TreeParameters parameters = TreeParameters.of(config);
    for (Tree tree : List.copyOf(trees)) {
      int map = tree.number() - parameters.trees().length;
      long ofTree = tree.isMap() ? mapBlocks(blocks, parameters, map) : blocks;
      int height = ceilLog2(ceilDivide(ofTree, parameters.blocksPerLeaf()));
      int ofBucket = tree.level(tree.height()).bucketBytes();
      Tree grown = tree.higher(Math.max(height, tree.height()));
      for (int level = tree.height() + 1; level <= height; level++) {
        long places = (1L << level) + 2L * tree.chunkPaths();
        long from = since[tree.number()];
        next = put(grown, new Level(tree.number(), level, next, places, ofBucket, from));
      }
      trees.set(tree.number(), grown);
    }
  }

  /** Corrects, afterwards, the first eviction that writes the levels which a tree got last. */
  void found(Tree tree, long wrong, long since) {
    for (int i = 0; i < tree.levels().size(); i++) {
      Level level = tree.levels().get(i);
      if (level.since() == wrong) {
        Level right =
            new Level(
                level.tree(),
                level.level(),
                level.offset(),
                level.places(),
                level.bucketBytes(),
                since);
        tree.levels().set(i, right);
        byOffset.put(right.offset(), right);
      }
    }
  }

  /** Adds the trees of a recursive position map (docs/file-formats.md, "Map block"). */
  private void addMaps(OramConfig config, TreeParameters parameters, long start) {
    long next = start;
    for (int level = 0; level < maps; level++) {
      int fan = mapFanExponent(parameters);
      int below = fan * level;
      int exponent = fan * (level + 1);
      int labels = below == 0 ? 0 : 1 << fan;
      for (int tree : parameters.trees()) {
        boolean here = tree <= exponent && (below == 0 || tree > below);
        labels += here ? 1 << (exponent - tree) : 0;
      }
      long mapBlocks = mapBlocks(config.blocks(), parameters, level);
      int height = ceilLog2(ceilDivide(mapBlocks, parameters.blocksPerLeaf()));
      int chunk = mapChunk(parameters, height);
      Tree tree = new Tree(trees.size(), height, 0, 0, 1, chunk, true, new ArrayList<>());
      // The labels of the last one are the client's.
      int tombstones = level == maps - 1 ? 0 : tombstones(parameters, 1);
      next = add(tree, next, bucketBytes(parameters, LABEL_BYTES * labels) + tombstones);
    }
  }

  /**
   * Returns the most paths that a tree of a map evicts at once, by the height that it had at first.
   */
  private static int mapChunk(TreeParameters parameters, int height) {
    return Math.min(Math.min(MOST_MAP_PATHS, 1 << height), parameters.chunkPaths());
  }

  private static int mapFanExponent(TreeParameters parameters) {
    return Integer.numberOfTrailingZeros(parameters.mapForm().blocksPerMapBlock());
  }

  /** Returns the number of trees that hold labels of others, and no data. */
  int maps() {
    return maps;
  }

  /**
   * Returns how many map blocks a read looks up in a tree of a map.
   *
   * @param ranges how many consecutive ranges of 2^exponent blocks the access reads
   */
  static long mapRuns(TreeParameters parameters, int level, int exponent, long ranges) {
    int group = mapFanExponent(parameters) * (level + 1);
    return exponent >= group
        ? ranges << (exponent - group)
        : ceilDivide((ranges - 1) << exponent, 1L << group) + 1;
  }

  /** Returns the number of blocks of each tree. */
  private static List<Long> treeBlocks(OramConfig config, TreeParameters parameters) {
    List<Long> sizes = new ArrayList<>(List.of(config.blocks()));
    if (!(parameters instanceof PathParameters)) {
      while (sizes.size() < parameters.trees().length) {
        sizes.add(config.blocks());
      }
      return sizes;
    }
    long labels = config.blocks();
    while (parameters.recursivePositionMap() && labels > MOST_CLIENT_LABELS) {
      labels = ceilDivide(labels, config.blockBytes() / LABEL_BYTES);
      sizes.add(labels);
    }
    return sizes;
  }

  private static long ceilDivide(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  private static int ceilLog2(long n) {
    return n <= 1 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(n - 1);
  }

  /**
   * Returns whether each bucket has two places, all first ones of a level before all second ones.
   */
  boolean isTwofold() {
    return twofold;
  }

  /** Returns whether paths are read and written at fixed places, one or two of each bucket. */
  boolean isClassic() {
    return classic;
  }

  /** Returns S: by how much a level's ring is longer than the level. */
  int slack() {
    return slack;
  }

  /** Returns the bytes of a bucket of data. */
  int bucketBytes() {
    return bucketBytes;
  }

  List<Tree> trees() {
    return trees;
  }

  /** The level that has a byte of the store; null outside of all trees. */
  @Nullable Level levelAt(long offset) {
    Map.Entry<Long, Level> found = byOffset.floorEntry(offset);
    if (found == null) {
      return null;
    }
    Level level = found.getValue();
    return offset < level.end() ? level : null;
  }

  /**
   * Returns where the buckets of a request stand, in its order; null unless they are whole buckets.
   */
  long @Nullable [] buckets(SeenRequest request) {
    int count = 0;
    for (Extent extent : request.extents()) {
      Level level = levelAt(extent.offset());
      if (level == null
          || (extent.offset() - level.offset()) % level.bucketBytes() != 0
          || extent.bytes() % level.bucketBytes() != 0) {
        return null;
      }
      count += (int) (extent.bytes() / level.bucketBytes());
    }
    long[] offsets = new long[count];
    int next = 0;
    for (Extent extent : request.extents()) {
      int unit = Objects.requireNonNull(levelAt(extent.offset())).bucketBytes();
      for (long done = 0; done < extent.bytes(); done += unit) {
        offsets[next++] = extent.offset() + done;
      }
    }
    return offsets;
  }

  /** Returns the place of a bucket in its level's ring. */
  long place(Level level, long offset) {
    return (offset - level.offset()) / level.bucketBytes();
  }

  /** Returns where the bucket stands that an eviction writes at a level. */
  long offset(Level level, long eviction) {
    return level.offset() + eviction % level.places() * level.bucketBytes();
  }

  /** Returns the last eviction before {@code evictions} that wrote a place of a level. */
  static long writer(Level level, long place, long evictions) {
    long last = evictions - 1;
    return last - Math.floorMod(last - place, level.places());
  }
}
