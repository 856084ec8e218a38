package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;

/**
 * Judges runs of one configuration by themselves, without another side, run by run, so that none
 * need be kept. Not thread safe.
 */
interface ViewCheck {

  /** Whose view it judges. */
  Observer observer();

  /** What it checks, in a few words. */
  String name();

  /** Adds a run. */
  void add(Seen run);

  /** What all runs so far come to. */
  Outcome outcome();
}
