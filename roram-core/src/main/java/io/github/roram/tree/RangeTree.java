package io.github.roram.tree;

import io.github.roram.IntegrityException;
import io.github.roram.OramStats;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.TombstoneDescriptor;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.engine.StoreLog;
import io.github.roram.eviction.EvictionSchedule;
import io.github.roram.posmap.RangeLabels;
import io.github.roram.stash.Stash;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.IoPhase;
import java.io.DataInput;
import java.io.IOException;

/**
 * The tree engine: one tree that is read in ranges and evicts in bit-reversed order (rORAM, §IV and
 * §V; construction, section 2). rORAM has one for each size class; batched Path ORAM has one with
 * ranges of a single block.
 *
 * <p>Block k of a range with label p has label p + k, so a range is one run of buckets at every
 * level (§IV-C). The tree's {@link Liveness} tells which copies are current.
 *
 * <p>This class is the tree's state. Its operations are separate classes: {@link PathRead} and
 * {@link PathEviction}, which name buckets to a {@link BucketStore}.
 *
 * <h2>Security</h2>
 *
 * {@link #planRead} shows labels that are fresh, uniform and shown once, provided that the caller
 * relabels every range that it read before it reads it again. {@link #evictDue} shows a function of
 * the counter. After a failure the same must be repeated: it then shows the same buckets again.
 *
 * <p>Not thread safe.
 */
public final class RangeTree implements WholeTree, ReadTree {

  private final TreeGeometry geometry;
  private final EvictionSchedule schedule;
  private final RangeLabels positions;
  private final Liveness liveness;
  private final Stash stash;
  private final EpochHistory epochs;
  private final TreeVersions versions;
  private final BucketMemory memory;
  private final BucketStore buckets;

  private int stashBlocks;
  private int stashMaxBlocks;

  /** Creates a tree from its parts; its memory is shared with other trees of the ORAM. */
  public RangeTree(
      TreeGeometry geometry,
      EvictionSchedule schedule,
      RangeLabels positions,
      Stash stash,
      BucketMemory memory,
      BucketStore buckets) {
    this(
        geometry,
        schedule,
        positions,
        new LabelLiveness(geometry, positions),
        stash,
        memory,
        buckets);
  }

  /** Creates a tree in which something other than the labels tells which copies are current. */
  public RangeTree(
      TreeGeometry geometry,
      EvictionSchedule schedule,
      RangeLabels positions,
      Liveness liveness,
      Stash stash,
      BucketMemory memory,
      BucketStore buckets) {
    this.geometry = geometry;
    this.schedule = schedule;
    this.positions = positions;
    this.liveness = liveness;
    this.stash = stash;
    stash.hasTreetop(geometry.newTreetop());
    this.epochs = new EpochHistory(geometry.leaves());
    this.versions = new TreeVersions(geometry, epochs);
    this.memory = memory;
    this.buckets = buckets;
  }

  @Override
  public TreeGeometry geometry() {
    return geometry;
  }

  @Override
  public BucketDescriptor descriptor() {
    return memory.descriptor();
  }

  /** Returns the memory that operations on the tree use. */
  public BucketMemory memory() {
    return memory;
  }

  /** Returns where the buckets are. */
  public BucketStore buckets() {
    return buckets;
  }

  /** Returns which buckets are current. */
  TreeVersions versions() {
    return versions;
  }

  /**
   * Returns a stored level as a log.
   *
   * @param offset byte of the store where its ring begins
   */
  public StoreLog log(int level, long offset, long places) {
    int bucketBytes = descriptor().sealedBytes();
    return versions.log(level, offset, places, bucketBytes, schedule.evictions());
  }

  /** Returns which copies are current. */
  public Liveness liveness() {
    return liveness;
  }

  /** Returns the schedule of its evictions. */
  public EvictionSchedule schedule() {
    return schedule;
  }

  /** Returns the labels of its ranges. */
  public RangeLabels positions() {
    return positions;
  }

  @Override
  public Stash stash() {
    return stash;
  }

  /**
   * Returns the size of the stash proper: blocks beyond the treetop's room, and beyond those that
   * are owed evictions or in the backlog; or the number of such tombstones, if the client holds
   * more of these.
   */
  public int stashBlocks() {
    return stashBlocks;
  }

  /** Returns the label of a block: that of its range, plus its number in the range. */
  @Override
  public int label(int address) {
    return geometry.label(positions, address);
  }

  /**
   * Plans a read of several runs of 2^i labels, which brings the current blocks of {@code ranges}
   * into the stash.
   *
   * @param ranges range numbers
   * @param labels first label of each run: the range's, or any label for a dummy run, whose range
   *     is −1
   */
  public PathRead planRead(int[] ranges, int[] labels) {
    return new PathRead(this, ranges, labels, schedule.evictions());
  }

