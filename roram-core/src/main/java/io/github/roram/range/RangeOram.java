package io.github.roram.range;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Transfer;
import io.github.roram.journal.Intent;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TreeGeometry;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * rORAM (NDSS 2019, §V, Algorithm 3): trees for several range sizes, each with a copy of all
 * blocks. The loop of an access is that of {@link TreeOram}; its steps are here.
 *
 * <p>An access of r blocks reads the aligned ranges that r consecutive blocks can lie in, of the
 * tree that serves the smallest class that holds r ({@link SizeClasses}); gives them fresh labels
 * in that tree; and puts the written blocks into the stashes of the other trees under the labels
 * that they have there (§IV-D). The number of ranges follows from the class; those beyond the end
 * of the address space are the first ones.
 *
 * <p>Departures (construction, sections 2.1 and 2.2): blocks that were only read do not enter the
 * other trees, since a local position map needs no tags in them; those trees owe 2^i evictions
 * instead of 2·2^i, since no more than 2^i blocks are written. Not every class needs a tree, and a
 * single block has no second range. Preset paper departs in nothing of this.
 *
 * <p>Scattered blocks of a program are read by the ranges that they lie in, as many as a class
 * reads anyway: those beyond are random runs, read for nothing.
 *
 * <h2>Security</h2>
 *
 * The store sees the class of each access; runs of labels, as many and as long as the class says,
 * whose starts are uniform and never shown before; and evictions that follow counters which the
 * classes alone drive. With a write share below 1 the other trees owe that share only, and evict
 * for a full backlog besides, which shows that more was written: see {@link
 * io.github.roram.eviction.EvictionSchedule}. With the operation type revealed it sees which
 * accesses write besides, by the evictions of the other trees ({@link OtherTreesDebt}), and no
 * more.
 */
public final class RangeOram extends TreeOram {

  private final SizeClasses classes;
  private final OtherTreesDebt beside;

  /** Creates an rORAM from its parts. */
  RangeOram(OramContext context, StoreLayout layout, @Nullable TreeOram smaller) {
    this(context, layout, new SizeClasses(TreeParameters.of(context.config())), smaller);
  }

  private RangeOram(
      OramContext context, StoreLayout layout, SizeClasses classes, @Nullable TreeOram smaller) {
    super(context, layout, classes.mostRanges(), smaller);
    this.classes = classes;
    beside = new OtherTreesDebt(parameters);
  }

  @Override
  TreeOram of(OramContext other, StoreLayout otherLayout, @Nullable TreeOram smaller) {
    return new RangeOram(other, otherLayout, smaller);
  }

  @Override
  int reads(Transfer transfer) {
    return 1;
  }

  @Override
  Intent begin(Transfer transfer, int read) throws IOException {
    int sizeClass = classes.of(transfer.shownBlocks());
    int tree = classes.tree(sizeClass);
    int count = classes.ranges(sizeClass);
    boolean shownToWrite = parameters.revealsOperationType() && transfer.writes();
    TreeGeometry geometry = trees[tree].geometry();
    return begin(
        tree,
        shownToWrite,
        transfer.hasProgram()
            ? scattered(geometry, transfer, count)
            : ranges(geometry, transfer.block(), count));
  }

  @Override
  void carryOut(Transfer transfer, int read, Intent intent, IntArrayList arrivals)
      throws IOException {
    int tree = intent.tree();
    move(transfer, trees[tree], 0, transfer.blocks());
    int[] written = transfer.written();
    for (RangeTree other : trees) {
      if (other != trees[tree]) {
        copy(trees[tree], other, written);
        other.schedule().writtenBeside(written.length);
      }
    }
    recordAccess(intent, arrivals, written);
  }

  /**
   * Puts written blocks, whole, into the stash of another tree under the labels it has for them.
   */
  private static void copy(RangeTree from, RangeTree to, int[] written) {
    for (int address : written) {
      int slot = from.stash().find(address);
      to.stash()
          .put(address, to.label(address), from.stash().array(slot), from.stash().offset(slot));
    }
  }

  /**
   * Returns consecutive ranges starting with that of a block; beyond the last range, random paths.
   */
  private int[] ranges(TreeGeometry geometry, int block, int count) {
    int all = geometry.ranges();
    int first = block >>> geometry.rangeExponent();
    // Consecutive ranges have their labels together; a map that is looked up has them end there.
    int end = parameters.mapForm().isRecursive() ? all - first : all;
    int[] ranges = new int[count];
    Arrays.setAll(ranges, i -> i < end ? (first + i) % all : -1);
    return ranges;
  }

  /**
   * Returns the most scattered blocks of an access. A class of single-block ranges reads as many as
   * it has, which may be anywhere; a class of longer ranges reads only the few that its blocks can
   * touch.
   */
  @Override
  int mostScattered(int shownBlocks) {
    return classes.ranges(classes.of(shownBlocks));
  }

  @Override
  int treeOf(int shownBlocks) {
    return classes.tree(classes.of(shownBlocks));
  }

  @Override
  public long accessBytes(int blocks) {
    return (long) costs.ofRange(blocks, false).access().bytes();
  }

  @Override
  protected void owe(Intent intent) {
    int tree = intent.tree();
    int ranges = intent.ranges().length;
    long read = (long) ranges * trees[tree].geometry().rangeBlocks();
    trees[tree].schedule().owe(read);
    beside.owe(trees, tree, classes.blocks(tree, ranges), read, intent.writes());
  }
}
