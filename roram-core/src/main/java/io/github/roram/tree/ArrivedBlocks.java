package io.github.roram.tree;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.bucket.TombstoneDescriptor;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.UnitSink;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The blocks of a request, taken out of buckets that are opened on the store's threads as they
 * arrive. Blocks that may be wanted are kept, close together in memory, until the operation that
 * asked for them takes them on its own thread; buckets are not kept. Which blocks are kept does not
 * affect what is asked of the store.
 *
 * <p>For use by one thread at a time.
 */
final class ArrivedBlocks {

  private final ParallelBucketCodec lanes;
  private final BucketDescriptor descriptor;
  private final BucketRuns runs;
  private final Filter kept;

  /** Memory of one bucket each; it holds the data of as many blocks as a bucket has slots. */
  private final List<byte[]> data = new ArrayList<>();

  /** For each kept block, the number of its bucket within the request. */
  private final IntArrayList units = new IntArrayList();

  private final IntArrayList addresses = new IntArrayList();
  private final IntArrayList labels = new IntArrayList();

  /** For each kept tombstone: unit, address and label, one after another. */
  private final IntArrayList tombstones = new IntArrayList();

  private final boolean keepsTombstones;

  /** Says which blocks may be wanted; asked on the store's threads. */
  @FunctionalInterface
  interface Filter {
    boolean keeps(int unit, int address, int label);
  }

  /** Takes a block that stood in a bucket. */
  @FunctionalInterface
  interface Taker {
    void take(int unit, int address, int label, byte[] array, int offset);
  }

  /** Takes a tombstone of a bucket. */
  @FunctionalInterface
  interface TombstoneTaker {
    void take(int unit, int address, int label);
  }

  /**
   * Creates the blocks of a request, of which none has arrived.
   *
   * @param keepsTombstones whether to keep tombstones, if the buckets have any
   */
  ArrivedBlocks(ParallelBucketCodec lanes, BucketRuns runs, boolean keepsTombstones, Filter kept) {
    this.lanes = lanes;
    this.runs = runs;
    this.kept = kept;
    this.keepsTombstones = keepsTombstones;
    descriptor = lanes.descriptor();
  }

  /** Returns what the store is to hand the buckets to. What came before is forgotten. */
  UnitSink sink() {
    clear();
    return lanes.inOrder(this::open);
  }

  private void open(BucketCodec codec, int unit, ByteBuffer units) {
    byte[] plain = lanes.lendBucket();
    try {
      codec.open(
          units, plain, runs.tree(), runs.level(unit), runs.eviction(unit), runs.epoch(unit));
      keep(unit, plain);
    } finally {
      lanes.giveBack(plain);
    }
  }

  private void keep(int unit, byte[] plain) {
    for (int slot = 0; slot < descriptor.slots(); slot++) {
      int address = PlainBucket.address(plain, slot);
      int label = PlainBucket.label(plain, slot);
      if (address < 0 || !kept.keeps(unit, address, label)) {
        continue;
      }
      int block = units.size();
      if (block == data.size() * descriptor.slots()) {
        data.add(lanes.lendBucket());
      }
      System.arraycopy(
          plain, descriptor.dataOffset(slot), array(block), offset(block), descriptor.blockBytes());
      units.add(unit);
      addresses.add(address);
      labels.add(label);
    }
    for (int place = 0; keepsTombstones && place < descriptor.slots(); place++) {
      int address = TombstoneDescriptor.address(descriptor, plain, place);
      if (address >= 0) {
        tombstones.add(unit, address, TombstoneDescriptor.label(descriptor, plain, place));
      }
    }
  }

  private byte[] array(int block) {
    return data.get(block / descriptor.slots());
  }

  private int offset(int block) {
    return block % descriptor.slots() * descriptor.blockBytes();
  }

  /**
   * Hands over what was kept, in the order of the request, the tombstones of a bucket before its
   * blocks; it stays until it is {@link #clear}.
   */
  void takeAll(Taker taker, TombstoneTaker tombstoneTaker) {
    int tombstone = 0;
    for (int block = 0; block < units.size(); block++) {
      int unit = units.get(block);
      for (; tombstone < tombstones.size() && tombstones.get(tombstone) <= unit; tombstone += 3) {
        take(tombstone, tombstoneTaker);
      }
      taker.take(unit, addresses.get(block), labels.get(block), array(block), offset(block));
    }
    for (; tombstone < tombstones.size(); tombstone += 3) {
      take(tombstone, tombstoneTaker);
    }
  }

  private void take(int tombstone, TombstoneTaker taker) {
    taker.take(
        tombstones.get(tombstone), tombstones.get(tombstone + 1), tombstones.get(tombstone + 2));
  }

  /** Returns an integer in the data of the first copy of a block that arrived; 0 if none did. */
  int dataInt(int address, int at) {
    int block = addresses.indexOf(address);
    return block < 0 ? 0 : PlainBucket.getInt(array(block), offset(block) + at);
  }

  /** Returns the number of buckets of the request. */
  int units() {
    return runs.units();
  }

  /** Keeps nothing any more. */
  void clear() {
    data.forEach(lanes::giveBack);
    data.clear();
    units.clear();
    addresses.clear();
    labels.clear();
    tombstones.clear();
  }
}
