package io.github.roram.tree;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import io.github.roram.IntegrityException;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.eviction.EvictionSchedule;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.stash.Stash;
import io.github.roram.store.BlockStore;
import io.github.roram.store.IoPhase;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The tree engine: one tree that is read in ranges and evicts in bit-reversed order (rORAM, §IV and
 * §V; construction, section 2). rORAM has one for each size class; batched Path ORAM has one with
 * ranges of a single block.
 *
 * <p>Block k of a range whose label is p has label p + k, so a range is one run of buckets at every
 * level (§IV-C). A copy in the tree is current iff its label is the one in the position map; of two
 * current copies the one nearer the root is newer, and the client's is nearest (construction, 2.4).
 *
 * <h2>Security</h2>
 *
 * {@link #readPaths} shows labels that are fresh, uniform and shown once, provided that the caller
 * relabels every range that it read before it reads it again. {@link #evict} shows a function of
 * the counter. After a failure the same call must be repeated: it then shows the same extents
 * again.
 *
 * <p>Not thread safe.
 */
public final class RangeTree implements BulkTarget {

  private final TreeGeometry geometry;
  private final LevelLog log;
  private final EvictionSchedule schedule;
  private final LocalPositionMap positions;
  private final Stash stash;
  private final Treetop treetop;
  private final EpochHistory epochs;
  private final Workspace workspace;
  private final BlockStore store;

  private final IntArrayList left = new IntArrayList();

  /** The ranges that are being read. */
  private final IntHashSet wanted = new IntHashSet();

  private int stashBlocks;
  private int stashMaxBlocks;

  /** A tree over its parts; the workspace is shared with the other trees of the ORAM. */
  public RangeTree(
      TreeGeometry geometry,
      LevelLog log,
      EvictionSchedule schedule,
      LocalPositionMap positions,
      Stash stash,
      Workspace workspace,
      BlockStore store) {
    this.geometry = geometry;
    this.log = log;
    this.schedule = schedule;
    this.positions = positions;
    this.stash = stash;
    this.treetop = new Treetop(geometry);
    this.epochs = new EpochHistory(geometry.leaves());
    this.workspace = workspace;
    this.store = store;
  }

  @Override
  public TreeGeometry geometry() {
    return geometry;
  }

  /** Where the tree lies. */
  public LevelLog log() {
    return log;
  }

  /** When it evicts. */
  public EvictionSchedule schedule() {
    return schedule;
  }

  /** The labels of its ranges. */
  public LocalPositionMap positions() {
    return positions;
  }

  @Override
  public Stash stash() {
    return stash;
  }

  /**
   * The stash proper: blocks beyond the treetop's room and beyond those that are owed evictions or
   * in the backlog.
   */
  public int stashBlocks() {
    return stashBlocks;
  }

  /** The largest {@link #stashBlocks} after any chunk of evictions. */
  public int stashMaxBlocks() {
    return stashMaxBlocks;
  }

  /** The label of a block: that of its range, plus its number in the range. */
  @Override
  public int label(int address) {
    int mask = geometry.rangeBlocks() - 1;
    return geometry.label(positions.label(address >>> geometry.rangeExponent()), address & mask);
  }

  /**
   * Reads the paths of several runs of 2^i labels in one request and brings the current blocks that
   * belong to ranges {@code ranges} into the stash.
   *
   * @param ranges range numbers
   * @param labels the label where each run starts: the range's, or any for a run that is read for
   *     nothing (its range is then −1)
   * @param arrivals gets the addresses of the blocks that came to the stash
   */
  public void readPaths(int[] ranges, int[] labels, IntArrayList arrivals) throws IOException {
    BucketBatch batch = workspace.batch();
    log.begin(batch, IoPhase.READ);
    log.addPaths(batch, labels, geometry.rangeBlocks(), schedule.evictions());
    wanted.clear();
    wanted.addAll(ranges);
    workspace
        .flow()
        .read(store, batch, geometry.tree(), epochs, (unit, plain) -> keepWanted(plain, arrivals));
  }

  private void keepWanted(byte[] plain, IntArrayList arrivals) {
    BucketDescriptor descriptor = workspace.codec().descriptor();
    for (int slot = 0; slot < descriptor.slots(); slot++) {
      int address = PlainBucket.address(plain, slot);
      if (address < 0 || !wanted.contains(address >>> geometry.rangeExponent())) {
        continue;
      }
      int label = PlainBucket.label(plain, slot);
      if (label == label(address) && stash.find(address) < 0) {
        stash.put(address, label, plain, descriptor.dataOffset(slot));
        arrivals.add(address);
      }
    }
  }

  /** Gives a range, whose blocks the stash holds, a fresh label. */
  public void relabel(int range, int freshLabel) {
    positions.set(range, freshLabel);
    int first = range << geometry.rangeExponent();
    for (int offset = 0; offset < geometry.rangeBlocks(); offset++) {
      int slot = stash.find(first + offset);
      if (slot >= 0) {
        stash.relabel(slot, geometry.label(freshLabel, offset));
      }
    }
  }

  /** Evicts what is due, chunk by chunk. A chunk that fails changes nothing and stays due. */
  public void evictDue(EvictionLog evictions) throws IOException {
    for (int paths = schedule.due(); paths > 0; paths = schedule.due()) {
      evictions.beforeChunk(this, paths);
      evict(paths);
      evictions.afterChunk(this, paths, workspace.codec().epoch(), left);
    }
  }

  /** One chunk: reads the paths, places their blocks and the stash's, writes the paths. */
  private void evict(int paths) throws IOException {
    long first = schedule.evictions();
    EvictionBuffer buffer = workspace.eviction();
    buffer.begin(geometry, first, paths);
    readForEviction(buffer, first);
    buffer.offer(stash);
    buffer.place();
    writeEvicted(buffer, first, paths);
    left.clear();
    buffer.removePlaced(geometry, stash, left);
    evicted(paths, workspace.codec().epoch());
    measureStash();
  }

  /** The key epoch of an eviction that was done. */
  public int epochOf(long eviction) {
    return epochs.epochOf(eviction);
  }

  /** Records that all buckets were sealed anew, in an epoch. */
  public void resealed(int epoch) {
    epochs.clear();
    epochs.note(geometry.leaves(), epoch);
  }

  /** Records evictions that were done, in an epoch. */
  public void evicted(int paths, int epoch) {
    epochs.note(schedule.evictions(), epoch);
    schedule.done(paths);
  }

  private void readForEviction(EvictionBuffer buffer, long first) throws IOException {
    BucketBatch batch = workspace.batch();
    log.begin(batch, IoPhase.EVICT_READ);
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      log.addRun(batch, level, first - (1L << level), buffer.width(level));
    }
    workspace
        .flow()
        .read(
            store,
            batch,
            geometry.tree(),
            epochs,
            (unit, plain) -> offerCurrent(buffer, plain, batch.level(unit)));
  }

  private void offerCurrent(EvictionBuffer buffer, byte[] plain, int level) {
    for (int slot = 0; slot < geometry.slots(); slot++) {
      int address = PlainBucket.address(plain, slot);
      if (address >= 0
          && PlainBucket.label(plain, slot) == label(address)
          && stash.find(address) < 0
          && buffer.firstSeen(address)) {
        buffer.offerCopy(plain, slot, level);
      }
    }
  }

  private void writeEvicted(EvictionBuffer buffer, long first, int paths) throws IOException {
    BucketBatch batch = workspace.batch();
    log.begin(batch, IoPhase.EVICT_WRITE);
    for (int level = geometry.height(); level >= geometry.treetopLevels(); level--) {
      int width = buffer.width(level);
      log.addRun(batch, level, first + paths - width, width);
    }
    workspace.write(
        store,
        geometry.tree(),
        (unit, plain) -> buffer.assemble(batch.level(unit), batch.eviction(unit), plain));
  }

  private void open(BucketBatch batch, int unit, ByteBuffer units, byte[] plain) {
    workspace
        .codec()
        .open(
            units,
            plain,
            geometry.tree(),
            batch.level(unit),
            batch.eviction(unit),
            epochs.epochOf(batch.eviction(unit)));
  }

  /**
   * Reads the buckets that evictions {@code [eviction, eviction + count)} wrote at a level, whoever
   * needs them: nothing is kept.
   *
   * @throws IOException if the store failed; some may have been visited
   */
  public void readBuckets(int level, long eviction, int count, BucketVisitor visitor)
      throws IOException {
    BucketBatch batch = workspace.batch();
    log.begin(batch, IoPhase.META);
    log.addRun(batch, level, eviction, count);
    store.read(
        batch.extents(),
        (firstUnit, units) -> {
          byte[] plain = workspace.scratch();
          for (int unit = firstUnit; units.hasRemaining(); unit++) {
            int bucket = (int) (batch.eviction(unit) & ((1L << level) - 1));
            try {
              open(batch, unit, units, plain);
            } catch (IntegrityException e) {
              visitor.refused(bucket, e);
              continue;
            }
            visitor.opened(bucket, plain);
          }
        });
  }

  /** Counts the stash anew. */
  public void measureStash() {
    stashBlocks =
        (int)
            Math.max(0, treetop.overflow(stash) - schedule.owedBlocks() - schedule.backlogBlocks());
    stashMaxBlocks = Math.max(stashMaxBlocks, stashBlocks);
  }

  /** A bulk load writes what evictions 2^h … 2^(h+1) − 1 would: every bucket once. */
  @Override
  public void addBuckets(BucketBatch batch, int level, int firstBucket, int count) {
    log.addRun(batch, level, 2L * geometry.leaves() - (1L << level) + firstBucket, count);
  }

  @Override
  public void putLinks(byte[] plain, int level, int bucket) {}

  @Override
  public void loaded() {
    epochs.note(geometry.leaves(), workspace.codec().epoch());
    schedule.reset(2L * geometry.leaves());
    measureStash();
  }

  /** Makes the tree empty, as it was created. */
  public void reset() {
    schedule.reset(geometry.leaves());
    positions.clear();
    epochs.clear();
    stash.clear();
    measureStash();
  }

  /**
   * Adds what the client knows of the tree.
   *
   * @param mostHeld the most blocks that the client can hold of it
   */
  public void copyTo(StateCopy state, long mostHeld) throws IOException {
    state.addNow(
        out -> {
          out.writeLong(schedule.evictions());
          out.writeLong(schedule.owedBlocks());
          schedule.writeShareTo(out);
          epochs.writeTo(out);
        });
    // Each block that enters asks for one label at most, that of its range.
    long entered = schedule.mostEntered();
    state.add(positions.startCopy(entered));
    state.add(stash.startCopy(Math.min(entered, mostHeld)));
  }

  /** Loads what {@link #copyTo} saved. */
  public void readFrom(DataInput in) throws IOException {
    schedule.restore(in.readLong(), in.readLong());
    schedule.readShareFrom(in);
    epochs.readFrom(in);
    positions.readFrom(in);
    stash.readFrom(in);
    measureStash();
  }
}
