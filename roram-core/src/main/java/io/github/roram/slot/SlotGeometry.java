package io.github.roram.slot;

import io.github.roram.OramConfig;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.ring.RingBucketStore;
import io.github.roram.state.SuperblockDescriptor;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketTrees;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.StoreParts;
import io.github.roram.tree.BucketWalk;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToIntFunction;

/**
 * The shape of the tree, and the places of its slots. Of levels 0 … h the client holds those above
 * m; every s-th of the others is stored, including the leaves. The stored levels are numbered 0, 1,
 * … from the root side. A stored level of 2^j buckets is a ring of 2^j + 2 places; eviction t
 * writes place t mod (2^j + 2).
 *
 * <p>Symbols: A blocks enter for an eviction; Z is the room of an inner bucket, Zl that of a leaf;
 * after S reads a bucket is closed; a bucket has n = Z + S slots.
 */
final class SlotGeometry implements RingBucketStore.Places {

  /** The number of the only tree. */
  static final int TREE = 0;

  /** Slots of a bucket are numbered in 16 bits. */
  static final int MOST_SLOTS = 1 << 16;

  /**
   * Places of a ring beyond the buckets of its level: earlier versions stay for two more evictions.
   */
  static final int SPARE_PLACES = 2;

  /**
   * Most paths whose choices of slots are kept: the next path, and earlier ones that reads need.
   */
  static final int CHOSEN_PATHS = 3;

  private static final double INNER_SLACK = 1.7;
  private static final double LEAF_SLACK = 1.5;

  /** Reads beyond A before a bucket is closed, in multiples of √A; larger for large stores. */
  private static final double READ_SLACK = 3;

  private static final double LARGE_READ_SLACK = 3.5;
  private static final long LARGE = 1L << 26;

  private final long blocks;
  private final SlotShape shape;
  private final int levels;
  private final int innerRoom;
  private final int leafRoom;
  private final int reads;
  private final int slotBytes;
  private final long[] bases;
  private final int[] bucketsBefore;
  private final long[] wordsBefore;

  SlotGeometry(OramConfig config) {
    this(config.blocks(), config.blockBytes(), ((SlotParameters) config.parameters()).shape());
  }

  SlotGeometry(long blocks, int blockBytes, SlotShape shape) {
    this.blocks = blocks;
    this.shape = shape;
    int rate = shape.rate();
    double waiting = rate * (shape.fanOut() - 1) / 2.0;
    innerRoom = (int) Math.ceil(waiting + INNER_SLACK * Math.sqrt(waiting));
    double load = (double) blocks / (1 << shape.height());
    leafRoom = (int) Math.ceil(load + LEAF_SLACK * Math.sqrt(load));
    double slack = blocks >= LARGE ? LARGE_READ_SLACK : READ_SLACK;
    reads = (int) Math.ceil(rate + slack * Math.sqrt(rate));
    slotBytes = descriptor(blockBytes).sealedBytes();
    levels = (shape.height() - shape.topLevel()) / shape.step() + 1;
    bases = new long[levels + 1];
    bucketsBefore = new int[levels + 1];
    wordsBefore = new long[levels + 1];
    bases[0] = SuperblockDescriptor.BYTES;
    for (int level = 0; level < levels; level++) {
      int width = 1 << depth(level);
      bases[level + 1] = bases[level] + (long) (width + SPARE_PLACES) * slots(level) * slotBytes;
      bucketsBefore[level + 1] = bucketsBefore[level] + width;
      wordsBefore[level + 1] = wordsBefore[level] + (long) width * words(level);
    }
  }

  /** Returns the layout of a slot, which is sealed as a bucket of one. */
  static BucketDescriptor descriptor(int blockBytes) {
    return new BucketDescriptor(1, blockBytes, 0);
  }

  /** Returns N. */
  long blocks() {
    return blocks;
  }

  /** Returns the shape from which the geometry follows. */
  SlotShape shape() {
    return shape;
  }

  /** Returns A. */
  int rate() {
    return shape.rate();
  }

  /** Returns the number of leaves, 2^h. */
  int leaves() {
    return 1 << shape.height();
  }

  /** Returns the number of stored levels. */
  int levels() {
    return levels;
  }