  @Override
  public int rangeLabel(int range) {
    return positions.label(range);
  }

  @Override
  public int duePaths() {
    return schedule.due();
  }

  @Override
  public void writtenBeside(int blocks) {
    schedule.writtenBeside(blocks);
  }

  @Override
  public void relabel(int range, int shownLabel, int freshLabel) {
    int oldLabel = positions.exchange(range, freshLabel);
    if (oldLabel != shownLabel) {
      throw new IllegalStateException(
          "tree "
              + geometry.tree()
              + ": the label of range "
              + range
              + " changed while it was read; this is a bug of the ORAM, please report it");
    }
    int firstBlock = range << geometry.rangeExponent();
    int blocks = (int) Math.min(geometry.rangeBlocks(), geometry.blocks() - firstBlock);
    for (int offset = 0; offset < blocks; offset++) {
      int label = geometry.label(freshLabel, offset);
      int slot = stash.find(firstBlock + offset);
      if (slot >= 0) {
        stash.relabel(slot, label);
      }
      liveness.moved(firstBlock + offset, geometry.label(oldLabel, offset), label);
    }
  }

  /** Is told about eviction chunks, to commit them. */
  public interface EvictionLog {

    /** Called before a chunk of {@code paths} evictions overwrites old versions of buckets. */
    void beforeChunk(RangeTree tree, int paths) throws IOException;

    /** Called when a chunk was written, not yet durably, and has been applied. */
    void afterChunk(PathEviction chunk);
  }

  /**
   * Makes the evictions that are due, chunk by chunk. A chunk that fails changes nothing and stays
   * due.
   */
  public void evictDue(EvictionLog log) throws IOException {
    for (int paths = schedule.due(); paths > 0; paths = schedule.due()) {
      log.beforeChunk(this, paths);
      try (PathEviction chunk = new PathEviction(this, schedule.evictions(), paths)) {
        chunk.run();
        memory
            .whole()
            .change(
                () -> {
                  chunk.applied();
                  log.afterChunk(chunk);
                });
      }
    }
  }

  /** Records that all buckets were sealed again, in one epoch. */
  public void resealed(int epoch) {
    epochs.clear();
    epochs.note(geometry.firstEviction(), epoch);
  }

  @Override
  public void evicted(int paths, int epoch) {
    epochs.note(schedule.evictions(), epoch);
    schedule.done(paths);
  }

  @Override
  public void tombstonesLeft(DataInput in) throws IOException {
    TombstoneLiveness held = liveness.tombstones();
    if (held != null) {
      held.removeAll(GoneTombstonesDescriptor.read(in, held.size()));
    }
  }

  /** Returns which buckets are current at present; later changes of the tree do not affect it. */
  public BucketStore.Current current() {
    return versions.current(schedule.evictions());
  }

  /** Forgets what is older than a committed eviction. */
  public void discardOlder(long eviction) {
    buckets.discardOlder(geometry.tree(), eviction);
  }

  @Override
  public int unit() {
    return buckets.unit(geometry.tree());
  }

  @Override
  public BucketWalk walk() {
    return LogWalk.reading(this);
  }

  @Override
  public BucketWalk rekeyedWalk() {
    return LogWalk.rekeyed(this);
  }

  @Override
  public Liveness.RootFirst copies() {
    return liveness.rootFirst();
  }

  @Override
  public int labelNow(int address, int written, long version) {
    return geometry.grown(positions, address, written, geometry.heightAt(version));
  }

  @Override
  public boolean isHeldUnder(int address, int label) {
    return liveness.isHeldUnder(address, label);
  }

  /** Returns true, because a read leaves copies where they are. */
  @Override
  public boolean mayHaveStale(int level, int bucket) {
    return true;
  }

  /**
   * Returns the counters of the tree.
   *
   * @param isMap whether its blocks hold the labels of other trees
   */
  public OramStats.TreeStats stats(boolean isMap) {
    return new OramStats.TreeStats(
        geometry.rangeBlocks(),
        geometry.height(),
        geometry.treetopLevels(),
        schedule.evictions() - geometry.firstEviction(),
        stash.size(),
        stashBlocks,
        stashMaxBlocks,
        schedule.paddingBlocks(),
        isMap,
        positions.heldBytes() + liveness.heldBytes());
  }

  /** Measures the stash again. */
  public void measureStash() {
    int beyond = Math.max(stash.overflow(), stash.size() - geometry.treetopBlocks());
    long unpaid = beyond - schedule.backlogBlocks();
    TombstoneLiveness held = liveness.tombstones();
    if (held != null) {
      int more = Math.max(held.overflow(), held.size() - geometry.treetopBlocks());
      unpaid = Math.max(unpaid, more);
    }
    stashBlocks = (int) Math.max(0, unpaid - schedule.owedBlocks());
    stashMaxBlocks = Math.max(stashMaxBlocks, stashBlocks);
  }

