package io.github.roram.state;

import io.github.roram.crypto.MasterKey;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * The superblock that a store gets by growing, in the vault from before it is written until it is
 * durable: whoever opens the store next finishes what was broken off.
 *
 * <pre>
 *    0  superblock                  4096, or nothing if none is being written
 * </pre>
 */
public final class GrowthRecord {

  private static final String NAME = "grow";

  private GrowthRecord() {}

  /**
   * Gives a store another superblock. If it fails, it is unknown which the store has until it is
   * {@link #finish finished}.
   */
  public static void replace(BlockStore store, ClientVault vault, byte[] superblock)
      throws IOException {
    vault.save(NAME, out -> out.write(superblock));
    Superblock.write(store, superblock);
    clear(vault);
  }

  /** Finishes what was broken off, if something was. */
  public static void finish(BlockStore store, ClientVault vault, MasterKey key) throws IOException {
    Optional<InputStream> found = vault.load(NAME);
    if (found.isEmpty()) {
      return;
    }
    byte[] superblock;
    try (InputStream in = found.get()) {
      superblock = in.readAllBytes();
    }
    if (superblock.length == 0) {
      return;
    }
    SuperblockDescriptor.checkKey(superblock, key);
    // Also where it is there already: the system may have it in memory alone.
    Superblock.write(store, superblock);
    clear(vault);
  }

  /** There is nothing to finish. */
  static void clear(ClientVault vault) throws IOException {
    vault.save(NAME, out -> {});
  }
}
