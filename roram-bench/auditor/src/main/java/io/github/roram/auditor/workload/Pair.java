package io.github.roram.auditor.workload;

import io.github.roram.Adversary;
import io.github.roram.Durability;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import java.util.Optional;

/**
 * Two workloads that must look alike to every observer.
 *
 * @param name on the command line and in reports
 * @param about what differs between the two and must not show: half a sentence that starts with
 *     whether, what, where or how
 * @param left one of them
 * @param right the other
 * @param countsWrites whether one of them writes more than the other: schemes that hide writes
 *     alone show how many there are
 * @param scope the ways on which it must look alike
 */
public record Pair(
    String name, String about, Workload left, Workload right, boolean countsWrites, Scope scope) {

  /** The ways to an ORAM for which a pair is. */
  public enum Scope {
    /** All. */
    ANY,
    /** Calls of the library alone: a device shows the difference, and says so. */
    CALLS,
    /** Devices alone. */
    DEVICES,
    /** Paging alone: its faults are as many on both sides. */
    PAGES,
    /** Calls of the library, before who sees writes alone. */
    SNAPSHOTS
  }

  /** Why this pair cannot be run so, in a sentence; empty if it can. */
  public Optional<String> objection(RunSettings settings) {
    Optional<String> way = objectionToWay(settings);
    return way.isPresent() ? way : objectionToScheme(settings);
  }

  /**
   * Whether all that is seen of the two sides must be equal: nothing is left to a distinguisher.
   */
  public boolean isExact() {
    return name.equals(Pairs.BULK);
  }

  private Optional<String> objectionToWay(RunSettings settings) {
    boolean device = settings.way().isDevice();
    if ((scope == Scope.PAGES) != settings.way().isPaging()) {
      return Optional.of(
          scope == Scope.PAGES
              ? name + " is for paging: give --through paging"
              : name + " is not for paging: how many faults there are is no secret there");
    }
    if (scope == Scope.SNAPSHOTS && !(settings.way() instanceof DirectWay)) {
      return Optional.of(name + " is of calls of the library: leave --through out");
    }
    if (scope == Scope.CALLS && device) {
      return Optional.of(
          name + " shows at a device: whether requests are aligned is no secret there");
    }
    if (scope == Scope.DEVICES && !device) {
      return Optional.of(name + " is for block devices: give --through nbd");
    }
    return name.equals(Pairs.TRIMS) && !settings.config().has(Scheme.Trait.TRIMS)
        ? Optional.of(
            name + " needs trims, which scheme " + settings.config().scheme() + " has not")
        : Optional.empty();
  }

  private Optional<String> objectionToScheme(RunSettings settings) {
    OramConfig config = settings.config();
    boolean snapshots = config.parameters().adversary() == Adversary.SNAPSHOTS;
    if (snapshots && settings.isProvoked()) {
      return Optional.of(name + " of who sees snapshots: he cannot fail requests, nor tamper");
    }
    if (countsWrites && config.has(Scheme.Trait.HIDES_WRITES_ALONE) && snapshots) {
      return Optional.of(
          name
              + " writes more on one side: scheme "
              + config.scheme()
              + " shows how much is written");
    }
    if ((left.dies() || right.dies()) && settings.isProvoked()) {
      return Optional.of(
          name + " is of clients that are killed: an active store makes it too much");
    }
    Durability durability = settings.options().durability();
    return (left.dies() || right.dies()) && durability == Durability.NONE
        ? Optional.of(
            name + " needs durability os, flush or sync: with none, nothing is left after a crash")
        : Optional.empty();
  }
}
