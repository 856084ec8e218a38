package io.github.roram.linked;

import com.carrotsearch.hppc.IntArrayDeque;
import com.carrotsearch.hppc.cursors.IntCursor;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.engine.WholeState;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.stash.Stash;
import io.github.roram.store.BlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.tree.BucketMemory;
import io.github.roram.tree.BucketWalk;
import io.github.roram.tree.EvictionBuffer;
import io.github.roram.tree.Liveness;
import io.github.roram.tree.ParallelBucketCodec;
import io.github.roram.tree.ReadTree;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.WholeTree;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A tree whose buckets name the versions of their two children, in their links: 8 bytes each. The
 * client holds those of the uppermost stored level. So each bucket that is read is authenticated
 * with the version that its parent names (rORAM, §VIII-D, with counters in place of hashes).
 *
 * <p>Buckets have places and not names that are used once: the tree is on a {@link BlockStore}
 * itself, where the tree engine is on a {@code BucketStore}.
 *
 * <p>The client knows the labels, unless a smaller tree has them; the blocks that it holds; which
 * place of each bucket is current, if there are two; the versions of the uppermost buckets; and the
 * paths that were read and not written back. All but the subtree is the client's state; the subtree
 * can be fetched again, where buckets have two places.
 *
 * <p>A block that is read goes to the stash, and leaves its copy behind in the bucket that it came
 * from. That one is stale: its label is another; or, if the fresh label happens to be the old one,
 * it is further from the root than the new copy. For that bucket is on a path that was read and not
 * written, and what is written reaches down to where the written paths end. So of two copies under
 * the right label the one nearer the root is newer, and the client's is nearest. Where the labels
 * are in a smaller tree each path is written before the next one is read, and no copy is stale.
 *
 * <p>Not thread safe.
 */
final class LinkedTree implements WholeTree, ReadTree {

  /** The version of a bucket that was never written. */
  static final long NEVER = 0;

  private static final int NUMBER_BITS = 40;

  /** Epochs are below this: a new one begins with each opening and each failed write. */
  private static final int EPOCHS = 1 << (Long.SIZE - 1 - NUMBER_BITS);

  private final LinkedStoreLayout.Tree layout;
  private final LabelPrf firstLabels;
  private final @Nullable LocalPositionMap labels;
  private final Stash stash;
  private final BucketMemory memory;
  private final BlockStore store;
  private final Subtree subtree;
  private final Places places;
  private final EvictionBuffer buffer;
  private final long[] topVersions;

  /** Labels of the paths that were read and not written back, oldest first. */
  private final IntArrayDeque unwritten = new IntArrayDeque();

  private long numbers;
  private long writeBacks;

  /** Paths read for requests since creation. */
  private long pathsRead;

  /** Whether the subtree lacks paths that wait to be written back. */
  private boolean incomplete;

  /** Whether a write-back failed, and perhaps tore buckets, that was not repeated. */
  private boolean torn;

  private int stashBlocks;
  private int stashMaxBlocks;

  /**
   * An empty tree.
   *
   * @param labels where the client has them; null if a smaller tree does
   */
  LinkedTree(
      LinkedStoreLayout.Tree layout,
      LabelPrf firstLabels,
      @Nullable LocalPositionMap labels,
      BucketMemory memory,
      BlockStore store) {
    this.layout = layout;
    this.firstLabels = firstLabels;
    this.labels = labels;
    this.memory = memory;
    this.store = store;
    stash = new Stash(memory.descriptor().blockBytes());
    stash.hasTreetop(geometry().newTreetop());
    stash.index(geometry().treetopLevels());
    topVersions = new long[1 << geometry().treetopLevels()];
    places = new Places(layout);
    buffer = memory.newEviction();
    subtree = new Subtree(geometry(), memory.lanes());
  }

  /** Returns where it lies. */
  LinkedStoreLayout.Tree layout() {
    return layout;
  }

  @Override
  public TreeGeometry geometry() {
    return layout.geometry();
  }

  /** That of what is held: it may be without data. */
  @Override
  public BucketDescriptor descriptor() {
    return memory.descriptor();
  }

  @Override
  public Stash stash() {
    return stash;
  }

  /** Returns the memory that operations on the tree use. */
  BucketMemory memory() {
    return memory;
  }

  /** Whether what the client knows is consistent. */
  WholeState whole() {
    return memory.whole();
  }

  ParallelBucketCodec lanes() {
    return memory.lanes();
  }

  /** Returns where the buckets are. */
  BlockStore store() {
    return store;
  }

  Places places() {
    return places;
  }

  Subtree subtree() {
    return subtree;
  }

  /** Returns the blocks of the write-back at hand. */
  EvictionBuffer buffer() {
    return buffer;
  }

  /** Versions of the buckets of the uppermost stored level, as the client holds them. */
  long[] topVersions() {
    return topVersions;
  }

