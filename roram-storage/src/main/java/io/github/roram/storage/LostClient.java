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
 * A store without its client's records, the copy of these that it keeps, and the place where they
 * are to be.
 */
public final class LostClient implements Closeable {

  private final BlockStore store;
  private final Optional<ClientVault> copy;
  private final PlaceOf place;

  /** Opens the place of the client's records. */
  @FunctionalInterface
  public interface PlaceOf {
    /**
     * Opens it, empty or with what a restore that was broken off has put there.
     *
     * @throws FileAlreadyExistsException if there are a client's records
     */
    Place open() throws IOException;
  }

  /**
   * Where a client's records are to be.
   *
   * @param vault gets them
   * @param directory what is closed when they are there
   */
  public record Place(ClientVault vault, Closeable directory) implements Closeable {
    @Override
    public void close() throws IOException {
      directory.close();
    }
  }

  /**
   * A store.
   *
   * @param store closed with this
   * @param copy empty if none is kept
   */
  public LostClient(BlockStore store, Optional<ClientVault> copy, PlaceOf place) {
    this.store = store;
    this.copy = copy;
    this.place = place;
  }

  /**
   * A store that keeps no copy.
   *
   * @param remedy what to do if one is to be restored
   */
  public static LostClient without(BlockStore store, String remedy) {
    return new LostClient(
        store,
        Optional.empty(),
        () -> {
          throw new ConfigurationException(remedy);
        });
  }

  /** The store. */
  public BlockStore store() {
    return store;
  }

  /** The copy that it keeps of the client's records; it is only read. */
  public Optional<ClientVault> copy() {
    return copy;
  }

  /** Opens the place for the records. */
  public Place place() throws IOException {
    return place.open();
  }

  /**
   * Refuses a vault with records, unless a restore of it was broken off.
   *
   * @param directory where it is, for the message
   * @throws FileAlreadyExistsException if so
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
