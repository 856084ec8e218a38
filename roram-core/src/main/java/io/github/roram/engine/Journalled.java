package io.github.roram.engine;

import io.github.roram.journal.Journal;
import io.github.roram.journal.JournalReplay;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An engine that records its actions in a journal, so that a crash loses nothing. The journal is
 * that of the tree engine; schemes of other modules use {@link Noting}.
 */
@SuppressWarnings("exports")
public interface Journalled {

  /**
   * Records in this journal from now on, or in none if it is null. The present state is saved, or
   * follows from the previous journal.
   */
  void startJournal(@Nullable Journal newJournal);

  /** Returns whether something written to the store is not yet committed to the journal. */
  boolean owesCommits();

  /** Returns a replay, which repeats the actions in a journal. */
  JournalReplay replay();

  /** Called after the last record of a journal was replayed; may read the store. */
  default void replayed() throws IOException {}

  /**
   * Returns whether, with {@link io.github.roram.Durability#FLUSH}, records may be durable before
   * the writes that they describe.
   */
  default boolean recordsAhead() {
    return false;
  }

  /** Called when all recorded writes are durable; the engine may record this. */
  default void stored() throws IOException {}
}
