package io.github.roram.engine;

import io.github.roram.journal.Journal;
import io.github.roram.journal.JournalReplay;
import org.jspecify.annotations.Nullable;

/**
 * An engine that records in a journal what it does, so that a crash loses nothing. The journal is
 * that of the tree engine, so only schemes of this module can keep one.
 */
@SuppressWarnings("exports")
public interface Journalled {

  /** Keeps this journal from now on, or none; the state as it is now is saved. */
  void startJournal(@Nullable Journal newJournal);

  /** Whether something was written to the store that is not committed to the journal. */
  boolean owesCommits();

  /** Does what a journal says was done. */
  JournalReplay replay();
}