  /** Returns how many numbers versions have had: the next is one more. */
  long numbers() {
    return numbers;
  }

  /** Returns whether it may be that a bulk load filled it: that has as many numbers as leaves. */
  private boolean mayBeLoaded() {
    return numbers >= geometry().leaves();
  }

  /** Returns what requests of an access say that they are for. */
  IoPhase phase(IoPhase ofData) {
    return geometry().tree() > 0 ? IoPhase.POSITION_MAP : ofData;
  }

  /** Byte offset of a bucket as it is now. */
  long offset(int level, int bucket) {
    return places.currentOffset(PathUnion.key(level, bucket));
  }

  /**
   * The version that a number, which counts paths written, gives to what is sealed in an epoch.
   *
   * <p>Where buckets have two places it is the number and the epoch. A write-back that failed, or
   * that a crash tore, is done again with the same numbers in another epoch, so what it left is
   * never taken for what the client has. With one place nothing survives a crash, and each try has
   * a number of its own.
   *
   * <p>A master key seals one content under a version, so whoever knows the version need not know
   * which epoch sealed it: that is its own, or the one in which the master key was changed.
   *
   * @throws IllegalStateException if the store was opened too often
   */
  private long version(int epoch, long number) {
    if (!places.areTwo()) {
      return number;
    }
    if (epoch < 0 || epoch >= EPOCHS || number < 1 || number >>> NUMBER_BITS != 0) {
      throw new IllegalStateException(
          "the store is in key epoch "
              + epoch
              + " and has written "
              + number
              + " paths, a store of scheme tao has at most "
              + (EPOCHS - 1)
              + " epochs and 2^40 paths; export it and import it to a new one");
    }
    return (long) epoch << NUMBER_BITS | number;
  }

  /** The version of a bucket that is written back next. */
  long version(PathUnion union, int unit, int epoch) {
    return version(epoch, numbers + union.path(unit) + 1);
  }

  /** Counts the stash anew: what the client holds beyond the treetop, and does not wait. */
  void measureStash() {
    int beyond = Math.max(stash.overflow(), stash.size() - geometry().treetopBlocks());
    stashBlocks = Math.max(0, beyond - unwritten.size());
    stashMaxBlocks = Math.max(stashMaxBlocks, stashBlocks);
  }

  /** Blocks beyond the treetop's room. */
  int stashBlocks() {
    return stashBlocks;
  }

  /** The most that there were. */
  int stashMaxBlocks() {
    return stashMaxBlocks;
  }

  @Override
  public Liveness.RootFirst copies() {
    return this::isHeldUnder;
  }

  /** Labels in a smaller tree are compared by those who read it. */
  @Override
  public boolean isHeldUnder(int address, int label) {
    return labels == null || label == labels.label(address);
  }

  /**
   * On paths that are being read or are not written back. A write-back may also have placed a block
   * that was then asked for again, and so stayed.
   */
  @Override
  public boolean mayHaveStale(int level, int bucket) {
    return subtree.isNeeded(PathUnion.key(level, bucket));
  }

  /**
   * That which the client knows; the first one, which was never accessed, if a smaller tree does.
   */
  @Override
  public int label(int block) {
    return labels == null
        ? firstLabels.label(geometry().tree(), block, geometry().leaves())
        : labels.label(block);
  }

  @Override
  public int rangeLabel(int block) {
    return label(block);
  }

  @Override
  public BucketWalk walk() {
    return new LinkedWalk(this);
  }

  @Override
  public WholeTree.Fill startFill() throws IOException {
    return new LinkedWalk.Fill(this, memory.epochs().hold());
  }

  /**
   * The version that a bulk load gives a bucket: one of its own in its level, as nonces must be.
   */
  long loadedVersion(int epoch, int bucket) {
    return version(epoch, numbers + bucket + 1);
  }

  /** Every stored bucket was written by a bulk load. */
  void loaded(int epoch) {
    for (int bucket = 0; bucket < topVersions.length; bucket++) {
      topVersions[bucket] = loadedVersion(epoch, bucket);
    }
    numbers += geometry().leaves();
    measureStash();
  }

  /** Makes the tree empty again after a bulk load that failed. */
  void reset() {
    numbers += geometry().leaves();
    Arrays.fill(topVersions, NEVER);
    stash.clear();
    measureStash();
  }

  /** Write-backs since the opening. */
  long writeBacks() {
    return writeBacks;
  }

  int unwrittenPaths() {
    return unwritten.size();
  }

  /** Returns the oldest paths that wait to be written back. */
  int[] oldestUnwritten(int paths) {
    int[] oldest = new int[paths];
    int next = 0;
    for (IntCursor label : unwritten) {
      if (next == paths) {
        break;
      }
      oldest[next++] = label.value;
    }
    return oldest;
  }

