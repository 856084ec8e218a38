package io.github.roram.session;

import io.github.roram.IntegrityException;
import io.github.roram.engine.EngineNotes;
import io.github.roram.engine.Journalled;
import io.github.roram.engine.Noting;
import io.github.roram.journal.Intent;
import io.github.roram.journal.Journal;
import io.github.roram.journal.JournalReplay;
import java.io.DataInput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A journal that holds nothing but the notes of an engine. */
final class NotesInJournal implements Journalled {

  private final Noting engine;

  NotesInJournal(Noting engine) {
    this.engine = engine;
  }

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
    return new NotesAlone();
  }

  /** Refuses the records of trees. */
  private final class NotesAlone implements JournalReplay {

    @Override
    public boolean note(DataInput note) throws IOException {
      return engine.replay(note);
    }

    @Override
    public void intent(Intent intent) {
      throw refused();
    }

    @Override
    public void complete(long number, int tree) {
      throw refused();
    }

    @Override
    public void arrived(int tree, int address, DataInput data) {
      throw refused();
    }

    @Override
    public void written(int address, DataInput data) {
      throw refused();
    }

    @Override
    public void evicted(int tree, int paths, int epoch) {
      throw refused();
    }

    @Override
    public void left(int tree, int address) {
      throw refused();
    }

    private IntegrityException refused() {
      return new IntegrityException(
          "the journal has records of trees, and the scheme has none; restore it from a copy");
    }
  }
}