  @Override
  public WholeTree.Fill startFill() throws IOException {
    return new LogFill();
  }

  /** Records that a bulk load wrote all buckets, as this many evictions do. */
  void filled(long evictions, int epoch) {
    epochs.note(geometry.firstEviction(), epoch);
    liveness.clear();
    schedule.reset(evictions);
    measureStash();
  }

  /** Makes the tree empty, as it was created. */
  public void reset() {
    schedule.reset(geometry.firstEviction());
    positions.clear();
    liveness.clear();
    epochs.clear();
    stash.clear();
    measureStash();
  }

  /**
   * Adds what the client knows of the tree.
   *
   * @param mostHeld most blocks of it that the client can hold
   * @param pendingRuns number of runs that its pending reads show
   */
  public void copyTo(StateCopy state, long mostHeld, int pendingRuns) throws IOException {
    state.addNow(
        out -> {
          if (geometry.height() > geometry.firstHeight()) {
            out.writeLong(-geometry.height());
          }
          out.writeLong(schedule.evictions());
          out.writeLong(schedule.owedBlocks());
          schedule.writeShareTo(out);
          epochs.writeTo(out);
        });
    // Each block that enters asks for at most one label, that of its range; a pending read has
    // asked for those of its ranges, and may have created map blocks.
    long before = Math.min(schedule.mostEntered(), Long.MAX_VALUE - pendingRuns);
    long entered = before + pendingRuns;
    positions.addTo(state, entered);
    // A copy that was taken belongs to a block that had entered.
    liveness.addTo(state, entered, mostHeld);
    state.add(stash.startCopy(Math.min(entered, mostHeld)));
  }

  /**
   * Loads what {@link #copyTo} saved.
   *
   * @throws IntegrityException if it cannot be of this tree
   */
  public void readFrom(DataInput in) throws IOException {
    long first = in.readLong();
    // A tree that never grew has no height there, and its counter is positive.
    int height = first < 0 ? (int) -first : geometry.firstHeight();
    if (height != geometry.height()) {
      throw new IntegrityException(
          "the client's state has tree "
              + geometry.tree()
              + " with height "
              + height
              + ", the store's superblock says that it had "
              + geometry.height()
              + ": one of them is older than the growth of the other; restore it from a copy");
    }
    schedule.restore(first < 0 ? in.readLong() : first, in.readLong());
    schedule.readShareFrom(in);
    epochs.readFrom(in);
    positions.readFrom(in);
    liveness.readFrom(in);
    stash.readFrom(in);
    measureStash();
  }

  /**
   * Continues from the state of this tree when it had fewer blocks. Both have the same stash; the
   * smaller tree must not be used afterwards.
   */
  public void growFrom(RangeTree smaller) {
    schedule.goOnFrom(smaller.schedule);
    epochs.noteAll(smaller.epochs);
    positions.growFrom(smaller.positions);
    liveness.growFrom(smaller.liveness);
    if (smaller.geometry.height() < geometry.height()) {
      relabelStash(smaller.geometry.height());
    }
    stashMaxBlocks = smaller.stashMaxBlocks;
    measureStash();
  }

  private void relabelStash(int then) {
    for (int slot = 0; slot < stash.slots(); slot++) {
      int address = stash.address(slot);
      if (address >= 0) {
        stash.relabel(slot, geometry.grown(positions, address, stash.label(slot), then));
      }
    }
  }

  /**
   * A bulk load of a tree of the engine: it writes what evictions 2^h … 2^(h+1) − 1 would, every
   * bucket once, in one key epoch.
   */
  private final class LogFill implements WholeTree.Fill {

    private final long evictions;
    private final int epoch;
    private final BucketRuns runs = new BucketRuns();

    LogFill() throws IOException {
      evictions = 2L * geometry.leaves();
      epoch = memory.epochs().hold();
    }

    @Override
    public long write(int level, int firstBucket, int count, WholeTree.Buckets source)
        throws IOException {
      runs.reset(IoPhase.BULK_LOAD, geometry.tree(), descriptor().sealedBytes());
      runs.add(level, evictions - (1L << level) + firstBucket, count, epoch);
      int tombstones = liveness.tombstones() == null ? 0 : geometry.slots();
      BucketMemory.Source filled =
          (unit, plain) -> {
            source.fill(unit, plain);
            for (int place = 0; place < tombstones; place++) {
              TombstoneDescriptor.setNone(descriptor(), plain, place);
            }
            return plain;
          };
      memory.epochs().write(epoch, held -> memory.flow().write(buckets, runs, filled));
      return runs.bytes();
    }

    @Override
    public void done() {
      filled(evictions, epoch);
    }
  }
}