  /** The paths are retained: they are read, and then wait to be written back. */
  @Override
  public void reading(int[] shownLabels) {
    for (int label : shownLabels) {
      subtree.retain(label);
    }
  }

  @Override
  public void relabel(int block, int shownLabel, int freshLabel) {
    if (labels != null) {
      labels.set(block, freshLabel);
    }
    int slot = stash.find(block);
    if (slot >= 0) {
      stash.relabel(slot, freshLabel);
    }
  }

  @Override
  public int duePaths() {
    return unwritten.size();
  }

  @Override
  public void evicted(int paths, int epoch) {
    writtenBack(new PathUnion(geometry(), oldestUnwritten(paths)), paths, epoch);
  }

  /**
   * Brings a block to the stash whose path is in the subtree.
   *
   * @param label that it has in the tree
   * @return whether it came: it was not in the stash, and was written before
   */
  boolean bring(int address, int label) {
    TreeGeometry geometry = geometry();
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

  /** The oldest paths were written back: the other places of their buckets, if any, are current. */
  void writtenBack(PathUnion union, int paths, int epoch) {
    for (int unit = 0; unit < union.units(); unit++) {
      places.flip(union.key(unit));
      if (union.parent(unit) == PathUnion.NONE) {
        topVersions[union.bucket(unit)] = version(union, unit, epoch);
      }
    }
    numbers += paths;
    writeBacks++;
    torn = false;
    for (int i = 0; i < paths; i++) {
      subtree.release(unwritten.removeFirst());
    }
  }

  /** A write-back of so many paths failed: the next try has other versions. */
  void tore(int paths) {
    torn = true;
    numbers += places.areTwo() ? 0 : paths;
    memory.epochs().requireNew();
  }

  /** Returns whether the store may have torn buckets where it had current ones. */
  boolean isTorn() {
    return torn && !places.areTwo();
  }

  /** Returns whether {@link #fetchUnwritten} has to be called before a write-back. */
  boolean isIncomplete() {
    return incomplete;
  }

  /** Fetches all paths that wait to be written back: after an opening. */
  void fetchUnwritten() throws IOException {
    new PathFetch(this, IoPhase.EVICT_READ, oldestUnwritten(unwritten.size())).run();
    incomplete = false;
  }

  /** Returns the bytes of client memory for labels and places. */
  long mapBytes() {
    return places.heldBytes() + (labels == null ? 0 : labels.heldBytes());
  }

  /** Adds the labels that the client has; what else it knows {@link #copyTo} adds. */
  void copyLabelsTo(StateCopy state) {
    if (labels != null) {
      // Of what a load brought, a write-back asks for the labels of all that it meets.
      long met = mayBeLoaded() ? (long) geometry().slots() * (geometry().height() + 1) : 0;
      state.add(labels.startCopy(accesses() * (1 + met)));
    }
  }

  /**
   * Adds what the client knows of the tree.
   *
   * @param mostHeld the most blocks that the client can hold of it
   */
  void copyTo(StateCopy state, int mostHeld) throws IOException {
    state.addNow(this::write);
    // A bulk load leaves blocks to the client.
    state.add(stash.startCopy(Math.min(mayBeLoaded() ? Long.MAX_VALUE : accesses(), mostHeld)));
  }

  /** Paths read for requests since creation, or more. */
  private long accesses() {
    return places.areTwo() ? pathsRead : numbers;
  }

  /** What the store knows as well; with one place a bucket, all paths are written. */
  private void write(DataOutput out) throws IOException {
    out.writeLong(numbers);
    if (places.areTwo()) {
      out.writeLong(pathsRead);
    }
    for (long version : topVersions) {
      out.writeLong(version);
    }
    if (places.areTwo()) {
      places.write(out);
      out.writeInt(unwritten.size());
      for (IntCursor label : unwritten) {
        out.writeInt(label.value);
      }
    }
  }

  /** Loads what {@link #copyLabelsTo} saved. */
  void readLabelsFrom(DataInput in) throws IOException {
    if (labels != null) {
      labels.readFrom(in);
    }
  }

  /** Loads what {@link #copyTo} saved. */
  void readFrom(DataInput in) throws IOException {
    numbers = in.readLong();
    if (places.areTwo()) {
      pathsRead = in.readLong();
    }
    for (int bucket = 0; bucket < topVersions.length; bucket++) {
      topVersions[bucket] = in.readLong();
    }
    if (places.areTwo()) {
      places.readFrom(in);
      for (int count = in.readInt(); count > 0; count--) {
        int label = in.readInt();
        unwritten.addLast(label);
        subtree.retain(label);
      }
    }
    stash.readFrom(in);
    replayed();
  }

  /** The state was loaded, or replayed: the subtree has none of the paths that it retains. */
  void replayed() {
    incomplete = !unwritten.isEmpty();
    measureStash();
  }

  /** Overwrites all data that the client holds. */
  void wipe() {
    subtree.clear();
    stash.wipe();
  }
}
