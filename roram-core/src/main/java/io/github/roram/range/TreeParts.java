package io.github.roram.range;

import io.github.roram.engine.OramContext;
import io.github.roram.eviction.EvictionSchedule;
import io.github.roram.eviction.EvictionSchedule.WriteShare;
import io.github.roram.maptree.MapChain;
import io.github.roram.maptree.MapShape;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.posmap.RangeLabels;
import io.github.roram.stash.Stash;
import io.github.roram.store.BucketStore;
import io.github.roram.tree.BucketMemory;
import io.github.roram.tree.Liveness;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TombstoneLiveness;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.Workspace;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds the trees of an ORAM from their parts.
 *
 * @param workspace the memory that they share
 * @param buckets where their buckets are
 * @param smaller the trees of the same ORAM when it was smaller, whose stashes they take; empty if
 *     they are new
 * @param maps what they get for the labels of those; empty likewise
 */
record TreeParts(
    OramContext context,
    TreeParameters parameters,
    StoreLayout layout,
    Workspace workspace,
    BucketStore buckets,
    List<RangeTree> smaller,
    List<LocalPositionMap> maps) {

  /**
   * Returns all trees: those of data, then those of the position map.
   *
   * @param chain the map, if it is on the store; receives its trees
   */
  RangeTree[] trees(@Nullable MapChain chain) {
    RangeTree[] trees = new RangeTree[layout.trees()];
    // The labels of each tree are in one that comes behind it.
    for (int tree = trees.length - 1; tree >= 0; tree--) {
      trees[tree] = tree(layout.geometry(tree), chain);
      if (chain != null && tree >= layout.dataTrees()) {
        chain.add(trees[tree]);
      }
    }
    return trees;
  }

  /**
   * Returns the most blocks that a client holds of a tree: treetop, window, an access, and the
   * stash.
   */
  int mostHeld() {
    return EvictionCommits.mostHeld(parameters, layout, context.options().inFlight());
  }

  private RangeTree tree(TreeGeometry geometry, @Nullable MapChain chain) {
    boolean isMap = geometry.tree() >= layout.dataTrees();
    int chunkPaths = layout.chunkPaths(parameters, geometry.tree());
    EvictionSchedule schedule =
        new EvictionSchedule(
            parameters.evictionHalfBlocks(),
            layout.windowBlocks(parameters, geometry.tree()),
            chunkPaths,
            geometry.firstEviction(),
            isMap
                ? WriteShare.WHOLE
                : new WriteShare(parameters.writeShareParts(), parameters.backlogBlocks()));
    int blockBytes = layout.descriptor(geometry.tree()).blockBytes();
    Stash stash =
        smaller.isEmpty()
            ? new Stash(context.payload().heldBytes(blockBytes), geometry.rangeExponent())
            : smaller.get(geometry.tree()).stash();
    RangeLabels labels = labels(geometry, chain);
    BucketMemory memory = workspace.buckets(layout.descriptor(geometry.tree()));
    MapShape shape = layout.maps();
    if (shape == null || shape.isOnClient(geometry.tree())) {
      return new RangeTree(geometry, schedule, labels, stash, memory, buckets);
    }
    Liveness liveness = new TombstoneLiveness(geometry, memory.descriptor(), labels);
    return new RangeTree(geometry, schedule, labels, liveness, stash, memory, buckets);
  }

  private RangeLabels labels(TreeGeometry geometry, @Nullable MapChain chain) {
    if (chain == null) {
      return maps.isEmpty() ? newMap(context, geometry) : maps.get(geometry.tree());
    }
    boolean held = context.heldBlockBytes() > 0;
    return chain.labelsOf(geometry, held);
  }

  /** Returns the map of a tree, with the client. */
  static LocalPositionMap newMap(OramContext context, TreeGeometry geometry) {
    boolean inFile = TreeParameters.of(context.config()).hasMapInFile();
    Path directory = inFile ? context.options().mapDirectory() : null;
    return new LocalPositionMap(
        context.firstLabels(), geometry.tree(), geometry.ranges(), geometry.leaves(), directory);
  }
}
