package io.github.roram.bench.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.IoPhase;
import java.util.List;
import java.util.Map;

/**
 * A finished point: one run of one contender at one place of one experiment.
 *
 * @param key identifies the point
 * @param queries number of counted requests
 * @param blocks blocks of these requests
 * @param seconds measured seconds within the ORAM; meaningful only if the disk was real
 * @param phases requests to the store
 * @param ownEvictionShare share of the evictions that the accessed tree owed
 * @param paddingBlocks blocks that trees were owed for because their backlog was full
 * @param stash the stash of each tree; empty except in the stash experiment
 * @param figures values of its experiment by name; those of a whole run, to be divided later
 */
public record Point(
    Key key,
    long queries,
    long blocks,
    double seconds,
    Map<IoPhase, IoCounts> phases,
    double ownEvictionShare,
    long paddingBlocks,
    List<StashTail> stash,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Double> figures) {

  /** Copies the figures; lines of earlier versions have none. */
  public Point {
    figures = figures == null ? Map.of() : Map.copyOf(figures);
  }

  /** Creates a point without values of its experiment. */
  public Point(
      Key key,
      long queries,
      long blocks,
      double seconds,
      Map<IoPhase, IoCounts> phases,
      double ownEvictionShare,
      long paddingBlocks,
      List<StashTail> stash) {
    this(key, queries, blocks, seconds, phases, ownEvictionShare, paddingBlocks, stash, Map.of());
  }

  /**
   * What a point is. Two points with the same key are the same point.
   *
   * @param experiment the experiment's id
   * @param scale the scale's id
   * @param real whether it ran on this machine's disk, with data
   * @param contender the contender's id, or a preset
   * @param x place on the axis, or a workload
   * @param run number of the run, from 0 on
   * @param config all parameters: a point of other parameters is another point
   * @param amount how much is counted, as far as it can be chosen
   */
  public record Key(
      String experiment,
      String scale,
      boolean real,
      String contender,
      String x,
      int run,
      String config,
      long amount) {}

  /**
   * The stash of a tree over a run.
   *
   * @param rangeBlocks 2^i of the tree
   * @param maxAt largest stash so far, after each tenth of the run
   * @param blocksAt block accesses at these moments
   * @param samples how often the stash had 0, 1, 2, … blocks after an access
   */
  public record StashTail(
      int rangeBlocks, List<Integer> maxAt, List<Long> blocksAt, List<Long> samples) {}

  /**
   * Returns a point with requests to the store, without evictions, padding and stash.
   *
   * @param seconds measured seconds; 0 if nothing is real
   */
  public static Point counted(
      Key key, long queries, long blocks, double seconds, Map<IoPhase, IoCounts> phases) {
    return new Point(key, queries, blocks, seconds, phases, 0, 0, List.of());
  }

  /** This point with figures of its experiment. */
  public Point withFigures(Map<String, Double> values) {
    return new Point(
        key, queries, blocks, seconds, phases, ownEvictionShare, paddingBlocks, stash, values);
  }

  /**
   * Returns a figure of its experiment.
   *
   * @throws IllegalArgumentException if it has none of that name
   */
  public double figure(String name) {
    Double value = figures.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the point " + key + " has no figure '" + name + "'");
    }
    return value;
  }

  /** Returns the sum of everything counted. */
  public IoCounts total() {
    return phases.values().stream().reduce(IoCounts.ZERO, IoCounts::plus);
  }

  /** Returns what was counted for a phase. */
  public IoCounts of(IoPhase phase) {
    return phases.getOrDefault(phase, IoCounts.ZERO);
  }
}
