package io.github.roram.storage;

import io.github.roram.ConfigurationException;
import io.github.roram.open.Orams;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A store without its client's records, the copy of them that it keeps, and the place to restore
 * them to.
 */
public final class LostClient implements Closeable {

  private final BlockStore store;
  private final Optional<ClientVault> copy;
  private final PlaceOf place;

  /** Opens the place of the client's records. */
  @FunctionalInterface
  public interface PlaceOf {
    /**
     * Opens the place, which is empty or has records of an interrupted restore.
     *
     * @throws FileAlreadyExistsException if there are client's records already
     */
    Place open() throws IOException;
  }

  /**
   * The place to restore a client's records to.
   *
   * @param vault the vault that receives them
   * @param directory the directory, which is closed when they are restored
   */
  public record Place(ClientVault vault, Closeable directory) implements Closeable {
    @Override
    public void close() throws IOException {
      directory.close();
    }
  }

  /**
   * Creates the combination.
   *
   * @param store the store, which is closed with this
   * @param copy the copy, empty if none is kept
   */
  public LostClient(BlockStore store, Optional<ClientVault> copy, PlaceOf place) {
    this.store = store;
    this.copy = copy;
    this.place = place;
  }

  /**
   * Returns a store that keeps no copy.
   *
   * @param remedy what to do instead of a restore, for the message
   */
  public static LostClient without(BlockStore store, String remedy) {
    return new LostClient(
        store,
        Optional.empty(),
        () -> {
          throw new ConfigurationException(remedy);
        });
  }

  /** Returns the store. */
  public BlockStore store() {
    return store;
  }

  /** Returns the copy that it keeps of the client's records; it is only read. */
  public Optional<ClientVault> copy() {
    return copy;
  }

  /** Opens the place for the records. */
  public Place place() throws IOException {
    return place.open();
  }

  /**
   * Refuses a vault with records, unless a restore of it was interrupted.
   *
   * @param directory the vault's directory, for the message
   * @throws FileAlreadyExistsException if it has records
   */
  public static void requireFree(ClientVault vault, Path directory) throws IOException {
    boolean free = vault.names().stream().allMatch(ClientCopy::isLease);
    if (!free && !Orams.isRestoreUnderWay(vault)) {
      throw new FileAlreadyExistsException(
          directory.toString(),
          null,
          "holds a client's records, which may be newer than any copy of them: move the directory"
              + " away if they are damaged, or name another one (--state-dir)");
    }
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
