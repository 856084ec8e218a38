package io.github.roram;

import io.github.roram.crypto.MasterKey;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;

/** Creates and opens ORAMs. */
public final class Orams {

  private Orams() {}

  /** Bytes of address space that a store for this configuration needs. */
  public static long storeBytes(OramConfig config) {
    throw new IllegalStateException();
  }

  /**
   * Creates an ORAM on an empty store. No pass over the store is made: all blocks read as zeros.
   *
   * @param store of at least {@link #storeBytes} bytes; stays the caller's to close
   * @param vault where the client's state goes on {@link Oram#close}
   * @param key copied; the caller closes his handle
   * @throws ConfigurationException if the store is too small or holds an ORAM already
   */
  public static Oram create(BlockStore store, ClientVault vault, OramConfig config, MasterKey key)
      throws IOException {
    throw new IllegalStateException();
  }

  /**
   * Opens the ORAM that a store holds.
   *
   * @throws WrongKeyException if the store was created with another key
   * @throws IntegrityException if the superblock or the client's state is corrupt
   * @throws UncleanShutdownException if the client's state is missing or was not saved on close
   */
  public static Oram open(BlockStore store, ClientVault vault, MasterKey key) throws IOException {
    throw new IllegalStateException();
  }

  /**
   * As {@link #open(BlockStore, ClientVault, MasterKey)}, if the store was created with this
   * configuration.
   *
   * @throws ConfigurationException if it was created with another one, naming both
   */
  public static Oram open(
      BlockStore store, ClientVault vault, OramConfig expected, MasterKey key) throws IOException {
    throw new IllegalStateException();
  }

  /**
   * Reads a store's superblock; no key needed, nothing is verified but its checksum.
   *
   * @throws IntegrityException if there is none, or it is corrupt, too old or too new
   */
  public static StoreInfo inspect(BlockStore store) throws IOException {
    throw new IllegalStateException();
  }
}
