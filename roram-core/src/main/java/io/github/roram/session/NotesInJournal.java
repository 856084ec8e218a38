package io.github.roram.session;

import io.github.roram.engine.EngineNotes;
import io.github.roram.engine.Journalled;
import io.github.roram.engine.Noting;
import io.github.roram.journal.Journal;
import io.github.roram.journal.JournalReplay;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A journal that holds nothing but the notes of an engine. */
record NotesInJournal(Noting engine) implements Journalled {

  @Override
  public void startJournal(@Nullable Journal journal) {
    engine.startNotes(journal == null ? null : new Notes(journal));
  }

  private record Notes(Journal journal) implements EngineNotes {

    @Override
    public void append(byte[] note, int bytes) throws IOException {
      journal.note(note, bytes);
    }

    @Override
    public void sync() throws IOException {
      journal.sync();
    }
  }

  @Override
  public boolean owesCommits() {
    return false;
  }

  @Override
  public boolean recordsAhead() {
    return true;
  }

  @Override
  public void stored() throws IOException {
    engine.stored();
  }

  @Override
  public void replayed() throws IOException {
    engine.replayed();
  }

  @Override
  public JournalReplay replay() {
    return engine::replay;
  }
}
