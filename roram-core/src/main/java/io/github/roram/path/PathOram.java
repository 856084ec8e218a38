package io.github.roram.path;

import io.github.roram.BlockSink;
import io.github.roram.ClientMemory;
import io.github.roram.OramStats;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.bulk.BulkLoader;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.engine.BulkLoadable;
import io.github.roram.engine.Engine;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Scannable;
import io.github.roram.engine.StashLimit;
import io.github.roram.engine.Transfer;
import io.github.roram.engine.Verifiable;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.posmap.PositionMap;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.Workspace;
import java.io.DataInput;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Classic Path ORAM (Stefanov et al., CCS 2013), the baseline, as good as it can be: each path is
 * one vectored read and one vectored write, the position map is local or packed a thousand labels
 * to a block, a treetop is available, and trees are half full.
 *
 * <p>A range of r blocks is r accesses; one that fails midway may have written the blocks before.
 * It overwrites paths in place and keeps no journal; a path that was read is in memory only until
 * it is written.
 *
 * <h2>Security</h2>
 *
 * The store sees one uniform label, never shown before, for each block and each level of recursion.
 */
public final class PathOram implements Engine, Verifiable, Scannable, BulkLoadable {

  private final OramContext context;
  private final TreeParameters parameters;
  private final Workspace workspace;

  private final PathTree[] trees;
  private final LocalPositionMap clientMap;

  /** A Path ORAM of these parts. */
  public PathOram(OramContext context, PathStoreLayout layout) {
    this.context = context;
    context.store().arrange(layout.parts());
    parameters = TreeParameters.of(context.config());
    // For passes over whole trees; a path at a time is too little to share.
    workspace =
        new Workspace(
            context::codec, context.epochs(), context.options().threads(), parameters.ringBytes());
    int last = layout.trees() - 1;
    trees = new PathTree[layout.trees()];
    TreeGeometry smallest = layout.geometry(last);
    clientMap =
        new LocalPositionMap(context.firstLabels(), last, layout.clientLabels(), smallest.leaves());
    PositionMap map = clientMap;
    for (int tree = last; tree >= 0; tree--) {
      trees[tree] =
          new PathTree(
              layout.geometry(tree),
              layout.layout(tree),
              map,
              context.firstLabels(),
              context.labels(),
              workspace.buckets(layout.descriptor()),
              context.store(),
              tree > 0);
      if (tree > 0) {
        map = mapIn(trees[tree], context, layout);
      }
    }
  }

  /** The map that a tree holds of the tree before it. */
  private static PositionMap mapIn(PathTree tree, OramContext context, PathStoreLayout layout) {
    int mapped = tree.geometry().tree() - 1;
    TreeGeometry geometry = layout.geometry(mapped);
    if (context.heldBlockBytes() == 0) {
      LocalPositionMap labels =
          new LocalPositionMap(context.firstLabels(), mapped, geometry.ranges(), geometry.leaves());
      return new PatternPositionMap(tree, labels, layout.labelsPerBlock());
    }
    return new RecursivePositionMap(
        tree, context.firstLabels(), mapped, geometry.leaves(), layout.labelsPerBlock());
  }

  /** A tree: that of the data, then those of the position map. */
  PathTree tree(int number) {
    return trees[number];
  }

  @Override
  public int access(Transfer transfer) throws IOException {
    for (int i = 0; i < transfer.blocks(); i++) {
      int address = transfer.block() + i;
      trees[0].access(address, (array, offset) -> transfer.move(address, array, offset));
    }
    return transfer.blocks();
  }

  @Override
  public void completePending() throws IOException {
    for (int tree = trees.length - 1; tree >= 0; tree--) {
      trees[tree].completePending();
    }
  }

  @Override
  public void syncBuckets() throws IOException {
    context.store().sync();
  }

  @Override
  public boolean isPending() {
    return Arrays.stream(trees).anyMatch(PathTree::isPending);
  }

  @Override
  public VerifyReport audit(VerifyProgress progress) throws IOException {
    requireWhole("verify");
    return new PathAudit(trees, clientMap, context.firstLabels(), trees[0].descriptor(), progress)
        .run();
  }

  private void requireWhole(String what) {
    if (isPending()) {
      throw new IllegalStateException(
          "the last access failed and may have torn a path; make one that succeeds, then " + what);
    }
  }

  @Override
  public void scan(BlockSink sink) throws IOException {
    requireWhole("scan");
    new PathScan(trees[0], trees[0].stash(), (address, label) -> true, sink).run();
  }

  @Override
  public long scanBytes() {
    return PathWalk.bytes(trees[0]);
  }

  /** Every path is read and written. */
  @Override
  public long accessBytes(int blocks) {
    long bytes = 0;
    for (PathTree tree : trees) {
      int levels = tree.geometry().height() + 1 - tree.geometry().treetopLevels();
      bytes += 2L * levels * tree.descriptor().sealedBytes();
    }
    return blocks * bytes;
  }

  /** Position map blocks need no load: labels that were never given are pseudorandom. */
  @Override
  public void load(SeekableByteChannel source, long memoryBytes, LongConsumer progressBytes)
      throws IOException {
    new BulkLoader(source, memoryBytes, trees[0].descriptor(), progressBytes)
        .loadAll(List.of(trees[0]));
  }

  @Override
  public void undoLoad() {
    trees[0].reset();
    workspace.requireNewEpoch();
  }

  @Override
  public void checkRoom() {
    for (int tree = 0; tree < trees.length; tree++) {
      StashLimit.check(
          context.config(), tree, trees[tree].stashBlocks(), parameters.stashLimitBlocks());
    }
  }

  @Override
  public List<OramStats.TreeStats> treeStats() {
    List<OramStats.TreeStats> stats = new ArrayList<>();
    for (PathTree tree : trees) {
      TreeGeometry geometry = tree.geometry();
      stats.add(
          new OramStats.TreeStats(
              1,
              geometry.height(),
              geometry.treetopLevels(),
              tree.versions(),
              tree.stash().size(),
              tree.stashBlocks(),
              tree.stashMaxBlocks(),
              0,
              geometry.tree() > 0,
              geometry.tree() == trees.length - 1 ? clientMap.heldBytes() : 0));
    }
    return stats;
  }

  @Override
  public ClientMemory heldMemory() {
    return PathMemory.held(trees, clientMap, workspace);
  }

  @Override
  public void copyState(StateCopy state) throws IOException {
    PathTree mapped = trees[trees.length - 1];
    state.add(clientMap.startCopy(mapped.versions()));
    for (PathTree tree : trees) {
      tree.copyTo(state, mostHeld(tree.geometry()));
    }
  }

  /** The most blocks that a client holds of a tree: treetop, stash, and those of an access. */
  private int mostHeld(TreeGeometry geometry) {
    int path = geometry.slots() * (geometry.height() + 1);
    int held =
        geometry.treetopBlocks()
            + parameters.stashLimitBlocks()
            + parameters.maxRangeBlocks()
            + path;
    return Math.min(geometry.ranges(), held);
  }

  @Override
  public void readState(DataInput in) throws IOException {
    clientMap.readFrom(in);
    for (PathTree tree : trees) {
      tree.readFrom(in);
    }
  }

  @Override
  public void wipe() {
    for (PathTree tree : trees) {
      tree.stash().wipe();
    }
    workspace.wipe();
  }
}
