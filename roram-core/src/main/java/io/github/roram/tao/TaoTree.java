package io.github.roram.tao;

import com.carrotsearch.hppc.IntArrayDeque;
import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.cursors.IntCursor;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.path.LinkedTree;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.stash.Stash;
import io.github.roram.store.BlockStore;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.tree.BucketLanes;
import io.github.roram.tree.BucketMemory;
import io.github.roram.tree.BucketVisitor;
import io.github.roram.tree.BulkFill;
import io.github.roram.tree.BulkTarget;
import io.github.roram.tree.TreeGeometry;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * The tree of a TaORAM as the client knows it: labels, the blocks that it holds, which place of
 * each bucket is current, the versions of the uppermost buckets, and the paths that were read and
 * not written back. All but the subtree is the client's state; the subtree can be fetched again.
 *
 * <p>Freshness: a write-back gives each bucket that it writes a {@link BucketVersion}, and the
 * links of the bucket above name it (rORAM, §VIII-D, with counters in place of hashes).
 *
 * <p>A block that is read goes to the stash, and leaves its copy behind in the bucket that it came
 * from. That one is stale: its label is another; or, if the fresh label happens to be the old one,
 * it is further from the root than the new copy. For that bucket is on a path that was read and not
 * written, and what is written reaches down to where the written paths end. So of two copies under
 * the right label the one nearer the root is newer, and the client's is nearest.
 *
 * <p>Not thread safe.
 */
final class TaoTree implements BulkTarget, LinkedTree {

  private final TreeGeometry geometry;
  private final LabelPrf firstLabels;
  private final LocalPositionMap positions;
  private final Stash stash;
  private final BucketMemory memory;
  private final BlockStore store;
  private final Subtree subtree;

  private final Places places;
  private final long[] topVersions;

  /** Labels of the paths that were read and not written back, oldest first. */
  private final IntArrayDeque unwritten = new IntArrayDeque();

  /** Numbers that versions have had. */
  private long numbers;

  private long writeBacks;

  /** Paths read for requests since creation. */
  private long pathsRead;

  /** Whether the subtree lacks paths that wait to be written back. */
  private boolean incomplete;

  private int stashBlocks;
  private int stashMaxBlocks;

  TaoTree(TaoLayout layout, LabelPrf firstLabels, BucketMemory memory, BlockStore store) {
    this.firstLabels = firstLabels;
    this.memory = memory;
    this.store = store;
    geometry = layout.geometry();
    positions =
        new LocalPositionMap(firstLabels, geometry.tree(), geometry.ranges(), geometry.leaves());
    stash = new Stash(memory.descriptor().blockBytes());
    stash.index(geometry.treetopLevels(), geometry.slots());
    places = new Places(layout);
    subtree = new Subtree(geometry, memory.lanes());
    topVersions = new long[1 << geometry.treetopLevels()];
  }

  @Override
  public TreeGeometry geometry() {
    return geometry;
  }

  @Override
  public BucketDescriptor descriptor() {
    return memory.descriptor();
  }

  @Override
  public Stash stash() {
    return stash;
  }

  @Override
  public long[] topVersions() {
    return topVersions;
  }

  Places places() {
    return places;
  }

  LocalPositionMap positions() {
    return positions;
  }

  BucketMemory memory() {
    return memory;
  }

  BucketLanes lanes() {
    return memory.lanes();
  }

  BlockStore store() {
    return store;
  }

  Subtree subtree() {
    return subtree;
  }

  /** Numbers that versions have had: the next is one more. */
  long numbers() {
    return numbers;
  }

  /** Write-backs since the opening. */
  long writeBacks() {
    return writeBacks;
  }

  int unwrittenPaths() {
    return unwritten.size();
  }

  /** The oldest paths that wait to be written back. */
  int[] oldestUnwritten(int paths) {
    int[] labels = new int[paths];
    int next = 0;
    for (IntCursor label : unwritten) {
      if (next == paths) {
        break;
      }
      labels[next++] = label.value;
    }
    return labels;
  }

  /** Gives a block another label, and so what the stash holds of it. */
  void relabel(int address, int label) {
    positions.set(address, label);
    int slot = stash.find(address);
    if (slot >= 0) {
      stash.relabel(slot, label);
    }
  }

  /**
   * Brings a block to the stash whose path is in the subtree.
   *
   * @return whether it came: it was not in the stash, and was written before
   */
  boolean bring(int address) {
    int label = positions.label(address);
    for (int level = geometry.treetopLevels();
        level <= geometry.height() && stash.find(address) < 0;
        level++) {
      byte[] plain = subtree.get(PathUnion.key(level, geometry.bucket(label, level)));
      for (int slot = 0; slot < geometry.slots(); slot++) {
        if (PlainBucket.address(plain, slot) == address
            && PlainBucket.label(plain, slot) == label) {
          stash.put(address, label, plain, descriptor().dataOffset(slot));
          return true;
        }
      }
    }
    return false;
  }

  /** A path was read; it is retained in the subtree, and has to be written back. */
  void owe(int label) {
    unwritten.addLast(label);
    pathsRead++;
  }

  /** The oldest paths were written back: the other places of their buckets are current. */
  void writtenBack(PathUnion union, int paths, int epoch) {
    for (int unit = 0; unit < union.units(); unit++) {
      places.flip(union.key(unit));
      if (union.parent(unit) == PathUnion.NONE) {
        topVersions[union.bucket(unit)] = version(union, unit, epoch);
      }
    }
    numbers += paths;
    writeBacks++;
    for (int i = 0; i < paths; i++) {
      subtree.release(unwritten.removeFirst());
    }
  }

