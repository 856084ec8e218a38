package io.github.roram.engine;

import io.github.roram.journal.Journal;
import io.github.roram.journal.JournalReplay;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An engine that records in a journal what it does, so that a crash loses nothing. The journal is
 * that of the tree engine; schemes of other modules note in it by {@link Noting}.
 */
@SuppressWarnings("exports")
public interface Journalled {

  /**
   * Keeps this journal from now on, or none. The state as it is now is saved, or is what the
   * journal before it says.
   */
  void startJournal(@Nullable Journal newJournal);

  /** Whether something was written to the store that is not committed to the journal. */
  boolean owesCommits();

  /** Does what a journal says was done. */
  JournalReplay replay();

  /** After the last record of a journal was replayed; may read the store. */
  default void replayed() throws IOException {}

  /**
   * Whether records may be durable before what they are of is on the store for good, with {@link
   * io.github.roram.Durability#FLUSH}.
   */
  default boolean recordsAhead() {
    return false;
  }

  /** All that was recorded is on the store for good: it may be recorded that it is. */
  default void stored() throws IOException {}
}
