package io.github.roram.engine;

import java.io.IOException;

/**
 * Goes over all that a store holds, batch by batch: each is opened with the old key, sealed with
 * the new one, and written where it was; or, if that was done before, skipped. Not thread safe.
 */
public interface Resealing {

  /** Goes on to the next batch; false after the last one. */
  boolean next();

  /** Bytes of this batch on the store. */
  int bytes();

  /** Holds the batch as it is to be written, from 0 on; there is room for the longest one. */
  byte[] sealed();

  /** Reads this batch from the store, and seals it anew into {@link #sealed}. */
  void translate() throws IOException;

  /** Writes what {@link #sealed} holds, durably. */
  void write() throws IOException;

  /**
   * Goes past this batch, which is under the new key already. Whose next batches depend on what is
   * in this one reads it.
   */
  default void skip() throws IOException {}
}