  /** The version of a bucket that is written back next. */
  long version(PathUnion union, int unit, int epoch) {
    return BucketVersion.of(epoch, numbers + union.path(unit) + 1);
  }

  /** Whether {@link #fetchUnwritten} has to be called before a write-back. */
  boolean isIncomplete() {
    return incomplete;
  }

  /** Fetches all paths that wait to be written back: after an opening. */
  void fetchUnwritten() throws IOException {
    PathFetch fetch = new PathFetch(this, IoPhase.EVICT_READ, oldestUnwritten(unwritten.size()));
    try {
      store.read(fetch.extents(), fetch);
      fetch.keepIn(subtree);
      incomplete = false;
    } finally {
      fetch.clear();
    }
  }

  /** What the client holds beyond the treetop and the blocks of paths that are not written. */
  void measureStash() {
    int held = Math.max(stash.overflow(), stash.size() - geometry.treetopBlocks());
    stashBlocks = Math.max(0, held - unwritten.size());
    stashMaxBlocks = Math.max(stashMaxBlocks, stashBlocks);
  }

  int stashBlocks() {
    return stashBlocks;
  }

  int stashMaxBlocks() {
    return stashMaxBlocks;
  }

  /** Bytes of client memory for labels and places. */
  long mapBytes() {
    return positions.heldBytes() + places.heldBytes();
  }

  /**
   * Adds what the client knows of the tree.
   *
   * @param mostHeld the most blocks that the client can hold of it
   */
  void copyTo(StateCopy state, int mostHeld) throws IOException {
    // A bulk load leaves blocks to the client, and uses as many numbers as there are leaves.
    boolean mayBeLoaded = numbers >= geometry.leaves();
    // Of what a load brought, a write-back asks for the labels of all that it meets.
    long met = mayBeLoaded ? (long) geometry.slots() * (geometry.height() + 1) : 0;
    state.add(positions.startCopy(pathsRead * (1 + met)));
    state.addNow(this::write);
    state.add(stash.startCopy(Math.min(mayBeLoaded ? Long.MAX_VALUE : pathsRead, mostHeld)));
  }

  /** What the store knows as well. */
  private void write(DataOutput out) throws IOException {
    out.writeLong(numbers);
    out.writeLong(pathsRead);
    for (long version : topVersions) {
      out.writeLong(version);
    }
    places.write(out);
    out.writeInt(unwritten.size());
    for (IntCursor label : unwritten) {
      out.writeInt(label.value);
    }
  }

  /** Loads what {@link #copyTo} saved. */
  void readFrom(DataInput in) throws IOException {
    positions.readFrom(in);
    numbers = in.readLong();
    pathsRead = in.readLong();
    for (int bucket = 0; bucket < topVersions.length; bucket++) {
      topVersions[bucket] = in.readLong();
    }
    places.readFrom(in);
    for (int count = in.readInt(); count > 0; count--) {
      int label = in.readInt();
      unwritten.addLast(label);
      subtree.retain(label);
    }
    stash.readFrom(in);
    replayed();
  }

  /** The state was loaded, or replayed: the subtree has none of the paths that it retains. */
  void replayed() {
    incomplete = !unwritten.isEmpty();
    measureStash();
  }

  @Override
  public int label(int block) {
    return firstLabels.label(geometry.tree(), block, geometry.leaves());
  }

  @Override
  public BulkFill startFill() throws IOException {
    return new TaoFill(this, memory.epochs().hold());
  }

  /** Every stored bucket was written by a bulk load, in its current place. */
  void loaded(int epoch) {
    for (int bucket = 0; bucket < topVersions.length; bucket++) {
      topVersions[bucket] = loadedVersion(epoch, bucket);
    }
    numbers += geometry.leaves();
    measureStash();
  }

  /**
   * The version that a bulk load gives a bucket: one of its own in its level, as nonces must be.
   */
  long loadedVersion(int epoch, int bucket) {
    return BucketVersion.of(epoch, numbers + bucket + 1);
  }

  /** Makes the tree empty again after a bulk load that failed. */
  void reset() {
    numbers += geometry.leaves();
    Arrays.fill(topVersions, BucketVersion.NEVER);
    stash.clear();
    measureStash();
  }

  @Override
  public void readBuckets(
      int level, int firstBucket, int count, long[] expected, BucketVisitor visitor)
      throws IOException {
    ExtentBatch extents = written(level, firstBucket, count, expected);
    BucketRuns names =
        new BucketRuns().reset(IoPhase.META, geometry.tree(), descriptor().sealedBytes());
    IntArrayList buckets = new IntArrayList();
    for (int bucket = firstBucket; bucket < firstBucket + count; bucket++) {
      if (expected[bucket] > 0) {
        names.add(level, expected[bucket], 1, BucketCodec.ANY_EPOCH);
        buckets.add(bucket);
      }
    }
    memory.show(names, buckets::get, sink -> store.read(extents, sink), visitor);
  }

  /** The current places of those buckets of a level that have a version above 0. */
  ExtentBatch written(int level, int firstBucket, int count, long[] versions) {
    ExtentBatch extents =
        new ExtentBatch().reset(IoPhase.META, geometry.tree(), descriptor().sealedBytes());
    for (int bucket = firstBucket; bucket < firstBucket + count; bucket++) {
      if (versions[bucket] > 0) {
        extents.add(places.currentOffset(PathUnion.key(level, bucket)), 1);
      }
    }
    return extents;
  }

  /** Overwrites all data that the client holds. */
  void wipe() {
    subtree.clear();
    stash.wipe();
  }
}
