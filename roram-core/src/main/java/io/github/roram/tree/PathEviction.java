package io.github.roram.tree;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One chunk of evictions: BatchEvict of a sub-ORAM (rORAM, §V, Algorithm 2). It reads the paths,
 * drops stale copies, places their blocks and the stash's, and writes the paths. The tree is as
 * before until the chunk is {@linkplain #applied applied}; one that failed is given up, and another
 * does the same evictions.
 *
 * <p>What is read is settled when the chunk is planned. What it writes is sealed in one key epoch,
 * which it holds before it writes anything.
 */
final class PathEviction implements AutoCloseable {

  private final RangeTree tree;
  private final TreeGeometry geometry;
  private final long first;
  private final int paths;
  private final EvictionBuffer buffer;
  private final BucketRuns runs;
  private final IntArrayList left = new IntArrayList();

  /** What of the tree says which copies are stale by tombstones, if they do. */
  private final @Nullable TombstoneEviction tombstones;

  /** Which copies are current. */
  private final RootFirst copies;

  private GoneTombstones goneTombstones = GoneTombstones.NONE;
  private int epoch;

  /**
   * A chunk of a tree, at the state that the tree has now.
   *
   * @param first number of its first eviction
   */
  PathEviction(RangeTree tree, long first, int paths) {
    this.tree = tree;
    this.paths = paths;
    geometry = tree.geometry();
    this.first = first;
    buffer = tree.memory().evictions().lend();
    runs = tree.memory().requests().lend();
    buffer.begin(geometry, first, paths);
    planRead(tree, first, paths, runs);
    Tombstones held = tree.liveness().tombstones();
    tombstones = held == null ? null : tree.memory().tombstones().lend();
    if (tombstones == null || held == null) {
      copies = tree.liveness().rootFirst();
    } else {
      tombstones.begin(tree, held, first, paths);
      copies = tombstones;
    }
  }

  /**
   * Names the buckets that a chunk reads, the levels nearer the root first: at each, those whose
   * place its own are going to take.
   */
  static void planRead(RangeTree tree, long first, int paths, BucketRuns runs) {
    TreeGeometry geometry = tree.geometry();
    runs.reset(IoPhase.EVICT_READ, geometry.tree(), tree.descriptor().sealedBytes());
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      int width = (int) Math.min(paths, 1L << level);
      tree.versions().addRun(runs, level, first - (1L << level), width);
    }
  }

  /** Reads the paths. */
  void read() throws IOException {
    tree.memory().flow().read(tree.buckets(), runs, this::offerCurrent);
  }

  /** Takes in copies of the current blocks of a bucket that was read. */
  private void offerCurrent(int unit, byte[] plain) {
    int level = runs.level(unit);
    int bucket = geometry.bucket(runs.eviction(unit), level);
    if (tombstones != null) {
      tombstones.at(level);
    }
    copies.enter(plain);
    for (int slot = 0; slot < geometry.slots(); slot++) {
      int address = PlainBucket.address(plain, slot);
      if (address >= 0 && isNewest(level, bucket, slot, address, PlainBucket.label(plain, slot))) {
        buffer.offerCopy(plain, slot, level);
      }
    }
  }

  private boolean isNewest(int level, int bucket, int slot, int address, int label) {
    return copies.isCurrent(level, bucket, slot, address, label)
        && tree.stash().find(address) < 0
        && buffer.firstSeen(address);
  }

  /**
   * Takes in a block that was read, if it is current: without tombstones. Its data must last until
   * the chunk is closed.
   */
  void offerIfCurrent(int unit, int slot, int address, int label, byte[] array, int offset) {
    int level = runs.level(unit);
    if (isNewest(level, geometry.bucket(runs.eviction(unit), level), slot, address, label)) {
      buffer.offer(address, label, level, array, offset);
    }
  }

  /** Places the blocks that were read and those of the stash. */
  void place() {
    buffer.offer(tree.stash());
    buffer.place();
    if (tombstones != null) {
      tombstones.place(geometry);
    }
  }

  /** Lets the stash change from now on: what is placed is copied out of it. */
  void holdPlaced() {
    buffer.holdPlaced(geometry);
  }

  /** What is asked for: the paths to read, and those to write once that is planned. */
  BucketRuns runs() {
    return runs;
  }

  /** Names the buckets to write, the deepest level first, and the epoch that seals them. */
  void planWrite() throws IOException {
    epoch = tree.memory().epochs().hold();
    runs.reset(IoPhase.EVICT_WRITE, geometry.tree(), tree.descriptor().sealedBytes());
    for (int level = geometry.height(); level >= geometry.treetopLevels(); level--) {
      int width = buffer.width(level);
      runs.add(level, first + paths - width, width, epoch);
    }
  }

  /** Puts a bucket together that is to be written. For several threads at once. */
  void assemble(int unit, byte[] plain) {
    buffer.assemble(runs.level(unit), runs.eviction(unit), plain);
    if (tombstones != null) {
      tombstones.assemble(runs.level(unit), runs.eviction(unit), plain);
    }
  }

  /** Writes the paths. */
  void write() throws IOException {
    planWrite();
    tree.memory()
        .epochs()
        .write(epoch, held -> tree.memory().flow().write(tree.buckets(), runs, this::assemble));
  }

  /** The buckets are written: lets the stash go of the blocks in them, and counts the evictions. */
  void applied() {
    buffer.removePlaced(geometry, tree.stash(), left);
    Tombstones held = tree.liveness().tombstones();
    if (tombstones != null && held != null) {
      goneTombstones = tombstones.removeGone(held);
    }
    tree.evicted(paths, epoch);
    tree.measureStash();
  }

  /** The key epoch that sealed the chunk. */
  int epoch() {
    return epoch;
  }

  /** Addresses of the blocks that left the client by it. */
  IntArrayList left() {
    return left;
  }

  /** The tombstones that left the client by it. */
  GoneTombstones goneTombstones() {
    return goneTombstones;
  }

  /** Gives back what was lent. */
  @Override
  public void close() {
    if (tombstones != null) {
      tree.memory().tombstones().giveBack(tombstones);
    }
    tree.memory().requests().giveBack(runs);
    tree.memory().evictions().giveBack(buffer);
  }
}
