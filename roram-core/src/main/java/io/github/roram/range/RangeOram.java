package io.github.roram.range;

import io.github.roram.engine.OramContext;
import io.github.roram.tree.RangeTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * rORAM (NDSS 2019, §V, Algorithm 3): a tree R_i for every size class, each with a copy of all
 * blocks.
 *
 * <p>An access of r blocks reads two aligned ranges of the smallest class that holds r, gives them
 * fresh labels in that tree, and puts the written blocks into the stashes of the other trees under
 * the labels that they have there (§IV-D). Two ranges always hold the r blocks; the second wraps to
 * the first of the address space.
 *
 * <p>Departures (construction, sections 2.1 and 2.2): blocks that were only read do not enter the
 * other trees, since a local position map needs no tags in them; those trees owe 2^i evictions
 * instead of 2·2^i, since no more than 2^i blocks are written (preset paper: 2·2^i).
 *
 * <h2>Security</h2>
 *
 * The store sees the class of each access; two runs of 2^i labels whose starts are uniform and
 * never shown before; and evictions that follow counters which the classes alone drive. With a
 * write share below 1 the other trees owe that share only, and evict for a full backlog besides,
 * which shows that more was written: see {@link io.github.roram.eviction.EvictionSchedule}.
 */
public final class RangeOram extends TreeOram {

  private final SizeClasses classes;

  /** An rORAM of these parts. */
  public RangeOram(OramContext context, StoreLayout layout) {
    super(context, layout);
    classes = new SizeClasses(context.config().sizeClasses());
  }

  @Override
  protected int access(
      int block, int count, @Nullable ByteBuffer source, @Nullable ByteBuffer target)
      throws IOException {
    int sizeClass = classes.of(count);
    RangeTree tree = trees[sizeClass];
    int ranges = tree.geometry().ranges();
    int first = block >>> classes.exponent(sizeClass);
    readRanges(sizeClass, first, ranges == 1 ? -1 : (first + 1) % ranges);
    if (target != null) {
      copyOut(tree, block, count, target);
    }
    if (source != null) {
      writeToAll(block, count, source);
      noteWritten(sizeClass, count);
    }
    recordAccess(sizeClass, block, source != null ? count : 0);
    payEvictions();
    return 1;
  }

  private void writeToAll(int block, int count, ByteBuffer source) {
    int start = source.position();
    for (RangeTree tree : trees) {
      source.position(start);
      for (int address = block; address < block + count; address++) {
        copyIn(tree, address, source);
      }
    }
  }

  @Override
  protected void owe(int tree) {
    int range = trees[tree].geometry().rangeBlocks();
    for (int other = 0; other < trees.length; other++) {
      if (other == tree || config().fullDebt()) {
        trees[other].schedule().owe(2L * range);
      } else {
        trees[other].schedule().oweShare(range);
      }
    }
  }
}
