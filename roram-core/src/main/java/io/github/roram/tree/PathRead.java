package io.github.roram.tree;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntIntHashMap;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.stash.Stash;
import io.github.roram.store.AsyncBucketStore;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A read of paths: ReadRange of a sub-ORAM (rORAM, §V, Algorithm 1). What is asked of the store,
 * versions and key epochs of all buckets included, is settled when the read is planned: at cnt = c
 * it is for the tree as it is after c evictions, whenever the store gets to it.
 *
 * <p>It is either {@linkplain #run run} while the caller waits, or {@linkplain #ask asked} for next
 * to others, and changes the client's state when it is {@linkplain #keep kept}; buckets are then
 * opened on the store's threads. It may fail and be done again, either way; it then asks for the
 * same, and adds to the same arrivals.
 *
 * <p>Calls come one after another.
 */
public final class PathRead {

  private final RangeTree tree;
  private final BucketRuns runs;
  private final long evictions;

  /** The ranges that are read, and the labels that are shown for them. */
  private final IntIntHashMap shown;

  private final IntArrayList arrivals = new IntArrayList();

  /** The blocks that have arrived since the store was asked. */
  private @Nullable ArrivedBlocks arrived;

  private boolean done;

  /**
   * Creates a read of ranges of a tree.
   *
   * @param evictions cnt: number of completed evictions of the tree
   */
  public PathRead(RangeTree tree, int[] ranges, int[] labels, long evictions) {
    this.tree = tree;
    this.evictions = evictions;
    runs = tree.memory().requests().lend();
    runs.reset(IoPhase.READ, tree.geometry().tree(), tree.descriptor().sealedBytes());
    tree.versions().addPaths(runs, labels, tree.geometry().rangeBlocks(), evictions);
    shown = new IntIntHashMap(ranges.length);
    for (int i = 0; i < ranges.length; i++) {
      shown.put(ranges[i], labels[i]);
    }
  }

  /** Returns cnt: the number of evictions after which it reads the buckets. */
  public long plannedAt() {
    return evictions;
  }

  /** Reads the paths, in one request, and brings the current blocks of the ranges to the stash. */
  public void run() throws IOException {
    if (done) {
      throw new IllegalStateException("the paths were read");
    }
    tree.memory().flow().read(tree.buckets(), runs, this::keepWanted);
    end();
  }

  /** Asks the store, in one request; what arrived before is forgotten. */
  public CompletableFuture<Void> ask(AsyncBucketStore store) {
    if (arrived == null) {
      arrived = new ArrivedBlocks(tree.memory().lanes(), runs, false, this::isShown);
    }
    return store.read(runs, arrived.sink());
  }

  /** Brings the current blocks of the ranges to the stash, out of what arrived. */
  public void keep() {
    if (arrived != null) {
      arrived.takeAll(this::keepIfCurrent, (unit, address, label) -> {});
    }
    end();
  }

  /**
   * Returns what arrived of a block, before it is kept: an integer of its data, the newest; 0 if no
   * copy came, as in a block that was never written.
   */
  public int arrivedInt(int address, int at) {
    return arrived == null ? 0 : arrived.dataInt(address, at);
  }

  /** Forgets what arrived: another read does the same. The store has ended this one. */
  public void giveUp() {
    end();
  }

  private void end() {
    if (arrived != null) {
      arrived.clear();
    }
    done = true;
    tree.memory().requests().giveBack(runs);
  }

  /**
   * Returns whether a copy is of the ranges and has the label under which its range is read: all
   * current ones do that the read brings. Reads no state.
   */
  private boolean isShown(int unit, int address, int label) {
    TreeGeometry geometry = tree.geometry();
    int range = address >>> geometry.rangeExponent();
    if (!shown.containsKey(range)) {
      return false;
    }
    int number = address & (geometry.rangeBlocks() - 1);
    int wanted = geometry.label(shown.get(range), number);
    return label == (wanted & ((1 << geometry.heightAt(runs.eviction(unit))) - 1));
  }

  /** Brings the current blocks of a bucket to the stash that belong to the ranges. */
  private void keepWanted(int unit, byte[] plain) {
    TreeGeometry geometry = tree.geometry();
    for (int slot = 0; slot < geometry.slots(); slot++) {
      int address = PlainBucket.address(plain, slot);
      if (address >= 0 && shown.containsKey(address >>> geometry.rangeExponent())) {
        int label = PlainBucket.label(plain, slot);
        keepIfCurrent(unit, address, label, plain, tree.descriptor().dataOffset(slot));
      }
    }
  }

  /** Brings a block of the ranges to the stash, unless it is an old copy. */
  private void keepIfCurrent(int unit, int address, int written, byte[] array, int offset) {
    Stash stash = tree.stash();
    int label = tree.labelNow(address, written, runs.eviction(unit));
    if (tree.liveness().isCurrent(address, label) && stash.find(address) < 0) {
      tree.memory()
          .whole()
          .changeNow(
              () -> {
                stash.put(address, label, array, offset);
                arrivals.add(address);
                return arrivals;
              });
    }
  }

  /** Addresses of the blocks that came to the stash. */
  public IntArrayList arrivals() {
    return arrivals;
  }
}
