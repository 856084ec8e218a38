package io.github.roram.range;

import io.github.roram.ObjectCost;
import io.github.roram.OramConfig;
import io.github.roram.tree.TreeGeometry;

/**
 * How many objects accesses of a scheme on the tree engine read and write, from its parameters
 * alone: an object holds what K evictions, a chunk, wrote at a level.
 */
final class ObjectCosts extends AccessCosts<ObjectCost> {

  /** Of this configuration. */
  ObjectCosts(OramConfig config) {
    super(config);
  }

  /** A read of several runs of so many consecutive labels: buckets that lie together in objects. */
  @Override
  ObjectCost read(int tree, int runs, int count) {
    TreeGeometry geometry = layout.geometry(tree);
    int together = layout.chunkPaths(parameters, tree);
    double gets = 0;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      Met met = Met.of(geometry, level, runs, count);
      // One joint of a level is where the counter stands; others are where an object ends.
      double ends = together < met.width() ? 1.0 / together : 0;
      gets += met.pieces() + met.joints() * (1 / met.width() + ends);
    }
    return new ObjectCost(gets, 0);
  }

  /** The evictions for so many blocks: a chunk reads and writes an object of each stored level. */
  @Override
  ObjectCost evictions(int tree, double owed) {
    TreeGeometry geometry = layout.geometry(tree);
    int levels = geometry.height() + 1 - geometry.treetopLevels();
    double chunks = owed / parameters.evictionRate() / layout.chunkPaths(parameters, tree);
    return new ObjectCost(chunks * levels, chunks * levels);
  }

  @Override
  ObjectCost plus(ObjectCost one, ObjectCost other) {
    return one.plus(other);
  }

  @Override
  ObjectCost times(ObjectCost cost, double factor) {
    return cost.times(factor);
  }
}
