package io.github.roram.slot;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.IntegrityException;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.engine.OramContext;
import io.github.roram.store.AsyncBucketStore;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.XorGroups;
import io.github.roram.tree.BucketMemory;
import io.github.roram.tree.BucketWalk;
import io.github.roram.tree.ParallelBucketCodec;
import io.github.roram.tree.Workspace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Vectored requests of slots. Each slot is sealed alone, as a bucket of one slot with eviction
 * number t · 2^16 + slot ({@link BucketRuns#number}): a slot from another place, time or failed
 * write does not authenticate. The eviction and the key epoch of a slot are fixed when the slot is
 * added, so any thread of the store may open the answer.
 *
 * <h2>Security</h2>
 *
 * Every slot that is opened is authenticated, including dummies, and all slots of a request are
 * opened before any failure is reported: a server that corrupts one does not learn whether it was
 * real.
 *
 * <p>Not thread safe.
 */
final class SlotRequest {

  /** Memory of a slot of a request: an object, and entries in eight arrays of runs and extents. */
  static final int UNIT_BYTES = 104;

  /** Memory of slots between the store and the threads that open and seal them. */
  private static final int RING_BYTES = 1 << 20;

  private static final int TREE = SlotGeometry.TREE;

  private final BucketStore buckets;
  private final SlotGeometry geometry;
  private final Workspace workspace;
  private final BucketMemory memory;
  private final List<Unit> units = new ArrayList<>();

  /** The plaintext of all dummies, which is only read. */
  private final byte[] dummy;

  /** The slots of each block's path, if the store returns their XOR. */
  private final @Nullable Paths paths;

  /** Idle openers of XORs: at most as many as threads open them at a time. */
  private final Queue<SlotXor> xors;

  /**
   * A slot of a request.
   *
   * @param isNew whether the slot was not read before; slots read before are only authenticated
   */
  record Unit(
      int level, int bucket, int slot, long eviction, int epoch, long offset, boolean isNew) {

    /** Returns the eviction number under which the slot is sealed. */
    long number() {
      return BucketRuns.number(eviction, slot);
    }
  }

  /**
   * Paths of which the XOR of the slots is read.
   *
   * @param groups the slots of each block's path
   * @param real index of the real slot of each path, or of any slot if none is real; all others are
   *     dummies
   */
  private record Paths(XorGroups groups, IntArrayList real) {
    static @Nullable Paths on(BucketStore buckets, SlotGeometry geometry) {
      return buckets.computesXor() ? new Paths(SlotXor.groups(geometry), new IntArrayList()) : null;
    }

    void add(int slots, int realSlot) {
      if (slots > 0) {
        groups.add(slots);
        real.add(realSlot);
      }
    }
  }

  /** Receives slots that were opened. */
  @FunctionalInterface
  interface Taker {
    /** Receives a slot with its plaintext. */
    void take(Unit unit, byte[] plain);
  }

  /** Receives the slots that are not authentic. */
  @FunctionalInterface
  interface Refusals {
    void refused(Unit unit, IntegrityException refusal);
  }

  /** Keeps the first refusal, to be thrown after all slots were opened. */
  static class FirstRefusal implements Refusals {
    private @Nullable IntegrityException first;

    @Override
    public void refused(Unit unit, IntegrityException refusal) {
      if (first == null) {
        first = refusal;
      }
    }

    void check() {
      if (first != null) {
        throw first;
      }
    }
  }

  /** Provides the contents of slots that are written. */
  @FunctionalInterface
  interface Filler {
    /** Fills the whole plaintext of a slot; returns false if the slot is a dummy. */
    boolean fill(int level, int slot, byte[] plain);
  }

  SlotRequest(OramContext context, SlotGeometry geometry, BucketStore buckets) {
    this.buckets = buckets;
    this.geometry = geometry;
    int threads = context.options().threads();
    workspace = new Workspace(context::codec, context.epochs(), threads, RING_BYTES);
    memory = workspace.buckets(SlotGeometry.descriptor(context.config().blockBytes()));
    dummy = dummy(memory.descriptor());
    paths = Paths.on(buckets, geometry);
    xors = new ConcurrentLinkedQueue<>();
  }

  private SlotRequest(SlotRequest like) {
    buckets = like.buckets;
    geometry = like.geometry;
    workspace = like.workspace;
    memory = like.memory;
    dummy = like.dummy;
    paths = Paths.on(buckets, geometry);
    xors = like.xors;
  }

  /**
   * Returns another request with the same ciphers; only one of them may read or write at a time.
   */
  SlotRequest another() {
    return new SlotRequest(this);
  }

  /** Returns the plaintext of dummies. */
  static byte[] dummy(BucketDescriptor descriptor) {
    byte[] plain = new byte[descriptor.plainBytes()];
    PlainBucket.setEmpty(plain, 0);
    return plain;
  }

  /** Returns the layout of a slot's plaintext. */
  BucketDescriptor descriptor() {
    return memory.descriptor();
  }

  /** Returns the most bytes of slots that are opened for overlapping requests. */
  static long laneBytes(BucketDescriptor descriptor, int threads) {
    int lanes = Workspace.Ring.of(descriptor, threads, RING_BYTES).threads();
    return lanes * (descriptor.plainBytes() + SlotXor.bytes(descriptor));
  }

  /** Returns the most bytes of slots that threads open and seal for the store, and of a dummy. */
  static long ringBytes(BucketDescriptor descriptor, int threads) {
    return Workspace.Ring.of(descriptor, threads, RING_BYTES).bytes(descriptor)
        + descriptor.plainBytes();
  }

  /** Removes all slots, so that another read can be added. */
  SlotRequest reset() {
    units.clear();
    if (paths != null) {
      paths.groups().clear();
      paths.real().clear();
    }
    return this;
  }

  /** Adds a slot. */
  void add(SlotState state, int level, int bucket, int slot, long eviction, boolean isNew) {
    long offset = geometry.offset(level, eviction, slot);
    units.add(new Unit(level, bucket, slot, eviction, state.epoch(eviction), offset, isNew));
  }

  /** Adds all slots of a bucket; used ones are only authenticated. */
  void addBucket(SlotState state, int level, int bucket) {
    long eviction = state.version(level, bucket);
    for (int slot = 0; slot < geometry.slots(level); slot++) {
      add(state, level, bucket, slot, eviction, !state.isUsed(level, bucket, slot));
    }
  }

  /** Adds the slots of a bucket that were not used. */
  void addUnused(SlotState state, int level, int bucket) {
    long eviction = state.version(level, bucket);
    for (int slot = 0; slot < geometry.slots(level); slot++) {
      if (!state.isUsed(level, bucket, slot)) {
        add(state, level, bucket, slot, eviction, true);
      }
    }
  }

  /** Adds the slots that an eviction chose. */
  void addSlots(SlotState state, SlotChoice choice) {
    int level = choice.level();
    int bucket = geometry.bucket(choice.eviction(), level);
    long version = state.version(level, bucket, choice.eviction());
    for (int slot : choice.slots()) {
      add(state, level, bucket, slot, version, true);
    }
  }

  /** Adds the slots of a read; a store that computes XORs answers with that of each path. */
  void addSlots(SlotState state, SlotIntent read) {
    for (int block = 0; block < read.blocks(); block++) {
      int before = units.size();
      int found = 0;
      for (int level = 0; level < geometry.levels(); level++) {
        int slot = read.slot(block, level);
        if (slot != SlotIntent.NONE) {
          int bucket = geometry.bucket(read.labels()[block], level);
          long eviction = state.version(level, bucket, read.evictions());
          int address = read.addresses()[block];
          if (paths != null
              && read.brings(block)
              && state.isPlacedAt(address, level, bucket, slot, eviction)) {
            found = units.size() - before;
          }
          add(state, level, bucket, slot, eviction, true);
        }
      }
      if (paths != null) {
        paths.add(units.size() - before, found);
      }
    }
  }

  /**
   * Sorts the slots into the order in which they are read: root side first, then ascending. Slots
   * of which the XOR is read keep their order.
   */
  void sort() {
    if (xorPaths() == null) {
      units.sort(Comparator.comparingLong(Unit::offset));
    }
  }

  /** Returns the paths of this request, if it reads their XOR. */
  private @Nullable Paths xorPaths() {
    return paths != null && paths.groups().groups() > 0 ? paths : null;
  }

  /** Returns the first end of a bucket at or after {@code end}, among the slots in order. */
  int endOfBucket(int end) {
    int behind = end;
    while (behind < units.size() && units.get(behind).level() == units.get(end - 1).level()) {
      behind++;
    }
    return behind;
  }

  /** Returns the number of slots. */
  int units() {
    return units.size();
  }

  /**
   * Reads the slots, root side first, in ascending order within a level.
   *
   * @throws IntegrityException for the first slot that is not authentic, after all were opened
   */
  void read(IoPhase phase, Taker taker) throws IOException {
    FirstRefusal refusal = new FirstRefusal();
    read(phase, taker, refusal);
    refusal.check();
  }

  /** Reads the slots; returns those that have blocks. */
  Arrivals read(IoPhase phase) throws IOException {
    Arrivals arrivals = new Arrivals();
    Paths byXor = xorPaths();
    if (byXor != null) {
      buckets.readXor(runs(phase, 0, units()), byXor.groups(), opening(byXor, arrivals));
    } else {
      read(phase, arrivals::take, arrivals);
    }
    arrivals.check();
    return arrivals;
  }

  /** Reads the slots, and reports those that are not authentic. */
  void read(IoPhase phase, Taker taker, Refusals refusals) throws IOException {
    if (!units.isEmpty()) {
      sort();
      show(runs(phase, 0, units()), units::get, taker, refusals);
    }
  }

  /**
   * Reads all slots of the buckets of a level that {@code count} consecutive evictions wrote,
   * without adding them to this request.
   *
   * @param first the first of these evictions
   */
  void readBuckets(
      SlotState state, int level, long first, int count, Taker taker, Refusals refusals)
      throws IOException {
    BucketRuns runs = geometry.buckets(IoPhase.META, level, first, count, state::epoch);
    int slots = geometry.slots(level);
    IntFunction<Unit> unit =
        number -> {
          long eviction = first + number / slots;
          int slot = number % slots;
          int bucket = geometry.bucket(eviction, level);
          long offset = geometry.offset(level, eviction, slot);
          return new Unit(level, bucket, slot, eviction, state.epoch(eviction), offset, true);
        };
    show(runs, unit, taker, refusals);
  }

  /** Reads slots, and hands each over with its description. */
  private void show(BucketRuns runs, IntFunction<Unit> unit, Taker taker, Refusals refusals)
      throws IOException {
    memory.show(
        runs,
        sink -> buckets.read(runs, sink),
        new BucketWalk.Visitor() {
          @Override
          public void opened(int number, byte[] plain) {
            take(unit.apply(number), plain, taker);
          }

          @Override
          public void refused(int number, IntegrityException reason) {
            refusals.refused(unit.apply(number), reason);
          }
        });
  }

  private static void take(Unit unit, byte[] plain, Taker taker) {
    if (unit.isNew()) {
      taker.take(unit, plain);
    }
  }

  /** Reads some of the slots, which must be sorted; those that have blocks go to the arrivals. */
  CompletableFuture<Void> read(
      AsyncBucketStore store, IoPhase phase, int first, int count, Arrivals arrivals) {
    BucketRuns runs = runs(phase, first, count);
    Paths byXor = xorPaths();
    if (byXor != null) {
      return store.readXor(runs, byXor.groups(), opening(byXor, arrivals)).thenRun(arrivals::check);
    }
    ParallelBucketCodec lanes = memory.lanes();
    return store
        .read(
            runs,
            lanes.inOrder(
                (codec, number, bytes) -> {
                  Unit unit = units.get(first + number);
                  byte[] plain = lanes.lendBucket();
                  try {
                    codec.open(
                        bytes, plain, TREE, runs.level(number), runs.number(number), unit.epoch());
                    take(unit, plain, arrivals::take);
                  } catch (IntegrityException e) {
                    arrivals.refused(unit, e);
                  } finally {
                    lanes.giveBack(plain);
                  }
                }))
        .thenRun(arrivals::check);
  }

  /** Returns a sink that opens the XOR of each path. */
  private UnitSink opening(Paths byXor, Arrivals arrivals) {
    XorGroups groups = byXor.groups();
    ParallelBucketCodec lanes = memory.lanes();
    return lanes.inOrder(
        (codec, path, result) -> {
          List<Unit> group = units.subList(groups.firstUnit(path), groups.firstUnit(path + 1));
          int opened = byXor.real().get(path);
          byte[] plain = lanes.lendBucket();
          SlotXor idle = xors.poll();
          SlotXor xor = idle == null ? new SlotXor(geometry, descriptor(), dummy) : idle;
          try {
            xor.open(codec, group, opened, result, plain);
            arrivals.take(group.get(opened), plain);
          } catch (IntegrityException e) {
            arrivals.refused(group.get(0), e);
          } finally {
            xors.add(xor);
            lanes.giveBack(plain);
          }
        });
  }

  private BucketRuns runs(IoPhase phase, int first, int count) {
    BucketRuns runs = new BucketRuns().reset(phase, TREE, geometry.slotBytes());
    for (Unit unit : units.subList(first, first + count)) {
      int depth = geometry.depth(unit.level());
      runs.addSlots(depth, unit.eviction(), unit.slot(), 1, unit.epoch());
    }
    return runs;
  }

  /** The slots with blocks that a read brought, to be used after all its slots have arrived. */
  static final class Arrivals extends FirstRefusal {
    private final List<Unit> units = new ArrayList<>();
    private final List<byte[]> plains = new ArrayList<>();

    private void take(Unit unit, byte[] plain) {
      if (PlainBucket.address(plain, 0) >= 0) {
        units.add(unit);
        plains.add(plain.clone());
      }
    }

    void forEach(Taker taker) {
      for (int i = 0; i < units.size(); i++) {
        taker.take(units.get(i), plains.get(i));
      }
    }

    /** Returns the plaintext of the slot that has a block; null if no slot has it. */
    byte @Nullable [] find(int address) {
      for (byte[] plain : plains) {
        if (PlainBucket.address(plain, 0) == address) {
          return plain;
        }
      }
      return null;
    }
  }

  /** Writes the buckets of an eviction, root side first. */
  void write(long eviction, int epoch, Filler filler) throws IOException {
    discardOlder(eviction);
    memory.write(buckets, written(eviction, 0, geometry.pathSlots(), epoch), source(0, filler));
  }

  /**
   * Writes buckets of a level as consecutive evictions would.
   *
   * @param eviction the first of these evictions
   * @param filler provides the slots, whose numbers continue from bucket to bucket
   */
  void load(int level, long eviction, int count, int epoch, Filler filler) throws IOException {
    BucketRuns runs = geometry.buckets(IoPhase.BULK_LOAD, level, eviction, count, each -> epoch);
    memory.write(buckets, runs, (unit, plain) -> filler.fill(level, unit, plain) ? plain : dummy);
  }

  /** Writes some of the slots of an eviction's path, which are numbered from the root side on. */
  CompletableFuture<Void> write(
      AsyncBucketStore store, long eviction, int first, int count, int epoch, Filler filler) {
    discardOlder(eviction);
    BucketRuns runs = written(eviction, first, count, epoch);
    return store.write(runs, memory.lanes().sealing(runs, source(first, filler)));
  }

  /** Releases buckets that a ring would overwrite now, and that the client no longer needs. */
  private void discardOlder(long eviction) {
    buckets.discardOlder(TREE, eviction + 1 - SlotGeometry.SPARE_PLACES);
  }

  private BucketRuns written(long eviction, int first, int count, int epoch) {
    BucketRuns runs = new BucketRuns().reset(IoPhase.EVICT_WRITE, TREE, geometry.slotBytes());
    int slot = first;
    int level = 0;
    for (int left = count; left > 0; level++) {
      int slots = geometry.slots(level);
      if (slot < slots) {
        int run = Math.min(left, slots - slot);
        runs.addSlots(geometry.depth(level), eviction, slot, run, epoch);
        left -= run;
        slot += run;
      }
      slot -= slots;
    }
    return runs;
  }

  private BucketMemory.Source source(int first, Filler filler) {
    return (unit, plain) -> {
      int level = 0;
      int slot = first + unit;
      while (slot >= geometry.slots(level)) {
        slot -= geometry.slots(level++);
      }
      return filler.fill(level, slot, plain) ? plain : dummy;
    };
  }

  /** Overwrites the plaintext. */
  void wipe() {
    workspace.wipe();
  }

  /** Returns about how many bytes of memory the request takes now. */
  long heldBytes() {
    return memory.ringBytes()
        + dummy.length
        + memory.arrivedBytes()
        + xors.size() * SlotXor.bytes(descriptor())
        + (long) units.size() * UNIT_BYTES;
  }

  /** Returns the address of the block in a slot; −1 for dummies and old copies. */
  static int current(SlotState state, Unit unit, byte[] plain) {
    int address = PlainBucket.address(plain, 0);
    boolean current =
        address >= 0
            && address < state.blocks()
            && state.isPlacedAt(address, unit.level(), unit.bucket(), unit.slot(), unit.eviction());
    return current ? address : -1;
  }

  /**
   * Adds the block of an opened slot to the held ones, unless the slot is a dummy or an old copy.
   */
  void hold(SlotState state, Unit unit, byte[] opened) {
    int address = current(state, unit, opened);
    if (address >= 0) {
      int label = PlainBucket.label(opened, 0);
      state
          .whole()
          .changeNow(() -> state.held().put(address, label, opened, descriptor().dataOffset(0)));
    }
  }
}
