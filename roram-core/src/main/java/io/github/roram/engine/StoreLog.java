package io.github.roram.engine;

import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.StoreParts;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A part of a store that is a log in a ring: unit t, once written, is at place t mod {@code places}
 * until unit t + places is. What is current follows from counters, so between two of them what
 * changed is one run.
 *
 * @param name of this log among those of the store: letters, digits and hyphens
 * @param offset byte of the store where the ring begins
 * @param places units that the ring has room for
 * @param unitBytes bytes of a unit, which is sealed as a whole
 * @param first the oldest unit that is needed
 * @param end the first one that was not written yet
 * @param spans which key epochs sealed the units from {@code first} on, in their order
 */
public record StoreLog(
    String name, long offset, long places, int unitBytes, long first, long end, List<Span> spans) {

  /** Copies the list. */
  public StoreLog {
    spans = List.copyOf(spans);
  }

  /**
   * Units that one key epoch sealed.
   *
   * @param first the first of them that is needed
   * @param end behind the last one
   * @param epoch number of the key epoch
   */
  public record Span(long first, long end, int epoch) {}

  /** How a store with these logs is arranged, as its ORAM arranges it: each log is a level. */
  public static StoreParts parts(List<StoreLog> logs) {
    SortedMap<Integer, List<Long>> trees = new TreeMap<>();
    for (StoreLog log : logs) {
      trees.computeIfAbsent(log.tree(), first -> new ArrayList<>()).add(log.offset);
    }
    List<List<Long>> all = new ArrayList<>();
    for (int tree = 0; tree <= (trees.isEmpty() ? -1 : trees.lastKey()); tree++) {
      all.add(trees.getOrDefault(tree, List.of()).stream().sorted().toList());
    }
    return new StoreParts(all);
  }

  /** Number of its tree; 0 where the name has none, since there is one. */
  private int tree() {
    return name.startsWith("t") ? Integer.parseInt(name.substring(1, name.indexOf('-'))) : 0;
  }

  /** Where the units from {@code from} to {@code to} lie, in their order. */
  public ExtentBatch extents(long from, long to) {
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.META, ExtentBatch.NO_TREE, unitBytes);
    long next = from;
    while (next < to) {
      long place = next % places;
      int count = (int) Math.min(to - next, places - place);
      batch.add(offset + place * unitBytes, count);
      next += count;
    }
    return batch;
  }
}
