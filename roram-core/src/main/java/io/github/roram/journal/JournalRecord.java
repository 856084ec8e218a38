package io.github.roram.journal;

import io.github.roram.IntegrityException;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;

/**
 * The kinds of journal records (construction, section 6). Each record begins with its kind, one
 * byte; the fields that follow are in the descriptor of the kind. Numbers there are u32 unless
 * noted, an id has 16 bytes, a block is its address and its data.
 */
final class JournalRecord {

  /** Paths are about to be read: {@link IntentDescriptor}. */
  static final byte INTENT = 1;

  /** The oldest pending access is complete: {@link AccessDescriptor}. */
  static final byte ACCESS = 2;

  /** A chunk of evictions is durable on the store: {@link CommitDescriptor}. */
  static final byte COMMIT = 3;

  /** A generation begins: its first record, and no other. {@link StartDescriptor}. */
  static final byte START = 4;

  /** What an engine of another kind did, in its own words: {@link Journal#note}. */
  static final byte NOTE = 5;

  /** Blocks were trimmed, none as often as not: {@link TrimsDescriptor}. */
  static final byte TRIMS = 6;

  /** The store has more blocks from here on: {@link GrowDescriptor}. */
  static final byte GROW = 7;

  private JournalRecord() {}

  /** Decodes the first record of a generation. */
  static JournalStart readStart(DataInputStream record) throws IOException {
    try {
      byte kind = record.readByte();
      if (kind != START) {
        throw new IntegrityException("a journal begins with a record of kind " + kind);
      }
      return StartDescriptor.read(record);
    } catch (EOFException e) {
      throw tooShort(e);
    }
  }

  /**
   * Decodes any other record.
   *
   * @return its kind; of a note that is an access {@link #ACCESS}
   */
  static byte replay(DataInputStream record, JournalReplay replay) throws IOException {
    try {
      byte kind = record.readByte();
      switch (kind) {
        case INTENT -> replay.intent(IntentDescriptor.read(record, record.available()));
        case ACCESS -> AccessDescriptor.read(record, replay);
        case COMMIT -> CommitDescriptor.read(record, replay);
        case NOTE -> {
          return replay.note(record) ? ACCESS : NOTE;
        }
        case TRIMS -> TrimsDescriptor.read(record, replay);
        case GROW -> GrowDescriptor.read(record, replay);
        default ->
            throw new IntegrityException(
                "the journal has a record of kind " + kind + " where none may be");
      }
      return kind;
    } catch (EOFException e) {
      throw tooShort(e);
    }
  }

  private static IntegrityException tooShort(EOFException cause) {
    return new IntegrityException("a journal record ends too early", cause);
  }

  /** Reads a number of things, each of which takes so many of the bytes that follow it. */
  static int readCount(DataInputStream record, String things, int bytesEach) throws IOException {
    int count = record.readInt();
    if (count < 0 || count > record.available() / bytesEach) {
      throw new IntegrityException(
          "a journal record has "
              + record.available()
              + " bytes for "
              + count
              + " "
              + things
              + " of at least "
              + bytesEach
              + " bytes each");
    }
    return count;
  }
}
