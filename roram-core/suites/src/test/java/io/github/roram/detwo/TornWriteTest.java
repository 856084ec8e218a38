package io.github.roram.detwo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.OpenOptions;
import io.github.roram.engine.EngineNotes;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A write that is in the table and, for lack of memory, not in the journal is the last. */
final class TornWriteTest {

  @ParameterizedTest
  @ValueSource(strings = {"plain", "eager-parallel"})
  void whatWasAcknowledgedIsThere(String form) throws IOException {
    try (Subject subject =
        new Subject(Subject.builder(64).set("form", form).build(), OpenOptions.defaults())) {
      subject.write(1, block(7));
      lackMemory(subject, 0);
      assertThatThrownBy(() -> subject.write(2, block(8))).isInstanceOf(OutOfMemoryError.class);
      assertThatThrownBy(() -> subject.write(3, block(8))).hasMessageContaining("open it again");
      assertThatThrownBy(() -> subject.read(2)).hasMessageContaining("open it again");
      assertThatThrownBy(subject.oram()::close).hasMessageContaining("open it again");
      subject.dropAndReopen();
      assertThat(subject.read(1)).isEqualTo(block(7));
      assertThat(subject.read(2)).isEqualTo(block(0));
      subject.write(3, block(9));
      assertThat(subject.read(3)).isEqualTo(block(9));
    }
  }

  /** Its note is appended before the next one. */
  @Test
  void aWriteWhoseNoteIsQueuedIsNotTorn() throws IOException {
    try (Subject subject = new Subject(Subject.builder(64).build(), OpenOptions.defaults())) {
      subject.write(1, block(7));
      lackMemory(subject, 1);
      assertThatThrownBy(() -> subject.write(2, block(8))).isInstanceOf(OutOfMemoryError.class);
      subject.write(3, block(9));
      assertThat(subject.read(2)).isEqualTo(block(8));
      assertThat(subject.engine().whole().isTorn()).isFalse();
    }
  }

  private static void lackMemory(Subject subject, int queued) {
    LackingMemory notes = new LackingMemory(queued);
    subject.engine().startNotes(notes);
    subject.engine().whole().startRecords(() -> notes.count);
  }

  private static byte[] block(int content) {
    byte[] block = new byte[Subject.BLOCK_BYTES];
    block[0] = (byte) content;
    return block;
  }

  /** Memory is short once, when so many notes are queued. */
  private static final class LackingMemory implements EngineNotes {
    private final int queued;
    private long count;
    private boolean wasShort;

    LackingMemory(int queued) {
      this.queued = queued;
    }

    @Override
    public void append(byte[] note, int bytes) {
      count += wasShort ? 1 : queued;
      if (!wasShort) {
        wasShort = true;
        throw new OutOfMemoryError("injected");
      }
    }

    @Override
    public void sync() {}
  }
}
