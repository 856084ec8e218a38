package io.github.roram.path;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.cipher.LabelSource;
import io.github.roram.posmap.PositionMap;
import io.github.roram.stash.Stash;
import io.github.roram.store.BlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.tree.BucketMemory;
import io.github.roram.tree.BucketSource;
import io.github.roram.tree.BucketVisitor;
import io.github.roram.tree.BulkFill;
import io.github.roram.tree.BulkTarget;
import io.github.roram.tree.EvictionBuffer;
import io.github.roram.tree.TreeGeometry;
import java.io.DataInput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Classic Path ORAM (Stefanov et al., CCS 2013, section 3): an access reads the path of its block,
 * gives the block a fresh label, and writes the same path back, as full as can be. One vectored
 * read and one vectored write an access.
 *
 * <p>Labels are in bit-reversed order here too, which changes nothing for random paths and lets the
 * placement be the tree engine's, with a chunk of one path.
 *
 * <p>Freshness: every access has a number, its version, and writes it into the buckets of its path.
 * A bucket's links hold the versions of its two children, so each bucket read is authenticated with
 * the version that its parent names; those of the uppermost stored level are the client's (rORAM,
 * §VIII-D, with counters in place of hashes). Version 0 means never written.
 *
 * <p>Buckets are overwritten where they stand, so they have places and not names that are used
 * once: this tree is on a {@link BlockStore} itself, where the tree engine is on a {@code
 * BucketStore}.
 *
 * <h2>Security</h2>
 *
 * The store sees a uniform fresh label for each access. A failed access is completed, with the same
 * path, before the next one starts. Not thread safe.
 */
final class PathTree implements BulkTarget, LinkedTree {

  /** Two versions of children. */
  static final int LINK_BYTES = 16;

  private final TreeGeometry geometry;
  private final PathLayout layout;
  private final PositionMap positions;
  private final LabelPrf firstLabels;
  private final LabelSource labels;
  private final Stash stash;
  private final BucketMemory memory;
  private final EvictionBuffer buffer;
  private final BucketBatch batch = new BucketBatch();
  private final BlockStore store;
  private final IoPhase readPhase;
  private final IoPhase writePhase;

  /** Versions of the buckets of the uppermost stored level. */
  private final long[] topVersions;

  /** Versions of the two children of the bucket of each level on the path at hand. */
  private final long[][] childVersions;

  private long versions;

  /** How far the access at hand has come; a failed one is resumed from there. */
  private enum Stage {
    NONE,
    LOOK_UP,
    READ,
    /** The path is in memory, and perhaps torn on the store. */
    WRITE
  }

  private Stage stage = Stage.NONE;
  private int address;
  private int path;
  private int freshLabel;

  private final IntArrayList left = new IntArrayList();
  private int stashBlocks;
  private int stashMaxBlocks;

  PathTree(
      TreeGeometry geometry,
      PathLayout layout,
      PositionMap positions,
      LabelPrf firstLabels,
      LabelSource labels,
      BucketMemory memory,
      BlockStore store,
      boolean forPositionMap) {
    this.geometry = geometry;
    this.layout = layout;
    this.positions = positions;
    this.firstLabels = firstLabels;
    this.labels = labels;
    this.stash = new Stash(memory.descriptor().blockBytes());
    stash.index(geometry.treetopLevels(), geometry.slots());
    this.memory = memory;
    this.buffer = memory.newEviction();
    this.store = store;
    readPhase = forPositionMap ? IoPhase.POSITION_MAP : IoPhase.READ;
    writePhase = forPositionMap ? IoPhase.POSITION_MAP : IoPhase.EVICT_WRITE;
    topVersions = new long[1 << geometry.treetopLevels()];
    childVersions = new long[geometry.height() + 1][2];
  }

  @Override
  public TreeGeometry geometry() {
    return geometry;
  }

  PathLayout layout() {
    return layout;
  }

  /** The request at hand. */
  BucketBatch batch() {
    return batch;
  }

  @Override
  public Stash stash() {
    return stash;
  }

  /** Accesses done, and so the version that the last one wrote. */
  long versions() {
    return versions;
  }

  /** Blocks beyond the treetop's room. */
  int stashBlocks() {
    return stashBlocks;
  }

  /** The largest such number after any access. */
  int stashMaxBlocks() {
    return stashMaxBlocks;
  }

  @Override
  public int label(int block) {
    return firstLabels.label(geometry.tree(), block, geometry.leaves());
  }

  @Override
  public BucketDescriptor descriptor() {
    return memory.descriptor();
  }

  @Override
  public BulkFill startFill() throws IOException {
    return new PathFill(this, memory.epochs().hold());
  }

  /**
   * The version that a bulk load gives a bucket: one of its own in its level, as nonces must be.
   */
  long loadedVersion(int bucket) {
    return versions + bucket + 1;
  }

  /** Every stored bucket was written by a bulk load. */
  void loaded() {
    Arrays.setAll(topVersions, this::loadedVersion);
    versions += geometry.leaves();
    measureStash();
  }

  /** Makes the tree empty; the versions that a bulk load gave are not given again. */
  void reset() {
    versions += geometry.leaves();
    Arrays.fill(topVersions, 0);
    stash.clear();
    measureStash();
  }

  /**
   * Adds what the client knows of the tree.
   *
   * @param mostHeld the most blocks that the client can hold of it
   */
  void copyTo(StateCopy state, int mostHeld) throws IOException {
    state.addNow(
        out -> {
          out.writeLong(versions);
          for (long version : topVersions) {
            out.writeLong(version);
          }
        });
    // An access brings one block to an empty tree; a bulk load has as many versions as leaves.
    long entered = versions >= geometry.leaves() ? Long.MAX_VALUE : versions;
    state.add(stash.startCopy(Math.min(entered, mostHeld)));
  }