  /** Returns j of a stored level. */
  int depth(int level) {
    return shape.topLevel() + level * shape.step();
  }

  /** Returns whether paths of consecutive evictions have no stored bucket in common. */
  boolean areApart() {
    return shape.topLevel() > 0;
  }

  /**
   * Returns the lowest stored level whose bucket two labels, or a label and an eviction, share; −1
   * if they share none.
   */
  int shared(long one, long other) {
    long different = one ^ other;
    int depth = different == 0 ? shape.height() : Long.numberOfTrailingZeros(different);
    int below = Math.min(depth, shape.height()) - shape.topLevel();
    return below < 0 ? -1 : below / shape.step();
  }

  /** Returns the bucket of a stored level that a label or an eviction meets. */
  int bucket(long label, int level) {
    return (int) (label & ((1L << depth(level)) - 1));
  }

  /** Returns S. */
  int reads() {
    return reads;
  }

  /** Returns the room of a bucket in blocks: Z, or Zl for a leaf. */
  int room(int level) {
    return level == levels - 1 ? leafRoom : innerRoom;
  }

  /** Returns n. */
  int slots(int level) {
    return room(level) + reads;
  }

  /** Returns the room of all buckets of a path, in blocks. */
  int pathRoom() {
    return (levels - 1) * innerRoom + leafRoom;
  }

  /** Returns the number of slots of a path. */
  int pathSlots() {
    return pathRoom() + levels * reads;
  }

  /** Returns the first end of a bucket at or after {@code end}, among the slots of a path. */
  int endOfBucket(int end) {
    int behind = 0;
    for (int level = 0; behind < end; level++) {
      behind += slots(level);
    }
    return behind;
  }

  /** Returns the number of a slot on its path, starting at 1; 0 stands for none. */
  int place(int level, int slot) {
    return 1 + level * slots(0, levels) + slot;
  }

  /** Returns the stored level of a place. */
  int levelOf(int place) {
    return Math.min((place - 1) / slots(0, levels), levels - 1);
  }

  /** Returns the slot of a place within its bucket. */
  int slotOf(int place) {
    return place - 1 - levelOf(place) * slots(0, levels);
  }

  /** Returns the slots of a bucket above the leaves; if there is none, any large number. */
  private int slots(int level, int ofLevels) {
    return ofLevels == 1 ? MOST_SLOTS : slots(level);
  }

  /**
   * Returns whether a label and a place together fit in 32 bits, the slot numbers of a bucket in
   * 16, and its length in bytes in 31.
   */
  boolean hasNumbers() {
    long places = (long) (1 + pathSlots()) << shape.height();
    int slots = Math.max(slots(0), slots(levels - 1));
    return places < 1L << Integer.SIZE
        && slots < MOST_SLOTS - 1
        && (long) slots * slotBytes <= Integer.MAX_VALUE;
  }

  /** Returns the bytes of a slot on the store. */
  int slotBytes() {
    return slotBytes;
  }

  /** Returns the bytes of a bucket on the store. */
  int bucketBytes(int level) {
    return slots(level) * slotBytes;
  }

  /** Returns the most buckets that a pass over the store requests at once; at least one. */
  int bucketsOfRequest(int level) {
    return Math.max(1, BucketWalk.REQUEST_BYTES / bucketBytes(level));
  }

  /**
   * Returns runs of all slots of the buckets of a level that {@code count} consecutive evictions
   * wrote.
   *
   * @param eviction the first of these evictions
   * @param epochOf returns the key epoch in which an eviction sealed
   */
  BucketRuns buckets(
      IoPhase phase, int level, long eviction, int count, LongToIntFunction epochOf) {
    BucketRuns runs = new BucketRuns().reset(phase, TREE, slotBytes);
    for (long each = eviction; each < eviction + count; each++) {
      runs.addSlots(depth(level), each, 0, slots(level), epochOf.applyAsInt(each));
    }
    return runs;
  }

  /** Returns the number of a bucket among those of all levels. */
  int number(int level, int bucket) {
    return bucketsBefore[level] + bucket;
  }

