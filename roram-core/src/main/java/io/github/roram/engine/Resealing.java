package io.github.roram.engine;

import java.io.IOException;

/**
 * A pass over a store's whole content, batch by batch: each batch is opened with the old key,
 * sealed with the new one, and written in place; or skipped, if that was done before. Not thread
 * safe.
 */
public interface Resealing {

  /** Advances to the next batch; returns false after the last one. */
  boolean next();

  /** Returns the bytes of this batch on the store. */
  int bytes();

  /** Returns the buffer of the batch to write, from index 0 on, with room for the longest batch. */
  byte[] sealed();

  /** Reads this batch from the store and reseals it into {@link #sealed}. */
  void translate() throws IOException;

  /** Writes the batch in {@link #sealed}, durably. */
  void write() throws IOException;

  /**
   * Skips this batch, which is under the new key already. An implementation whose later batches
   * depend on the content of this one reads it.
   */
  default void skip() throws IOException {}
}
