package io.github.roram.rekey;

import io.github.roram.IntegrityException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.Rekeyable;
import io.github.roram.state.ClientRecords;
import java.io.IOException;

/** The store that gets a new key, opened with the one that it has. */
public interface OldStore {

  /** Recovers it if need be, and closes it. */
  void recover() throws IOException;

  /** The records under the old key. */
  ClientRecords records() throws IOException;

  /** The engine as its records say, with nothing done. It closes the records. */
  Opened open(ClientRecords records) throws IOException;

  /**
   * Checks that a superblock is that of the store whose records were saved under the new key.
   *
   * @throws IntegrityException if it is another's, or of another time
   */
  void checkSuperblock(byte[] superblock, MasterKey newKey) throws IOException;

  /** An engine that makes no accesses. */
  interface Opened extends AutoCloseable {

    /** What is resealed. */
    Rekeyable engine();

    /** Saves the state as it is, closed, to the records of another key. */
    void saveClosedTo(ClientRecords others) throws IOException;

    /** Forgets the keys. */
    @Override
    void close();
  }
}
