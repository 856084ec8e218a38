package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;
import java.util.List;

/** Compares runs of two sides that must look alike: run i of one with run i of the other. */
interface PairCheck {

  /** Whose view it judges. */
  Observer observer();

  /** What it checks, in a few words. */
  String name();

  /** Compares two sides of as many runs, of the same sequences of size classes. */
  Outcome compare(List<Seen> sideA, List<Seen> sideB);
}
