package io.github.roram.auditor;

import io.github.roram.auditor.judge.Seen;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Where an audit gets its views from: makes one run of a side of a pair of workloads. */
public interface Runs {

  /** A side of a pair. */
  enum Side {
    /** The first workload. */
    A,
    /** The second one. */
    B
  }

  /** Names of all pairs that there are, also of those that cannot be run here. */
  List<String> names();

  /** What must not show in a pair: half a sentence. */
  String about(String pair);

  /** Why a pair cannot be run here, in a sentence; empty if it can. */
  Optional<String> objection(String pair);

  /** Whether all that is seen of the two sides of a pair must be equal, chance or not. */
  boolean isExact(String pair);

  /** What was audited, as it was opened, a line each; asked for once the runs are made. */
  List<String> subject();

  /**
   * Makes a run on a new store.
   *
   * @param seed what the run may choose follows from it; both sides of a pair declare the same size
   *     classes under the same seed
   * @param accesses how many it has
   * @throws IOException if the store fails
   */
  Seen run(String pair, Side side, long seed, int accesses) throws IOException;
}
