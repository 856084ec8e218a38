package io.github.roram.engine;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
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

  /** Identity of the store. */
  UUID storeId();

  /** The store; may be read, and keeps what is current for as long as the image is valid. */
  BlockStore store();

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
