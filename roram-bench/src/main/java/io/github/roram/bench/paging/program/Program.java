package io.github.roram.bench.paging.program;

import io.github.roram.paging.Memory;

/**
 * A program whose data lie in a memory. It does the same on any memory: what it computes, and the
 * addresses that it accesses, follow from its parameters alone.
 */
public interface Program {

  /** Name in files and charts. */
  String id();

  /** What it does, and its parameters: two programs with the same description are the same. */
  String description();

  /** Memory that it needs. */
  long bytes();

  /**
   * Puts its input into an empty memory.
   *
   * @return the program, about to begin
   */
  Run start(Memory memory);

  /** A program at work. Not thread safe. */
  interface Run {

    /** Goes on for a moment; false if it has come to its end. */
    boolean step();

    /** A number that follows from all that was computed. */
    long result();
  }

  /** Runs to the end, and returns the result. */
  static long finish(Run run) {
    while (run.step()) {
      // On and on.
    }
    return run.result();
  }
}
