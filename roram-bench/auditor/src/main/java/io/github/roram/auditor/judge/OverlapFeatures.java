package io.github.roram.auditor.judge;

import io.github.roram.store.IoPhase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a distinguisher is given of accesses that overlap: a vector for each read of paths. How many
 * extents it has, where its deepest buckets are, what it has in common with those before, what else
 * came meanwhile and how much was under way.
 */
final class OverlapFeatures {

  /** How many requests before are compared with one. */
  private static final int BEFORE = 12;

  /** Of a request: its deepest extents by where they are. */
  private static final int DEEPEST = 4;

  private static final int FIXED = 4;

  private OverlapFeatures() {}

  static List<double[]> of(List<Asked> asked) {
    List<double[]> vectors = new ArrayList<>();
    List<Set<Long>> before = new ArrayList<>();
    int others = 0;
    for (Asked next : asked) {
      if (next.phase() != IoPhase.READ) {
        others++;
        continue;
      }
      vectors.add(vector(next, before, others));
      Set<Long> offsets = new HashSet<>();
      next.extents().forEach(extent -> offsets.add(extent.offset()));
      before.add(offsets);
      others = 0;
    }
    return vectors;
  }

  private static double[] vector(Asked of, List<Set<Long>> before, int others) {
    double[] vector = new double[FIXED + DEEPEST + BEFORE];
    List<Asked.Extent> extents = of.extents();
    vector[0] = of.tree();
    vector[1] = extents.size();
    vector[2] = of.waiting();
    vector[3] = others;
    for (int i = 0; i < Math.min(DEEPEST, extents.size()); i++) {
      vector[FIXED + i] = extents.get(extents.size() - 1 - i).offset();
    }
    for (int back = 1; back <= Math.min(BEFORE, before.size()); back++) {
      Set<Long> earlier = before.get(before.size() - back);
      vector[FIXED + DEEPEST + back - 1] =
          extents.stream().filter(extent -> earlier.contains(extent.offset())).count();
    }
    return vector;
  }
}
