package io.github.roram.linked;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.cipher.Nonces;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSource;
import io.github.roram.tree.EvictionBuffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The write-back of the k oldest paths that were read (TaoStore, write-back and flush). The blocks
 * of their buckets and of the stash are placed as deep as they can be in all k paths together, and
 * each bucket is written once. Until the write-back is {@linkplain #applied applied} the client's
 * state is the one before it, and reads use the buckets as they were.
 *
 * <p>Blocks are placed at one moment; the store's threads then seal copies. {@link WriteBacks} says
 * when a write-back begins, and what must be durable before.
 */
final class WriteBack {

  private final LinkedTree tree;
  private final int paths;
  private final int[] oldest;
  private final PathUnion union;
  private final List<byte[]> plains = new ArrayList<>();
  private final IntArrayList left = new IntArrayList();
  private int epoch;

  /** Creates a write-back of the oldest paths. */
  WriteBack(LinkedTree tree, int paths) {
    this.tree = tree;
    this.paths = paths;
    oldest = tree.oldestUnwritten(paths);
    union = new PathUnion(tree.geometry(), oldest);
  }

  int paths() {
    return paths;
  }

  /** Returns the buckets that are written. */
  PathUnion union() {
    return union;
  }

  /** Returns the key epoch that seals it. */
  int epoch() {
    return epoch;
  }

  /** Returns the addresses of the blocks that left the client. */
  IntArrayList left() {
    return left;
  }

  /** Decides what is written, and copies it. */
  void place() throws IOException {
    epoch = tree.memory().epochs().hold();
    EvictionBuffer buffer = tree.buffer();
    buffer.begin(tree.geometry(), union);
    for (int path : oldest) {
      buffer.offerMeeting(tree.stash(), path);
    }
    offerBuckets(buffer);
    buffer.place();
    for (int unit = 0; unit < union.units(); unit++) {
      byte[] plain = tree.lanes().lendBucket();
      buffer.assemble(union.level(unit), union.bucket(unit), plain);
      putLinks(unit, plain);
      plains.add(plain);
    }
  }

  /** Offers the current copies of the blocks in the buckets. */
  private void offerBuckets(EvictionBuffer buffer) {
    for (int unit = 0; unit < union.units(); unit++) {
      byte[] plain = tree.subtree().get(union.key(unit));
      for (int slot = 0; slot < tree.descriptor().slots(); slot++) {
        int address = PlainBucket.address(plain, slot);
        if (address >= 0
            && tree.stash().find(address) < 0
            && tree.isHeldUnder(address, PlainBucket.label(plain, slot))
            && buffer.firstSeen(address)) {
          buffer.offer(plain, slot, union.level(unit));
        }
      }
    }
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

  /**
   * Returns the unit that is written at a position of the order. With two places per bucket, those
   * nearer the root come first; with one, the deepest.
   */
  private int unit(int number) {
    return tree.places().areTwo() ? number : union.units() - 1 - number;
  }

  /** Returns the request for some of the buckets, in their other places. */
  ExtentBatch extents(int first, int units) {
    ExtentBatch batch =
        new ExtentBatch()
            .reset(
                tree.phase(IoPhase.EVICT_WRITE),
                tree.geometry().tree(),
                tree.descriptor().sealedBytes());
    for (int number = first; number < first + units; number++) {
      batch.add(tree.places().otherOffset(union.key(unit(number))), 1);
    }
    return batch;
  }

  /** Returns a source that seals these buckets, each once, on whatever thread asks for them. */
  UnitSource sealing(int first) {
    Nonces nonces = Nonces.fresh();
    return tree.lanes()
        .inOrder(
            (codec, number, units) -> {
              int unit = unit(first + number);
              codec.seal(
                  plains.get(unit),
                  tree.geometry().tree(),
                  union.level(unit),
                  tree.version(union, unit, epoch),
                  epoch,
                  nonces,
                  number,
                  units);
            });
  }

  /**
   * Applies the write-back once its buckets are on the store. The stash lets go of the blocks that
   * were placed, except those that changed since, whose copies here are newer, and pinned ones,
   * which are needed.
   */
  void applied() {
    tree.buffer().removePlaced(tree.geometry(), tree.stash(), left);
    for (int unit = 0; unit < union.units(); unit++) {
      tree.subtree().written(union.key(unit), plains.get(unit), tree.writeBacks());
    }
    plains.clear();
    tree.writtenBack(union, paths, epoch);
    tree.measureStash();
  }

  /** Gives up after a failure: another write-back does the same, and seals in another epoch. */
  void giveUp() {
    plains.forEach(tree.lanes()::giveBack);
    plains.clear();
    tree.tore(paths);
  }
}
