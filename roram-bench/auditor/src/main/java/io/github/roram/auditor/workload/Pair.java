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
 */
public record Pair(String name, String about, Workload left, Workload right, boolean countsWrites) {

  /** Why this pair cannot be run so, in a sentence; empty if it can. */
  public Optional<String> objection(RunSettings settings) {
    OramConfig config = settings.config();
    if (countsWrites
        && config.has(Scheme.Trait.HIDES_WRITES_ALONE)
        && config.parameters().adversary() == Adversary.SNAPSHOTS) {
      return Optional.of(
          name
              + " writes more on one side: scheme "
              + config.scheme()
              + " shows how much is written");
    }
    Durability durability = settings.options().durability();
    return (left.dies() || right.dies()) && durability == Durability.NONE
        ? Optional.of(
            name + " needs durability os, flush or sync: with none, nothing is left after a crash")
        : Optional.empty();
  }
}
