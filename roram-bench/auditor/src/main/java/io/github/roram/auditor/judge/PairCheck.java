package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;

/**
 * Compares runs of two sides that must look alike, run by run, so that none need be kept. Not
 * thread safe.
 */
interface PairCheck {

  /** Whose view it judges. */
  Observer observer();

  /** What it checks, in a few words. */
  String name();

  /** Adds a run of each side, of the same sequence of size classes. */
  void add(Seen sideA, Seen sideB);

  /** What all runs so far come to. */
  Outcome outcome();
}
