package io.github.roram.slot;

import io.github.roram.IntegrityException;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.cipher.Nonces;
import io.github.roram.engine.OramContext;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Vectored requests of slots. Each slot is sealed alone, as a bucket of one whose eviction number
 * is t · 2^16 + slot ({@link BucketCodec}): one of another place, time or failed write does not
 * authenticate.
 *
 * <h2>Security</h2>
 *
 * Every slot that is opened is authenticated, dummies too, and all of a request are before any
 * failure is told: a server that spoils one does not learn whether it was real.
 *
 * <p>Not thread safe.
 */
final class SlotRequest {

  /** Of a slot of a request: an object, and entries of three arrays. */
  static final int UNIT_BYTES = 64;

  private static final int SLOT_BITS = 16;

  private final OramContext context;
  private final SlotGeometry geometry;
  private final BucketCodec codec;
  private final byte[] plain;
  private final ExtentBatch batch = new ExtentBatch();
  private final List<Unit> units = new ArrayList<>();

  /**
   * A slot of a request.
   *
   * @param opens whether it is opened; one that was read before is skipped
   */
  record Unit(int level, int bucket, int slot, long eviction, long offset, boolean opens) {}

  /** Takes a slot that was opened. */
  @FunctionalInterface
  interface Taker {
    /** Takes its plaintext. */
    void take(Unit unit, byte[] plain);
  }

  /** Says what is written to slots. */
  @FunctionalInterface
  interface Filler {
    /** Fills the plaintext of a slot, all zeros before, or leaves it empty. */
    void fill(int level, int slot, byte[] plain);
  }

  SlotRequest(OramContext context, SlotGeometry geometry) {
    this.context = context;
    this.geometry = geometry;
    codec = context.codec(SlotGeometry.descriptor(context.config().blockBytes()));
    plain = new byte[codec.descriptor().plainBytes()];
  }

  /** The layout of a slot's plaintext. */
  BucketDescriptor descriptor() {
    return codec.descriptor();
  }

  /** The number that a slot is sealed with. */
  static long number(long eviction, int slot) {
    return eviction << SLOT_BITS | slot;
  }

  /** Begins a request that reads. */
  SlotRequest reset() {
    units.clear();
    return this;
  }

  /** Adds a slot. */
  void add(int level, int bucket, int slot, long eviction, boolean opens) {
    long offset = geometry.offset(level, eviction, slot);
    units.add(new Unit(level, bucket, slot, eviction, offset, opens));
  }

  /** Adds all slots of a bucket; those are opened that were not used. */
  void addBucket(SlotState state, int level, int bucket) {
    long eviction = state.version(level, bucket);
    for (int slot = 0; slot < geometry.slots(level); slot++) {
      add(level, bucket, slot, eviction, !state.isUsed(level, bucket, slot));
    }
  }

  /** Number of slots. */
  int units() {
    return units.size();
  }

  /**
   * Reads the slots, root side first, of a level in ascending order.
   *
   * @throws IntegrityException for the first that is not authentic, once all were opened
   */
  void read(IoPhase phase, SlotState state, Taker taker) throws IOException {
    List<IntegrityException> refused = new ArrayList<>();
    read(phase, state, taker, (unit, refusal) -> refused.add(refusal));
    if (!refused.isEmpty()) {
      throw refused.get(0);
    }
  }

  /** Is told of slots that are not authentic. */
  @FunctionalInterface
  interface Refusals {
    void refused(Unit unit, IntegrityException refusal);
  }

  /** As above; the slots that are not authentic are told of. */
  void read(IoPhase phase, SlotState state, Taker taker, Refusals refusals) throws IOException {
    if (units.isEmpty()) {
      return;
    }
    units.sort(Comparator.comparingLong(Unit::offset));
    batch.reset(phase, 0, geometry.slotBytes());
    units.forEach(unit -> batch.add(unit.offset(), 1));
    context
        .store()
        .read(
            batch,
            (first, bytes) -> {
              for (int i = first; bytes.hasRemaining(); i++) {
                Unit unit = units.get(i);
                if (!unit.opens()) {
                  bytes.position(bytes.position() + geometry.slotBytes());
                } else if (opens(unit, state, bytes, refusals)) {
                  taker.take(unit, plain);
                }
              }
            });
  }

  private boolean opens(Unit unit, SlotState state, ByteBuffer bytes, Refusals refusals) {
    int epoch = state.epoch(unit.eviction());
    try {
      long number = number(unit.eviction(), unit.slot());
      codec.open(bytes, plain, 0, geometry.depth(unit.level()), number, epoch);
      return true;
    } catch (IntegrityException e) {
      refusals.refused(unit, e);
      return false;
    }
  }

  /** Writes the buckets of an eviction, in order from one stored level to another. */
  void write(IoPhase phase, long eviction, int firstLevel, int endLevel, int epoch, Filler filler)
      throws IOException {
    batch.reset(phase, 0, geometry.slotBytes());
    for (int level = firstLevel; level < endLevel; level++) {
      batch.add(geometry.offset(level, eviction, 0), geometry.slots(level));
    }
    Nonces nonces = Nonces.fresh();
    int[] level = {firstLevel};
    int[] before = {0};
    context
        .store()
        .write(
            batch,
            (first, bytes) -> {
              for (int i = first; bytes.hasRemaining(); i++) {
                while (i - before[0] >= geometry.slots(level[0])) {
                  before[0] += geometry.slots(level[0]++);
                }
                int slot = i - before[0];
                fill(level[0], slot, filler);
                codec.seal(
                    plain,
                    0,
                    geometry.depth(level[0]),
                    number(eviction, slot),
                    epoch,
                    nonces,
                    i,
                    bytes);
              }
            });
  }

  private void fill(int level, int slot, Filler filler) {
    Arrays.fill(plain, (byte) 0);
    PlainBucket.setEmpty(plain, 0);
    filler.fill(level, slot, plain);
  }

  /** Overwrites the plaintext. */
  void wipe() {
    Arrays.fill(plain, (byte) 0);
  }

  /** Bytes of memory that it takes now, about. */
  long heldBytes() {
    return plain.length + geometry.slotBytes() + (long) units.size() * UNIT_BYTES;
  }

  /** The address of a block that stands where it was found; −1 for dummies and old copies. */
  static int current(SlotState state, Unit unit, byte[] plain) {
    int address = PlainBucket.address(plain, 0);
    boolean current =
        address >= 0
            && address < state.blocks()
            && state.isPlacedAt(address, unit.level(), unit.bucket(), unit.slot());
    return current ? address : -1;
  }

  /** Puts a block that was opened with those that have a place and are held. */
  void hold(SlotState state, Unit unit, byte[] opened) {
    int address = current(state, unit, opened);
    if (address >= 0) {
      int label = PlainBucket.label(opened, 0);
      state.held().put(address, label, opened, descriptor().dataOffset(0));
    }
  }
}
