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
 * A tree whose buckets name the versions of their two children in links of 8 bytes each. The client
 * holds the versions of the uppermost stored level, so each bucket that is read is authenticated
 * with the version that its parent names (rORAM, §VIII-D, with counters in place of hashes).
 *
 * <p>Buckets have fixed places rather than names that are used once, so the tree is on a {@link
 * BlockStore} itself, whereas the tree engine is on a {@code BucketStore}.
 *
 * <p>The client knows the labels, unless they are in a smaller tree; the blocks that it holds;
 * which place of each bucket is current, if there are two; the versions of the uppermost buckets;
 * the paths that were read and not written back; and the subtree. All but the subtree is the
 * client's state; the subtree can be fetched again if buckets have two places.
 *
 * <p>A block that is read goes to the stash, and leaves a stale copy in the bucket where it was.
 * The stale copy has another label than the new one; or, if the fresh label happens to equal the
 * old one, it is farther from the root. For its bucket has not been written since the block was
 * read, so the buckets of its path that were written all lie above it. So of two copies under the
 * right label the one nearer the root is newer, and the client's copy counts as nearest. Where the
 * labels are in a smaller tree each path is written before the next one is read, and no copy is
 * stale.
 *
 * <p>Not thread safe.
 */
final class LinkedTree implements WholeTree, ReadTree {

  /** The version of a bucket that was never written. */
  static final long NEVER = 0;

  private static final int NUMBER_BITS = 40;

  /** Epochs are below this bound; a new one begins with each opening and each failed write. */
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

  /** Whether paths that wait to be written back are missing from the subtree. */
  private boolean incomplete;

  /** Whether a write-back failed, and may have torn buckets, and was not repeated yet. */
  private boolean torn;

  private int stashBlocks;
  private int stashMaxBlocks;

  /**
   * Creates an empty tree.
   *
   * @param labels the labels, if the client has them; null if they are in a smaller tree
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

  /** Returns the descriptor of buckets as the client holds them, which may be without data. */
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

  /** Returns whether the client's state is consistent. */
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

  /** Returns the versions of the buckets of the uppermost stored level, the array itself. */
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

  /** Returns the byte offset of a bucket's current place. */
  long offset(int level, int bucket) {
    return places.currentOffset(PathUnion.key(level, bucket));
  }

  /**
   * Returns the version of a bucket that is sealed in an epoch, given the number of a written path.
   *
   * <p>With two places per bucket the version consists of epoch and number. A write-back that
   * failed, or that a crash tore, is repeated with the same numbers in another epoch, so what the
   * first try left is never taken for what the client has. With one place nothing survives a crash,
   * and each try has numbers of its own.
   *
   * <p>Under one master key a version is given to one content only, so a reader who knows the
   * version need not know the epoch that sealed the bucket: it is the version's own, or that in
   * which the master key was changed.
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

  /** Returns the version of a bucket in the next write-back. */
  long version(PathUnion union, int unit, int epoch) {
    return version(epoch, numbers + union.path(unit) + 1);
  }

  /** Counts the stash: blocks beyond the treetop, without those that wait for write-back. */
  void measureStash() {
    int beyond = Math.max(stash.overflow(), stash.size() - geometry().treetopBlocks());
    stashBlocks = Math.max(0, beyond - unwritten.size());
    stashMaxBlocks = Math.max(stashMaxBlocks, stashBlocks);
  }

  /** Returns the number of blocks beyond the treetop's room. */
  int stashBlocks() {
    return stashBlocks;
  }

  /** Returns the most blocks that were ever beyond the treetop's room. */
  int stashMaxBlocks() {
    return stashMaxBlocks;
  }

  @Override
  public Liveness.RootFirst copies() {
    return this::isHeldUnder;
  }

  /** Always true if the labels are in a smaller tree, whose readers compare them. */
  @Override
  public boolean isHeldUnder(int address, int label) {
    return labels == null || label == labels.label(address);
  }

  /**
   * Returns true on paths that are being read or not written back, as their blocks are with the
   * client. A write-back may also have placed a block that was requested in the meantime, and so
   * stayed with the client.
   */
  @Override
  public boolean mayHaveStale(int level, int bucket) {
    return subtree.isNeeded(PathUnion.key(level, bucket));
  }

  /**
   * Returns the label that the client knows or, if the labels are in a smaller tree, the label that
   * the block has before its first access.
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
   * Returns the version that a bulk load gives a bucket, unique in the level, as nonces must be.
   */
  long loadedVersion(int epoch, int bucket) {
    return version(epoch, numbers + bucket + 1);
  }

  /** Records that a bulk load has written every stored bucket. */
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

  /** Returns the number of write-backs since the opening. */
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

  /** Retains the paths in the subtree: they are being read, and then wait to be written back. */
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
   * Brings a block, whose path is in the subtree, to the stash.
   *
   * @param label the block's label in the tree
   * @return whether the block came; false if it was in the stash or never written
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

  /** Records that a path was read; it stays in the subtree until it is written back. */
  void owe(int label) {
    unwritten.addLast(label);
    pathsRead++;
  }

  /**
   * Records that the oldest paths were written back: the other places of their buckets, if there
   * are two, become current.
   */
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

  /** Records that a write-back of {@code paths} paths failed: the next try has other versions. */
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

  /** Fetches all paths that wait to be written back, after an opening. */
  void fetchUnwritten() throws IOException {
    new PathFetch(this, IoPhase.EVICT_READ, oldestUnwritten(unwritten.size())).run();
    incomplete = false;
  }

  /** Returns the bytes of client memory for labels and places. */
  long mapBytes() {
    return places.heldBytes() + (labels == null ? 0 : labels.heldBytes());
  }

  /** Adds the labels that the client has; {@link #copyTo} adds the rest of its state. */
  void copyLabelsTo(StateCopy state) {
    if (labels != null) {
      // After a bulk load, a write-back looks up the label of every block that it meets.
      long met = mayBeLoaded() ? (long) geometry().slots() * (geometry().height() + 1) : 0;
      state.add(labels.startCopy(accesses() * (1 + met)));
    }
  }

  /**
   * Adds what the client knows of the tree, without the labels.
   *
   * @param mostHeld the most blocks of the tree that the client can hold
   */
  void copyTo(StateCopy state, int mostHeld) throws IOException {
    state.addNow(this::write);
    // A bulk load leaves blocks with the client.
    state.add(stash.startCopy(Math.min(mayBeLoaded() ? Long.MAX_VALUE : accesses(), mostHeld)));
  }

  /** Returns an upper bound of the paths read for requests since creation. */
  private long accesses() {
    return places.areTwo() ? pathsRead : numbers;
  }

  /** Writes what the store knows as well; with one place per bucket no path is unwritten. */
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

  /** Notes that the state was loaded or replayed: the subtree has none of its paths yet. */
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
