package io.github.roram.auditor.workload;

import io.github.roram.Durability;
import java.util.Optional;

/**
 * Two workloads that must look alike to every observer.
 *
 * @param name on the command line and in reports
 * @param about what differs between the two and must not show: half a sentence that starts with
 *     whether, what, where or how
 * @param left one of them
 * @param right the other
 */
public record Pair(String name, String about, Workload left, Workload right) {

  /** Why this pair cannot be run so, in a sentence; empty if it can. */
  public Optional<String> objection(RunSettings settings) {
    Durability durability = settings.options().durability();
    return (left.dies() || right.dies()) && durability == Durability.NONE
        ? Optional.of(
            name + " needs durability os, flush or sync: with none, nothing is left after a crash")
        : Optional.empty();
  }
}
