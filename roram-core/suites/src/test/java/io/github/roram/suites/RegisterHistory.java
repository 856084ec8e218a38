package io.github.roram.suites;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A history of reads and writes of one register by several threads, and whether it is linearizable
 * (Gibbons and Korach, Testing shared memories, 1997, section 4: every value is written once).
 *
 * <p>The write of a value and its reads are a cluster, which stand together in any order that
 * explains the history. Let f be the earliest end of one of them, and s the latest beginning. If f
 * is before s, the cluster must cover the time from f to s; otherwise it must find a moment between
 * s and f. So the history is linearizable if and only if no value is read before its write begins,
 * no two of the times to be covered overlap, and no choice of a moment lies within one.
 *
 * <p>Not thread safe: each thread keeps its operations, which are added when it is done.
 */
final class RegisterHistory {

  /** The value that the register has before all writes. */
  static final long FIRST = 0;

  /** Times of a cluster. */
  private static final class Cluster {
    private long writeBegins = Long.MAX_VALUE;
    private long firstReadEnds = Long.MAX_VALUE;
    private long firstEnd = Long.MAX_VALUE;
    private long lastBegin = Long.MIN_VALUE;

    private void add(long begins, long ends) {
      firstEnd = Math.min(firstEnd, ends);
      lastBegin = Math.max(lastBegin, begins);
    }
  }

  private final Map<Long, Cluster> clusters = new HashMap<>();

  RegisterHistory() {
    wrote(FIRST, Long.MIN_VALUE, Long.MIN_VALUE);
  }

  private Cluster cluster(long value) {
    return clusters.computeIfAbsent(value, key -> new Cluster());
  }

  /** A value was written, by a call that began and ended then. */
  void wrote(long value, long begins, long ends) {
    Cluster cluster = cluster(value);
    cluster.writeBegins = begins;
    cluster.add(begins, ends);
  }

  /** A value was read. */
  void read(long value, long begins, long ends) {
    Cluster cluster = cluster(value);
    cluster.firstReadEnds = Math.min(cluster.firstReadEnds, ends);
    cluster.add(begins, ends);
  }

  /** Whether one order of the operations explains what was read. */
  boolean isLinearizable() {
    List<Cluster> covering = new ArrayList<>();
    for (Cluster cluster : clusters.values()) {
      if (cluster.writeBegins == Long.MAX_VALUE || cluster.firstReadEnds < cluster.writeBegins) {
        return false;
      }
      if (cluster.firstEnd < cluster.lastBegin) {
        covering.add(cluster);
      }
    }
    covering.sort(Comparator.comparingLong(cluster -> cluster.firstEnd));
    for (int i = 1; i < covering.size(); i++) {
      if (covering.get(i).firstEnd < covering.get(i - 1).lastBegin) {
        return false;
      }
    }
    return clusters.values().stream().noneMatch(cluster -> isWithinOne(cluster, covering));
  }

  /** Whether all moments that a cluster has to choose from are covered by another. */
  private static boolean isWithinOne(Cluster cluster, List<Cluster> covering) {
    if (cluster.firstEnd < cluster.lastBegin) {
      return false;
    }
    int from = 0;
    int to = covering.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (covering.get(middle).lastBegin < cluster.firstEnd) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from < covering.size() && covering.get(from).firstEnd < cluster.lastBegin;
  }
}
