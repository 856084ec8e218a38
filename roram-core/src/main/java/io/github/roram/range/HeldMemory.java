package io.github.roram.range;

import io.github.roram.ClientMemory;
import io.github.roram.tree.BucketMemory;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.Workspace;
import java.util.List;

/** What the client of trees holds in memory now, by the items of {@link TreeMemory}. */
final class HeldMemory {

  private HeldMemory() {}

  /** Of these trees, those of a position map included. */
  static ClientMemory of(RangeTree[] trees, Workspace workspace) {
    long labels = 0;
    long bits = 0;
    long tombstones = 0;
    long treetop = 0;
    long waiting = 0;
    long stash = 0;
    long room = 0;
    for (RangeTree tree : trees) {
      labels += tree.positions().heldBytes();
      boolean hasTombstones = tree.liveness().tombstones() != null;
      bits += hasTombstones ? 0 : tree.liveness().heldBytes();
      tombstones += hasTombstones ? tree.liveness().heldBytes() : 0;
      long blocks = tree.stash().size();
      long beyond = Math.min(blocks, tree.stashBlocks());
      long owed = tree.schedule().owedBlocks() + tree.schedule().backlogBlocks();
      owed = Math.min(blocks - beyond, owed);
      double each = blocks == 0 ? 0 : tree.stash().usedBytes() / (double) blocks;
      stash += (long) (each * beyond);
      waiting += (long) (each * owed);
      treetop += (long) (each * (blocks - beyond - owed));
      room += tree.stash().heldBytes() - tree.stash().usedBytes();
    }
    long chunk = 0;
    long arrived = 0;
    long rings = 0;
    for (BucketMemory memory : workspace.memories()) {
      chunk += memory.chunkBytes();
      arrived += memory.arrivedBytes();
      rings += memory.ringBytes();
    }
    return new ClientMemory(
        List.of(
            new ClientMemory.Item(TreeMemory.LABELS, labels),
            new ClientMemory.Item(TreeMemory.BITS, bits),
            new ClientMemory.Item(TreeMemory.TOMBSTONES, tombstones),
            new ClientMemory.Item(TreeMemory.TREETOP, treetop),
            new ClientMemory.Item(TreeMemory.WAITING, waiting),
            new ClientMemory.Item(TreeMemory.STASH, stash),
            new ClientMemory.Item(TreeMemory.ACCESS, room),
            new ClientMemory.Item(TreeMemory.CHUNK, chunk),
            new ClientMemory.Item(TreeMemory.ARRIVED, arrived),
            new ClientMemory.Item(TreeMemory.RINGS, rings)));
  }
}