  /** Loads what {@link #copyTo} saved. */
  void readFrom(DataInput in) throws IOException {
    versions = in.readLong();
    for (int bucket = 0; bucket < topVersions.length; bucket++) {
      topVersions[bucket] = in.readLong();
    }
    stash.readFrom(in);
    measureStash();
  }

  /**
   * One access.
   *
   * @throws IOException if the store failed; the update may or may not have been applied
   */
  void access(int block, BlockUpdate update) throws IOException {
    completePending();
    address = block;
    freshLabel = labels.next(geometry.leaves());
    stage = Stage.LOOK_UP;
    lookUpAndRead();
    int slot = stash.putKept(address, freshLabel);
    update.apply(stash.array(slot), stash.offset(slot));
    placeOnPath();
    writePath();
  }

  /**
   * Completes an access that failed, without its update: its path is shown once more, as it was.
   */
  void completePending() throws IOException {
    if (stage == Stage.NONE) {
      return;
    }
    if (stage != Stage.WRITE) {
      lookUpAndRead();
      placeOnPath();
    }
    writePath();
  }

  /** Whether an access failed and is not completed yet. */
  boolean isPending() {
    return stage != Stage.NONE;
  }

  private void lookUpAndRead() throws IOException {
    if (stage == Stage.LOOK_UP) {
      path = positions.exchange(address, new int[] {freshLabel})[0];
      stage = Stage.READ;
    }
    readPath();
  }

  private void readPath() throws IOException {
    buffer.begin(geometry, path, 1);
    layout.readPath(batch, readPhase, path);
    store.read(
        batch.extents(),
        (firstUnit, units) -> {
          for (int unit = firstUnit; units.hasRemaining(); unit++) {
            int level = batch.names().level(unit);
            byte[] plain = memory.bucket(unit);
            long version = versionOnPath(level);
            if (version == 0) {
              units.position(units.position() + batch.extents().unitBytes());
              Arrays.fill(childVersions[level], 0);
            } else {
              memory
                  .codec()
                  .open(units, plain, geometry.tree(), level, version, BucketCodec.ANY_EPOCH);
              takeIn(plain, level);
            }
          }
        });
    int slot = stash.find(address);
    if (slot >= 0) {
      stash.relabel(slot, freshLabel);
    }
  }

  /** The version of the bucket of a level on the path at hand, as its parent names it. */
  private long versionOnPath(int level) {
    if (level == geometry.treetopLevels()) {
      return topVersions[geometry.bucket(path, level)];
    }
    return childVersions[level - 1][(path >>> (level - 1)) & 1];
  }

  private void takeIn(byte[] plain, int level) {
    BucketDescriptor descriptor = descriptor();
    childVersions[level][0] = PlainBucket.link(plain, descriptor.linkOffset());
    childVersions[level][1] = PlainBucket.link(plain, descriptor.linkOffset() + 8);
    for (int slot = 0; slot < descriptor.slots(); slot++) {
      int found = PlainBucket.address(plain, slot);
      if (found < 0 || stash.find(found) >= 0) {
        continue;
      }
      if (found == address) {
        stash.put(found, freshLabel, plain, descriptor.dataOffset(slot));
      } else {
        buffer.offer(plain, slot, level);
      }
    }
  }

  private void placeOnPath() {
    buffer.offerMeeting(stash, path);
    buffer.place();
    stage = Stage.WRITE;
  }

  /**
   * Each try has a version of its own: buckets that a failed one left behind are never accepted.
   */
  private void writePath() throws IOException {
    int epoch = memory.epochs().hold();
    long version = ++versions;
    layout.writePath(batch, writePhase, path, version);
    int linkOffset = descriptor().linkOffset();
    writeBatch(
        epoch,
        (unit, plain) -> {
          int level = batch.names().level(unit);
          buffer.assemble(level, path, plain);
          putLinks(plain, linkOffset, level, version);
        });
    topVersions[geometry.bucket(path, geometry.treetopLevels())] = version;
    left.clear();
    buffer.removePlaced(geometry, stash, left);
    stage = Stage.NONE;
    measureStash();
  }

  /** Writes the batch at hand, sealed in an epoch that is held. */
  void writeBatch(int epoch, BucketSource source) throws IOException {
    memory
        .epochs()
        .write(
            epoch,
            held -> store.write(batch.extents(), memory.sealing(batch.names(), held, source)));
  }

  private void putLinks(byte[] plain, int linkOffset, int level, long version) {
    int onPath = (path >>> level) & 1;
    boolean leaf = level == geometry.height();
    for (int child = 0; child < 2; child++) {
      boolean written = !leaf && child == onPath;
      PlainBucket.setLink(
          plain, linkOffset + 8 * child, written ? version : childVersions[level][child]);
    }
  }

  @Override
  public long[] topVersions() {
    return topVersions;
  }

  @Override
  public void readBuckets(
      int level, int firstBucket, int count, long[] expected, BucketVisitor visitor)
      throws IOException {
    batch.reset(IoPhase.META, geometry.tree(), descriptor().sealedBytes());
    IntArrayList buckets = new IntArrayList();
    for (int bucket = firstBucket; bucket < firstBucket + count; bucket++) {
      if (expected[bucket] > 0) {
        layout.addBuckets(batch, level, bucket, 1, expected[bucket]);
        buckets.add(bucket);
      }
    }
    memory.show(batch.names(), buckets::get, sink -> store.read(batch.extents(), sink), visitor);
  }

  private void measureStash() {
    stashBlocks = Math.max(stash.overflow(), stash.size() - geometry.treetopBlocks());
    stashMaxBlocks = Math.max(stashMaxBlocks, stashBlocks);
  }
}
