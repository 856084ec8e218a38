package io.github.roram.tao;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.LongArrayList;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.cipher.Nonces;
import io.github.roram.stash.Stash;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the k oldest paths back that were read (TaoStore, write-back and flush): the blocks of
 * their buckets and of the stash are placed as deep as can be in all of them together, and each
 * bucket is written once. The client's state is that before it until it is {@linkplain #applied
 * applied}: what is read meanwhile is read from the buckets as they were.
 *
 * <p>It is placed at one moment; what is sealed from then on, on any thread of the store, are
 * copies.
 */
final class WriteBack {

  private final TaoTree tree;
  private final int paths;
  private final PathUnion union;
  private final UnionPlacement placement;
  private final List<byte[]> plains = new ArrayList<>();
  private final IntArrayList left = new IntArrayList();
  private int epoch;

  // Of candidates, by their numbers.
  private final IntArrayList addresses = new IntArrayList();
  private final IntArrayList labels = new IntArrayList();
  private final List<byte[]> arrays = new ArrayList<>();
  private final IntArrayList offsets = new IntArrayList();
  private final IntArrayList stashSlots = new IntArrayList();
  private final LongArrayList stamps = new LongArrayList();

  /** A write-back of the oldest paths. */
  WriteBack(TaoTree tree, int paths) {
    this.tree = tree;
    this.paths = paths;
    union = new PathUnion(tree.geometry(), tree.oldestUnwritten(paths));
    placement = new UnionPlacement(union, tree.descriptor().slots());
  }

  int paths() {
    return paths;
  }

  /** The buckets that are written. */
  PathUnion union() {
    return union;
  }

  /** The key epoch that seals it. */
  int epoch() {
    return epoch;
  }

  /** Addresses of the blocks that left the client by it. */
  IntArrayList left() {
    return left;
  }

  /** Decides what is written, and copies it. */
  void place() throws IOException {
    epoch = tree.memory().epochs().hold();
    offerStash();
    offerBuckets();
    placement.place();
    for (int unit = 0; unit < union.units(); unit++) {
      plains.add(assemble(unit));
    }
  }

  private void offerStash() {
    Stash stash = tree.stash();
    for (int slot = 0; slot < stash.slots(); slot++) {
      int address = stash.address(slot);
      if (address >= 0 && !stash.isPinned(address)) {
        boolean offered = placement.add(stash.label(slot), UnionPlacement.FROM_CLIENT) >= 0;
        if (offered) {
          add(address, stash.label(slot), stash.array(slot), stash.offset(slot));
          stashSlots.add(slot);
          stamps.add(stash.stamp(slot));
        }
      }
    }
  }

  /** Offers the current copies of blocks that stand in the buckets. */
  private void offerBuckets() {
    BucketDescriptor descriptor = tree.descriptor();
    IntHashSet seen = new IntHashSet();
    for (int unit = 0; unit < union.units(); unit++) {
      byte[] plain = tree.subtree().get(union.key(unit));
      for (int slot = 0; slot < descriptor.slots(); slot++) {
        int address = PlainBucket.address(plain, slot);
        if (address < 0 || tree.stash().find(address) >= 0) {
          continue;
        }
        int label = PlainBucket.label(plain, slot);
        if (label == tree.positions().label(address) && seen.add(address)) {
          placement.add(label, unit);
          add(address, label, plain, descriptor.dataOffset(slot));
        }
      }
    }
  }

  private void add(int address, int label, byte[] array, int offset) {
    addresses.add(address);
    labels.add(label);
    arrays.add(array);
    offsets.add(offset);
  }

  private byte[] assemble(int unit) {
    BucketDescriptor descriptor = tree.descriptor();
    byte[] plain = tree.lanes().lendBucket();
    for (int slot = 0; slot < descriptor.slots(); slot++) {
      int candidate = placement.placed(unit, slot);
      if (candidate < 0) {
        // The old data of an empty slot stays: what is sealed need not be cleared.
        PlainBucket.setEmpty(plain, slot);
      } else {
        PlainBucket.setSlot(plain, slot, addresses.get(candidate), labels.get(candidate));
        System.arraycopy(
            arrays.get(candidate),
            offsets.get(candidate),
            plain,
            descriptor.dataOffset(slot),
            descriptor.blockBytes());
      }
    }
    putLinks(unit, plain);
    return plain;
  }

  private void putLinks(int unit, byte[] plain) {
    int level = union.level(unit);
    int linkOffset = tree.descriptor().linkOffset();
    byte[] before = tree.subtree().get(union.key(unit));
    for (int side = 0; side < 2; side++) {
      int offset = linkOffset + Long.BYTES * side;
      int child =
          level == tree.geometry().height()
              ? PathUnion.NONE
              : union.find(level + 1, union.bucket(unit) + (side << level));
      long version =
          child == PathUnion.NONE
              ? PlainBucket.link(before, offset)
              : tree.version(union, child, epoch);
      PlainBucket.setLink(plain, offset, version);
    }
  }

  /** The request for some of the buckets, in their other places. */
  ExtentBatch extents(int firstUnit, int units) {
    ExtentBatch batch =
        new ExtentBatch()
            .reset(IoPhase.EVICT_WRITE, tree.geometry().tree(), tree.descriptor().sealedBytes());
    for (int unit = firstUnit; unit < firstUnit + units; unit++) {
      batch.add(tree.places().otherOffset(union.key(unit)), 1);
    }
    return batch;
  }

  /** Seals these buckets, each once, on whatever thread the store asks for them. */
  UnitSource sealing(int firstUnit) {
    return new UnitSource() {
      private final Nonces nonces = Nonces.fresh();
      private int next = firstUnit;

      @Override
      public void fill(int first, java.nio.ByteBuffer units) {
        if (firstUnit + first != next) {
          throw new IllegalStateException(
              "the store asked for unit " + first + " instead of unit " + (next - firstUnit));
        }
        tree.lanes().enter();
        BucketCodec codec = tree.lanes().lendCodec();
        try {
          for (; units.hasRemaining(); next++) {
            codec.seal(
                plains.get(next),
                tree.geometry().tree(),
                union.level(next),
                tree.version(union, next, epoch),
                epoch,
                nonces,
                next - firstUnit,
                units);
          }
        } finally {
          tree.lanes().giveBack(codec);
          tree.lanes().leave();
        }
      }
    };
  }

  /**
   * The buckets are on the store: the client's state is that after it. The stash lets go of what
   * was placed, but for what changed since, or was pinned: that is newer, or needed.
   */
  void applied() {
    Stash stash = tree.stash();
    for (int unit = 0; unit < union.units(); unit++) {
      for (int slot = 0; slot < tree.descriptor().slots(); slot++) {
        int candidate = placement.placed(unit, slot);
        if (candidate >= 0 && candidate < stashSlots.size() && mayLeave(candidate)) {
          left.add(addresses.get(candidate));
          stash.remove(stashSlots.get(candidate));
        }
      }
      tree.subtree().written(union.key(unit), plains.get(unit), tree.writeBacks());
    }
    plains.clear();
    tree.writtenBack(union, paths, epoch);
    tree.measureStash();
  }

  private boolean mayLeave(int candidate) {
    Stash stash = tree.stash();
    return stash.stamp(stashSlots.get(candidate)) == stamps.get(candidate)
        && !stash.isPinned(addresses.get(candidate));
  }

  /** It failed: another does the same, and seals in another epoch. */
  void giveUp() {
    plains.forEach(tree.lanes()::giveBack);
    plains.clear();
    tree.memory().epochs().requireNew();
  }
}
