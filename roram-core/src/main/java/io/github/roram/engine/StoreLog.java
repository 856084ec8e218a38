package io.github.roram.engine;

import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.StoreParts;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A part of a store that is a log in a ring: unit t is at place t mod {@code places} until unit t +
 * places is written. Counters determine which units are current, so the units that change between
 * two moments are one run.
 *
 * @param name the log's name, unique in the store: letters, digits and hyphens
 * @param offset offset in the store where the ring begins, in bytes
 * @param places number of units that the ring has room for
 * @param unitBytes bytes of a unit, which is sealed as a whole
 * @param first the oldest unit that is needed
 * @param end the first unit that has not been written yet
 * @param spans the key epochs that sealed the units from {@code first} on, in order
 */
public record StoreLog(
    String name, long offset, long places, int unitBytes, long first, long end, List<Span> spans) {

  /** Copies the list. */
  public StoreLog {
    spans = List.copyOf(spans);
  }

  /**
   * A run of units that one key epoch sealed.
   *
   * @param first the first unit that is needed
   * @param end the unit after the last one
   * @param epoch number of the key epoch
   */
  public record Span(long first, long end, int epoch) {}

  /**
   * Returns the arrangement of a store with these logs, as its ORAM has it: each log is a level.
   */
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

  /** Returns the number of the log's tree; 0 if the name has none, since there is only one tree. */
  private int tree() {
    return name.startsWith("t") ? Integer.parseInt(name.substring(1, name.indexOf('-'))) : 0;
  }

  /** Returns the extents of the units from {@code from} to {@code to}, in order. */
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
