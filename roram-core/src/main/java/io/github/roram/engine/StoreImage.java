package io.github.roram.engine;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** The state of an ORAM at one moment: its store's content, and its client's state. */
public interface StoreImage {

  /** Uses an image, which is valid until the call returns. */
  @FunctionalInterface
  interface Use {
    /** Uses the image. */
    void with(StoreImage image) throws IOException;
  }

  /** Called before content of the store is overwritten. */
  @FunctionalInterface
  interface Tap {
    /**
     * Returns whether this tap still has to copy content that a write overwrites; if not, the write
     * may begin without another call. Called before each write, by several threads at a time; must
     * not wait.
     *
     * @param batch the extents of the write, valid during this call
     */
    default boolean lacks(ExtentBatch batch) {
      return true;
    }

    /**
     * Called before a write that overwrites content which the tap lacks; the write begins when this
     * method returns. Several threads may call it at a time; each may wait, which delays its
     * access. Throws nothing.
     *
     * @param batch the extents of the write, valid during this call
     */
    void overwriting(ExtentBatch batch);
  }

  /** Returns the identity of the store. */
  UUID storeId();

  /** Returns the store, for reading; it keeps all current content while the image is valid. */
  BlockStore store();

  /**
   * Reports all writes to the store to a tap from this moment on, even after the image has become
   * invalid.
   *
   * @return a handle that ends the reports when it is closed
   */
  Closeable tap(Tap tap);

  /** Returns the store's logs, with the units that are current. */
  List<StoreLog> logs();

  /**
   * Returns the name of a key epoch of this client, which no other client, nor a copy of it, uses.
   */
  UUID epochName(int epoch);

  /** Returns a key of this store for a purpose, 32 bytes, which the caller wipes. */
  byte[] derive(String purpose);

  /**
   * Saves the client's state to another vault, as closing would save it to the client's own vault,
   * which does not change.
   *
   * @param asTheyAre names of further records to copy, if they exist
   */
  void saveTo(ClientVault copy, String... asTheyAre) throws IOException;
}
