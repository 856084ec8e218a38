package io.github.roram.path;

import io.github.roram.ClientMemory;
import io.github.roram.OramConfig;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.parameters.TreetopBudget;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.tree.BucketMemory;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.TreeRoom;
import io.github.roram.tree.Workspace;
import java.util.List;

/** The most memory that the client of a Path ORAM takes, item by item. */
final class PathMemory {

  static final String LABELS = "labels";
  static final String VERSIONS = "versions of buckets";
  static final String TREETOP = "treetop";
  static final String STASH = "stash, to its limit";
  static final String PATH = "path at hand";

  /** Of a block that is held: its entries in the index by labels, whose arrays double. */
  private static final int INDEX_BYTES = 4 * Integer.BYTES;

  private PathMemory() {}

  /** What the client of these trees holds now. */
  static ClientMemory held(PathTree[] trees, LocalPositionMap labels, Workspace workspace) {
    long versions = 0;
    long treetop = 0;
    long stash = 0;
    for (PathTree tree : trees) {
      versions += (long) Long.BYTES << tree.geometry().treetopLevels();
      long held = tree.stash().heldBytes();
      int blocks = Math.max(1, tree.stash().size());
      long beyond = held * Math.min(blocks, tree.stashBlocks()) / blocks;
      stash += beyond;
      treetop += held - beyond;
    }
    long path = 0;
    for (BucketMemory memory : workspace.memories()) {
      path += memory.chunkBytes() + memory.ringBytes();
    }
    return new ClientMemory(
        List.of(
            new ClientMemory.Item(LABELS, labels.heldBytes()),
            new ClientMemory.Item(VERSIONS, versions),
            new ClientMemory.Item(TREETOP, treetop),
            new ClientMemory.Item(STASH, stash),
            new ClientMemory.Item(PATH, path)));
  }

  /** While accesses are made; passes over the whole store take more. */
  static ClientMemory most(OramConfig config) {
    PathStoreLayout layout = new PathStoreLayout(config);
    TreeParameters parameters = TreeParameters.of(config);
    BucketDescriptor descriptor = layout.descriptor();
    long versions = 0;
    long treetop = 0;
    long stash = 0;
    long path = 0;
    int mostPath = 0;
    for (int tree = 0; tree < layout.trees(); tree++) {
      TreeGeometry geometry = layout.geometry(tree);
      TreeRoom room =
          new TreeRoom(
              geometry,
              descriptor,
              TreetopBudget.load(config, geometry.blocks(), geometry.height()),
              1,
              false);
      int held = geometry.treetopBlocks() + parameters.stashLimitBlocks();
      int pathBlocks = (geometry.height() + 1) * geometry.slots();
      versions += (long) Long.BYTES << geometry.treetopLevels();
      treetop +=
          room.treetopBytes()
              + ((long) Integer.BYTES << geometry.treetopLevels())
              + (long) INDEX_BYTES * geometry.treetopBlocks();
      stash += room.heldBytes(parameters.stashLimitBlocks() + pathBlocks);
      stash += (long) INDEX_BYTES * parameters.stashLimitBlocks();
      path += room.chunkBytes(held);
      mostPath = Math.max(mostPath, geometry.height() + 1);
    }
    // The buckets of a path are shared; a quarter more are made ahead.
    path += (mostPath + mostPath / 4 + 2L) * descriptor.plainBytes();
    long labels = (long) Integer.BYTES * layout.clientLabels();
    return new ClientMemory(
        List.of(
            new ClientMemory.Item(LABELS, labels),
            new ClientMemory.Item(VERSIONS, versions),
            new ClientMemory.Item(TREETOP, treetop),
            new ClientMemory.Item(STASH, stash),
            new ClientMemory.Item(PATH, path)));
  }
}
