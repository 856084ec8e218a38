package io.github.roram.journal;

import io.github.roram.IntegrityException;
import java.io.DataInput;
import java.io.IOException;

/**
 * Receives the records of a journal, in order, while an ORAM is opened after a crash. Throws an
 * {@link IntegrityException} for a record that does not fit what came before, or is of a kind that
 * this replay does not support.
 */
public interface JournalReplay {

  /** Runs of labels were about to be read; others may be pending. */
  default void intent(Intent intent) {
    throw ofTrees();
  }

  /**
   * Receives the labels that the next access to complete looked up on the store: the next bytes of
   * {@code data}. Does nothing if the client has the position map.
   */
  default void lookedUp(long number, int tree, DataInput data) throws IOException {}

  /**
   * The access of the oldest pending intent was complete: its ranges have their fresh labels, and
   * its debts are owed.
   */
  default void complete(long number, int tree) {
    throw ofTrees();
  }

  /**
   * The access brought a block from its tree; the next bytes of {@code data} are the block's data.
   */
  default void arrived(int tree, int address, DataInput data) throws IOException {
    throw ofTrees();
  }

  /**
   * The access wrote a block, in all trees; the next bytes of {@code data} are the block's data.
   */
  default void written(int address, DataInput data) throws IOException {
    throw ofTrees();
  }

  /** A chunk of evictions was made, in a key epoch. */
  default void evicted(int tree, int paths, int epoch) {
    throw ofTrees();
  }

  /** A block left the client with the last chunk. */
  default void left(int tree, int address) {
    throw ofTrees();
  }

  /**
   * Tombstones left the client with the last chunk: the next bytes of {@code data} say which. Does
   * nothing if the tree has no tombstones.
   */
  default void tombstonesLeft(int tree, DataInput data) throws IOException {}

  /**
   * An engine of another kind made a note: the next bytes of {@code note}.
   *
   * @return whether the note is of an access
   */
  boolean note(DataInput note) throws IOException;

  /** The store has {@code blocks} blocks from here on, more than before. */
  default void grown(long blocks) throws IOException {
    throw new IntegrityException("the journal has a growth where none may be");
  }

  /** Consecutive blocks read as zeros, until they are written. */
  default void trimmed(int first, int blocks) {
    throw new IntegrityException("the journal has trimmed blocks where none may be");
  }

  private static IntegrityException ofTrees() {
    return new IntegrityException(
        "the journal has records of trees, and the scheme has none; restore it from a copy");
  }
}