  /** Returns the stored level of a bucket, given the bucket's number. */
  int levelOfBucket(int number) {
    int level = 0;
    while (number >= bucketsBefore[level + 1]) {
      level++;
    }
    return level;
  }

  /** Returns the number of a bucket within its level. */
  int bucketOf(int number) {
    return number - bucketsBefore[levelOfBucket(number)];
  }

  /** Returns the number of buckets of all levels. */
  int buckets() {
    return bucketsBefore[levels];
  }

  /** Returns the number of 32-bit words that hold one bit for each slot of a bucket. */
  int words(int level) {
    return (slots(level) + Integer.SIZE - 1) / Integer.SIZE;
  }

  /** Returns the number of a bucket's first word. */
  long firstWord(int level, int bucket) {
    return wordsBefore[level] + (long) bucket * words(level);
  }

  /** Returns the number of words of all buckets. */
  long words() {
    return wordsBefore[levels];
  }

  /** Returns the number of buckets for which the ring of a stored level has room. */
  long places(int level) {
    return (1L << depth(level)) + SPARE_PLACES;
  }

  /** Returns the byte offset of a slot that an eviction writes. */
  long offset(int level, long eviction, int slot) {
    long place = eviction % places(level);
    return bases[level] + (place * slots(level) + slot) * slotBytes;
  }

  /** Returns the bytes of the store, superblock included. */
  long bytes() {
    return bases[levels];
  }

  /** Returns the number of slots of all levels, spare places included. */
  long storedSlots() {
    return (bytes() - bases[0]) / slotBytes;
  }

  /** Returns the number of a level j among the stored levels. */
  private int stored(int depth) {
    return (depth - shape.topLevel()) / shape.step();
  }

  @Override
  public void addExtents(BucketRuns runs, ExtentBatch batch) {
    for (int run = 0; run < runs.runs(); run++) {
      int unit = runs.firstUnit(run);
      int level = stored(runs.level(unit));
      batch.add(offset(level, runs.eviction(unit), runs.slot(unit)), runs.units(run));
    }
  }

  @Override
  public int slack(int tree) {
    return SPARE_PLACES;
  }

  /** Returns the tree's description for a store that keeps buckets by name. */
  BucketTrees trees() {
    return new BucketTrees(
        List.of(
            new BucketTrees.Tree(
                shape.topLevel(), shape.height(), 1, slotBytes, depth -> slots(stored(depth)))));
  }

  /** Returns where every level begins, for a store of several media. */
  @Override
  public StoreParts parts() {
    List<Long> starts = new ArrayList<>();
    for (int level = 0; level < levels; level++) {
      starts.add(bases[level]);
    }
    return new StoreParts(List.of(starts));
  }

  /** Returns A·2^m/2: the average number of blocks in the client's levels. */
  long treetopBlocks() {
    return Math.min(blocks, ((long) rate() << shape.topLevel()) / 2);
  }

  /**
   * Returns the most blocks that the client may hold beyond {@link #treetopBlocks}: those that wait
   * for their eviction, including the saw-tooth of their number, with room for the blocks of one or
   * a few closed buckets. A large treetop adds two terms. A bucket of the first stored level has no
   * room for about 0.02√y blocks on average, because a Poisson number with mean y must fit in y +
   * 1.7√y. The other term is six standard deviations of the treetop, which has A·a/2^m blocks, give
   * or take their square root, for a bucket that was evicted a evictions ago.
   */
  int stashLimit() {
    double buckets = 1L << shape.topLevel();
    double waiting = rate() * (shape.fanOut() - 1) / 2.0;
    double full = buckets * Math.sqrt(waiting) / 32;
    double spread = 6 * Math.sqrt(rate() * buckets / 6);
    double most = Math.max(4.0 * rate(), rate() + full + spread);
    return Math.max(innerRoom, leafRoom) + 128 + (int) Math.ceil(most);
  }

  /**
   * Returns 3A: once as many blocks wait for their eviction or are being read, further reads wait.
   */
  int mostWaiting() {
    return 3 * rate();
  }

  /** Returns the most blocks of one read. A program reads all its blocks at once. */
  int mostRead(int maxRangeBlocks) {
    return SlotParameters.shown(maxRangeBlocks);
  }
}
