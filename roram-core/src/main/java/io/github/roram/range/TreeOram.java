package io.github.roram.range;

import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.OramStats;
import io.github.roram.engine.AbstractOram;
import io.github.roram.engine.OramContext;
import io.github.roram.eviction.EvictionSchedule;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.stash.Stash;
import io.github.roram.tree.BulkTarget;
import io.github.roram.tree.LevelLog;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.Workspace;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An ORAM on the tree engine: reads ranges of one tree, then pays the evictions that its trees owe.
 *
 * <p>A read of paths that failed is done again, the same paths, before the next access begins, and
 * so are evictions: what the store sees is the sequence without failures, with repetitions. An
 * access whose own evictions fail has succeeded nevertheless, for its blocks are with the client;
 * it is the next one that fails if they fail again.
 */
abstract class TreeOram extends AbstractOram {

  private static final Logger LOG = LoggerFactory.getLogger(TreeOram.class);
  private static final int NO_TREE = -1;

  /** The trees, by size class. */
  protected final RangeTree[] trees;

  private int pendingTree = NO_TREE;
  private int[] pendingRanges = {};
  private int[] pendingLabels = {};

  TreeOram(OramContext context, StoreLayout layout) {
    this(context, layout, context.workspace(0));
  }

  private TreeOram(OramContext context, StoreLayout layout, Workspace workspace) {
    super(context, workspace);
    trees = new RangeTree[layout.trees()];
    for (int tree = 0; tree < trees.length; tree++) {
      trees[tree] = newTree(context, layout.geometry(tree), layout.log(tree), workspace);
    }
  }

  private static RangeTree newTree(
      OramContext context, TreeGeometry geometry, LevelLog log, Workspace workspace) {
    OramConfig config = context.config();
    EvictionSchedule schedule =
        new EvictionSchedule(
            config.evictionRate(), config.windowBlocks(), config.chunkPaths(), geometry.leaves());
    LocalPositionMap positions =
        new LocalPositionMap(
            context.firstLabels(), geometry.tree(), geometry.ranges(), geometry.leaves());
    Stash stash = new Stash(config.blockBytes());
    return new RangeTree(geometry, log, schedule, positions, stash, workspace, context.store());
  }

  /** Owes the evictions for an access that read from a tree. */
  protected abstract void owe(int tree);

  /**
   * Reads ranges of a tree into its stash, gives them fresh labels and owes the evictions.
   *
   * @param ranges range numbers; −1 reads a random run for nothing
   */
  protected final void readRanges(int tree, int... ranges) throws IOException {
    pendingRanges = ranges;
    pendingLabels = new int[ranges.length];
    for (int i = 0; i < ranges.length; i++) {
      pendingLabels[i] =
          ranges[i] < 0 ? freshLabel(tree) : trees[tree].positions().label(ranges[i]);
    }
    pendingTree = tree;
    finishRead();
  }

  private void finishRead() throws IOException {
    RangeTree tree = trees[pendingTree];
    tree.readPaths(pendingRanges, pendingLabels);
    for (int range : pendingRanges) {
      if (range >= 0) {
        tree.relabel(range, freshLabel(pendingTree));
      }
    }
    owe(pendingTree);
    pendingTree = NO_TREE;
  }

  private int freshLabel(int tree) {
    return context.labels().next(trees[tree].geometry().leaves());
  }

  @Override
  protected final void completePending() throws IOException {
    if (pendingTree != NO_TREE) {
      finishRead();
    }
    for (RangeTree tree : trees) {
      tree.evictDue();
    }
  }

  /** Pays what is due now; a failure is left to the next access. */
  protected final void payEvictions() {
    try {
      completePending();
    } catch (IOException | OramException e) {
      LOG.warn("an eviction failed and is left to the next access: {}", e.toString());
    }
  }

  /** Copies blocks from the stash of a tree; those that were never written are zeros. */
  protected final void copyOut(RangeTree tree, int block, int count, ByteBuffer target) {
    int blockBytes = config().blockBytes();
    for (int address = block; address < block + count; address++) {
      int slot = tree.stash().find(address);
      if (slot >= 0) {
        target.put(tree.stash().array(slot), tree.stash().offset(slot), blockBytes);
      } else {
        zeros(target, blockBytes);
      }
    }
  }

  private static void zeros(ByteBuffer target, int bytes) {
    for (int i = 0; i < bytes; i += Long.BYTES) {
      target.putLong(0);
    }
  }

  /** Puts a written block into the stash of a tree, under the label that it has there. */
  protected final void copyIn(RangeTree tree, int address, ByteBuffer source) {
    Stash stash = tree.stash();
    int slot = stash.put(address, tree.label(address));
    source.get(stash.array(slot), stash.offset(slot), config().blockBytes());
  }

  /** One access, within bounds. */
  @Override
  protected abstract int access(
      int block, int count, @Nullable ByteBuffer source, @Nullable ByteBuffer target)
      throws IOException;

  @Override
  protected final List<? extends BulkTarget> bulkTargets() {
    return List.of(trees);
  }

  @Override
  protected final void resetTrees() {
    for (RangeTree tree : trees) {
      tree.reset();
    }
  }

  @Override
  protected final int trees() {
    return trees.length;
  }

  @Override
  protected final int stashBlocks(int tree) {
    return trees[tree].stashBlocks();
  }

  @Override
  protected final List<OramStats.TreeStats> treeStats() {
    List<OramStats.TreeStats> stats = new ArrayList<>();
    for (RangeTree tree : trees) {
      TreeGeometry geometry = tree.geometry();
      stats.add(
          new OramStats.TreeStats(
              geometry.rangeBlocks(),
              geometry.height(),
              geometry.treetopLevels(),
              tree.schedule().evictions() - geometry.leaves(),
              tree.stash().size(),
              tree.stashBlocks(),
              tree.stashMaxBlocks()));
    }
    return stats;
  }

  @Override
  protected final void writeState(DataOutput out) throws IOException {
    for (RangeTree tree : trees) {
      tree.writeTo(out);
    }
  }

  @Override
  protected final void readState(DataInput in) throws IOException {
    for (RangeTree tree : trees) {
      tree.readFrom(in);
    }
  }

  @Override
  protected final void wipe() {
    for (RangeTree tree : trees) {
      tree.stash().wipe();
    }
  }
}
