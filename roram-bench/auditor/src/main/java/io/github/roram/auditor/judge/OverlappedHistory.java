package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.StoreMap.Level;
import io.github.roram.auditor.judge.StoreMap.Tree;
import io.github.roram.store.IoPhase;
import java.util.ArrayList;
import java.util.List;

/**
 * As {@link StoreHistory}, of accesses that overlap: a read takes the buckets as they were before
 * any of the chunks that are under way, so its places tell writers up to that many evictions back.
 */
final class OverlappedHistory {

  /** Of a tree with fewer leaves a chunk may write a leaf twice. */
  private static final int LEAST_LEAVES = 32;

  private final StoreMap map;
  private final ShownPaths paths;

  /** Of each tree, the evictions whose leaves were asked to be written. */
  private final long[] evictions;

  private OverlappedHistory(StoreMap map) {
    this.map = map;
    paths = new ShownPaths(map);
    evictions = map.trees().stream().mapToLong(tree -> 2L * tree.leaves()).toArray();
  }

  /**
   * The steps of a run on a store that was loaded, a request each.
   *
   * @param asked all requests, by their numbers from 1
   */
  static List<Step> of(StoreMap map, List<Request> requests, List<Asked> asked) {
    OverlappedHistory history = new OverlappedHistory(map);
    List<Step> steps = new ArrayList<>();
    for (Request request : requests) {
      IoPhase phase = asked.get((int) request.number() - 1).phase();
      steps.add(history.step(request, phase));
    }
    return steps;
  }

  private Step step(Request request, IoPhase phase) {
    Level first = map.levelAt(request.extents().get(0).offset());
    long[] buckets = first == null ? null : map.buckets(request);
    if (first == null || buckets == null) {
      return Step.of(request, Step.Kind.UNEXPLAINED, -1);
    }
    Tree tree = map.trees().get(first.tree());
    if (phase == IoPhase.READ) {
      long behind = map.isClassic() ? 0 : map.slack();
      Shown shown =
          tree.leaves() < LEAST_LEAVES
              ? null
              : paths.of(tree, buckets, evictions[tree.number()], behind);
      return new Step(request, Step.Kind.PATHS, tree.number(), 0, 0, shown);
    }
    if (phase != IoPhase.EVICT_WRITE) {
      return Step.of(request, Step.Kind.EVICTION_READ, tree.number());
    }
    for (long offset : buckets) {
      Level level = map.levelAt(offset);
      if (level != null && level.level() == tree.height()) {
        // Of all evictions that write this place it is the one next to the others.
        long near = evictions[tree.number()] + level.places() / 2;
        long last = StoreMap.writer(level, map.place(level, offset), near);
        evictions[tree.number()] = Math.max(evictions[tree.number()], last + 1);
      }
    }
    return Step.of(request, Step.Kind.EVICTION_WRITE, tree.number());
  }
}
