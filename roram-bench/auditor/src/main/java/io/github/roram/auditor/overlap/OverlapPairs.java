package io.github.roram.auditor.overlap;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pairs of workloads that must look alike while accesses overlap, by their names. */
final class OverlapPairs {

  record Pair(String about, OverlapWorkload left, OverlapWorkload right) {}

  private static final Map<String, Pair> ALL = all();

  private OverlapPairs() {}

  private static Map<String, Pair> all() {
    Map<String, Pair> all = new LinkedHashMap<>();
    all.put(
        "reads-writes",
        new Pair(
            "whether blocks are read or written", OverlapWorkload.READS, OverlapWorkload.WRITES));
    all.put(
        "same-distinct",
        new Pair(
            "whether accesses go to the block that others read or write meanwhile",
            OverlapWorkload.ONE_BLOCK,
            OverlapWorkload.SEQUENTIAL));
    all.put(
        "in-flight",
        new Pair(
            "whether a block is being accessed already",
            OverlapWorkload.IN_FLIGHT,
            OverlapWorkload.MIXED));
    all.put(
        "sequential-random",
        new Pair(
            "whether ranges follow one another",
            OverlapWorkload.SEQUENTIAL,
            OverlapWorkload.MIXED));
    all.put(
        "hot-cold",
        new Pair("how often a block is accessed", OverlapWorkload.HOT, OverlapWorkload.MIXED));
    return all;
  }

  /** The names of all. */
  static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  /** What must not show in a pair: half a sentence; empty if there is no such pair. */
  static Optional<String> about(String name) {
    return Optional.ofNullable(ALL.get(name)).map(Pair::about);
  }

  static Pair named(String name) {
    Pair pair = ALL.get(name);
    if (pair == null) {
      throw new IllegalArgumentException("there is no pair " + name + " of accesses that overlap");
    }
    return pair;
  }
}
