package io.github.roram.tree;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.stash.Stash;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.IoPhase;
import java.io.IOException;

/**
 * A read of paths: ReadRange of a sub-ORAM (rORAM, §V, Algorithm 1). What is asked of the store,
 * versions and key epochs of all buckets included, is settled when the read is planned: at cnt = c
 * it is for the tree as it is after c evictions, whenever the store gets to it.
 *
 * <p>It may fail and be done again; it then asks for the same, and adds to the same arrivals.
 */
public final class PathRead {

  private final RangeTree tree;
  private final BucketRuns runs;

  /** The ranges that are read. */
  private final IntHashSet wanted;

  private final IntArrayList arrivals = new IntArrayList();
  private boolean done;

  PathRead(RangeTree tree, int[] ranges, int[] labels) {
    this(tree, ranges, labels, tree.schedule().evictions());
  }

  /** As above, for the tree as it is after so many evictions. */
  PathRead(RangeTree tree, int[] ranges, int[] labels, long evictions) {
    this.tree = tree;
    runs = tree.memory().requests().lend();
    runs.reset(IoPhase.READ, tree.geometry().tree(), tree.descriptor().sealedBytes());
    tree.versions().addPaths(runs, labels, tree.geometry().rangeBlocks(), evictions);
    wanted = new IntHashSet(ranges.length);
    wanted.addAll(ranges);
  }

  /** Reads the paths, in one request, and brings the current blocks of the ranges to the stash. */
  public void run() throws IOException {
    if (done) {
      throw new IllegalStateException("the paths were read");
    }
    tree.memory().flow().read(tree.buckets(), runs, this::keepWanted);
    end();
  }

  /** The paths were read; nothing more is asked for. */
  void end() {
    done = true;
    tree.memory().requests().giveBack(runs);
  }

  /** What is asked for. */
  BucketRuns runs() {
    return runs;
  }

  /** Whether a bucket has blocks of the ranges, current ones or not. Reads no state. */
  boolean isWorthKeeping(byte[] plain) {
    TreeGeometry geometry = tree.geometry();
    for (int slot = 0; slot < geometry.slots(); slot++) {
      int address = PlainBucket.address(plain, slot);
      if (address >= 0 && wanted.contains(address >>> geometry.rangeExponent())) {
        return true;
      }
    }
    return false;
  }

  /** Brings the current blocks of a bucket to the stash that belong to the ranges. */
  void keepWanted(int unit, byte[] plain) {
    TreeGeometry geometry = tree.geometry();
    Stash stash = tree.stash();
    for (int slot = 0; slot < geometry.slots(); slot++) {
      int address = PlainBucket.address(plain, slot);
      if (address < 0 || !wanted.contains(address >>> geometry.rangeExponent())) {
        continue;
      }
      int level = runs.level(unit);
      int bucket = geometry.bucket(runs.eviction(unit), level);
      int label = PlainBucket.label(plain, slot);
      if (!tree.liveness().isCurrent(level, bucket, slot, address, label)) {
        continue;
      }
      tree.liveness().taken(level, bucket, slot);
      if (stash.find(address) < 0) {
        stash.put(address, label, plain, tree.descriptor().dataOffset(slot));
        arrivals.add(address);
      }
    }
  }

  /** Addresses of the blocks that came to the stash. */
  public IntArrayList arrivals() {
    return arrivals;
  }
}
