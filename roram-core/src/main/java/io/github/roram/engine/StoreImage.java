package io.github.roram.engine;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** All of an ORAM as it is at one moment: what its store holds, and what its client knows. */
public interface StoreImage {

  /** Does something with an image, which is valid until it returns. */
  @FunctionalInterface
  interface Use {
    /** Does it. */
    void with(StoreImage image) throws IOException;
  }

  /** Is told what is about to be overwritten. */
  @FunctionalInterface
  interface Tap {
    /**
     * Whether it has yet to keep something of what a write overwrites; if not, the write may begin
     * without another call. Asked before each write, by several threads at a time; never waits.
     *
     * @param batch what is to be written, valid during this call
     */
    default boolean lacks(ExtentBatch batch) {
      return true;
    }

    /**
     * Told before a write of what it lacks, which begins when this returns: until then the store
     * has what it had. Several threads may call it at a time, and each may wait, as its access then
     * does. Throws nothing.
     *
     * @param batch what is to be written, valid during this call
     */
    void overwriting(ExtentBatch batch);
  }

  /** Identity of the store. */
  UUID storeId();

  /** The store; may be read, and keeps what is current for as long as the image is valid. */
  BlockStore store();

  /**
   * Has somebody told of all that is written to the store from this moment on, also when the image
   * is valid no more.
   *
   * @return ends it when it is closed
   */
  Closeable tap(Tap tap);

  /** What is current on the store. */
  List<StoreLog> logs();

  /** Names a key epoch of this client's: no other client, and no copy of it, has another's name. */
  UUID epochName(int epoch);

  /** A key for a purpose of this store's, 32 bytes, which the caller wipes. */
  byte[] derive(String purpose);

  /**
   * Saves the client's half, as closing would, to another vault; nothing of its own changes.
   *
   * @param asTheyAre names of records that are copied as well, where they are there
   */
  void saveTo(ClientVault copy, String... asTheyAre) throws IOException;
}
