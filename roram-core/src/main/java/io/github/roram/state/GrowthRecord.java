package io.github.roram.state;

import io.github.roram.IntegrityException;
import io.github.roram.WrongKeyException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * The superblock that a growing store will have, kept in the vault from before it is written until
 * it is durable: the next opening finishes an interrupted growth.
 *
 * <pre>
 *    0  superblock                  4096, or nothing if none is being written
 * </pre>
 */
public final class GrowthRecord {

  private static final String NAME = "grow";

  private GrowthRecord() {}

  /**
   * Replaces the superblock of a store. If this fails, it is unknown which superblock the store has
   * until the growth is {@link #finish finished}.
   */
  public static void replace(BlockStore store, ClientVault vault, byte[] superblock)
      throws IOException {
    vault.save(NAME, out -> out.write(superblock));
    Superblock.write(store, superblock);
    clear(vault);
  }

  /**
   * Finishes a growth that was interrupted, if one was. A record from before a later growth, which
   * someone put back, is only cleared.
   *
   * @param keys the store's key, and the new key during a change of keys
   * @throws IntegrityException if the record is damaged
   * @throws WrongKeyException if another key made it
   */
  public static void finish(BlockStore store, ClientVault vault, MasterKey... keys)
      throws IOException {
    Optional<InputStream> found = vault.load(NAME);
    if (found.isEmpty()) {
      return;
    }
    byte[] recorded;
    try (InputStream in = found.get()) {
      recorded = in.readNBytes(SuperblockDescriptor.BYTES + 1);
    }
    if (recorded.length == 0) {
      return;
    }
    if (recorded.length != SuperblockDescriptor.BYTES) {
      throw damaged(new IntegrityException("it has another length"));
    }
    // Even if the store has it already: the system may hold it in memory only.
    Superblock.write(store, newer(Superblock.read(store), recorded, keys));
    clear(vault);
  }

  private static byte[] newer(byte[] there, byte[] recorded, MasterKey... keys) {
    byte[] known;
    byte[] found;
    try {
      known = SuperblockDescriptor.mended(recorded, keys);
    } catch (IntegrityException e) {
      throw damaged(e);
    }
    try {
      found = SuperblockDescriptor.mended(there, keys);
    } catch (IntegrityException | WrongKeyException e) {
      return known; // the store's is torn
    }
    return blocks(found) < blocks(known) ? known : found;
  }

  private static IntegrityException damaged(IntegrityException cause) {
    return new IntegrityException(
        "the client's record 'grow' is damaged: it is no superblock of "
            + SuperblockDescriptor.BYTES
            + " bytes; restore the newest of the client's records",
        cause);
  }

  private static long blocks(byte[] superblock) {
    return SuperblockDescriptor.decode(superblock).config().blocks();
  }

  /** Records that there is nothing to finish. */
  static void clear(ClientVault vault) throws IOException {
    vault.save(NAME, out -> {});
  }
}
