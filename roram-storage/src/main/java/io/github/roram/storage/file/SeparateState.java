package io.github.roram.storage.file;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.CopiedVault;
import io.github.roram.storage.LostClient;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.file.StateDirectory.StatePair;
import io.github.roram.store.ClientVault;
import io.github.roram.store.OnFailure;
import io.github.roram.store.StoreLockedException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store in segment files whose client's records are in a state directory, on another disk for
 * example, and not in {@code DIR/vault}. Knows which of the two places counts, and refuses records
 * of another store.
 */
public final class SeparateState {

  private final Path store;
  private final Path state;

  private SeparateState(Path store, Path state) {
    this.store = store;
    this.state = state;
  }

  /**
   * Returns a store and its state directory, neither of which need exist.
   *
   * @return empty if no state directory is given, or the store's own: then the records are in
   *     {@code DIR/vault}
   */
  public static Optional<SeparateState> of(Path store, @Nullable Path state) {
    return state == null || absolute(store).equals(absolute(state))
        ? Optional.empty()
        : Optional.of(new SeparateState(store, state));
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  /**
   * Refuses a store that was created with a state directory where none is named.
   *
   * @throws NoSuchFileException if its records are not in {@code DIR/vault}
   */
  public static void requireBeside(Path store) throws IOException {
    if (StatePair.exists(store) && !StateDirectory.hasRecords(store)) {
      throw new NoSuchFileException(
          store.resolve(StoreDirectory.VAULT).toString(),
          null,
          "holds no client's records: the store in "
              + store
              + " was created with a state directory, which holds them; name it (--state-dir,"
              + " StoreOptions.withStateDirectory)");
    }
  }

  /**
   * Creates the store, and the state directory if need be.
   *
   * @throws FileAlreadyExistsException if there is a store, or there are a client's records in
   *     either place, or a copy of some
   */
  public OpenedStore create(long capacityBytes, StoreOptions options) throws IOException {
    requireEmpty(state.resolve(StoreDirectory.VAULT));
    requireEmpty(store.resolve(StoreDirectory.VAULT));
    requireEmpty(store.resolve(StoreDirectory.COPY));
    boolean isNew = !Files.exists(state);
    StateDirectory opened = StateDirectory.open(state);
    SegmentFileStore created = null;
    try {
      created = SegmentFileStore.create(store, capacityBytes, FileOptions.of(options));
      StatePair.write(state, store);
      return OpenedStore.with(created, vault(opened, options), opened);
    } catch (IOException | RuntimeException e) {
      if (created != null) {
        created.close();
        SegmentFileStore.delete(store);
      }
      opened.close();
      if (isNew) {
        StateDirectory.delete(state);
      }
      throw e;
    }
  }

  private static void requireEmpty(Path vault) throws IOException {
    if (StateDirectory.isFilled(vault)) {
      throw new FileAlreadyExistsException(
          vault.toString(),
          null,
          "holds a client's records, without which the store that they are of cannot be read:"
              + " delete that store first, move the directory away, or choose another state"
              + " directory");
    }
  }

  /**
   * Opens the store with its records.
   *
   * @throws NoSuchFileException if there is no store, or its records are not in the state directory
   * @throws ConfigurationException if the records there are of another store
   * @throws StoreLockedException if either is open
   */
  public OpenedStore open(StoreOptions options) throws IOException {
    SegmentFileStore opened = SegmentFileStore.open(store, FileOptions.of(options));
    return OnFailure.close(
        opened,
        () -> {
          requireRecords();
          StateDirectory own = StateDirectory.open(state);
          return OnFailure.close(own, () -> OpenedStore.with(opened, vault(own, options), own));
        });
  }

  /** Returns the vault, with the copy next to the segments if one is kept. */
  private ClientVault vault(StateDirectory own, StoreOptions options) throws IOException {
    return CopiedVault.keeping(own.vault(), options, create -> copy(store, create));
  }

  private static FileVault copy(Path store, boolean create) throws IOException {
    Path directory = store.resolve(StoreDirectory.COPY);
    if (!create && !Files.isDirectory(directory)) {
      throw new NoSuchFileException(directory.toString());
    }
    return FileVault.open(directory);
  }

  /** Opens the store without its records, which have their place in the state directory. */
  LostClient openLost(FileOptions options) throws IOException {
    SegmentFileStore opened = SegmentFileStore.open(store, options);
    return OnFailure.close(
        opened,
        () -> {
          boolean copied = Files.isDirectory(store.resolve(StoreDirectory.COPY));
          return new LostClient(
              opened, copied ? Optional.of(copy(store, false)) : Optional.empty(), this::place);
        });
  }

  /**
   * Returns the state directory of this store, which has no records, or those of an interrupted
   * restore.
   */
  private LostClient.Place place() throws IOException {
    StateDirectory own = StateDirectory.open(state);
    return OnFailure.close(
        own,
        () -> {
          LostClient.requireFree(own.vault(), state);
          StatePair.write(state, store);
          return new LostClient.Place(own.vault(), own);
        });
  }

  private void requireRecords() throws IOException {
    boolean beside = StateDirectory.hasRecords(store);
    if (StateDirectory.hasRecords(state)) {
      // A vault that was moved there by hand is of no pair.
      if (!isPair() && (beside || StatePair.exists(state) || StatePair.exists(store))) {
        throw notOfThisStore();
      }
    } else if (beside || !isPair()) {
      throw new NoSuchFileException(
          state.resolve(StoreDirectory.VAULT).toString(),
          null,
          beside
              ? "holds no client's records, those of the store in "
                  + store
                  + " are in "
                  + store.resolve(StoreDirectory.VAULT)
                  + ": name no state directory, or move them while the store is closed"
              : "holds no client's records of the store in "
                  + store
                  + ", and "
                  + store.resolve(StoreDirectory.VAULT)
                  + " holds none either: name the state directory that it was created with, or"
                  + " restore it from a copy");
    }
  }

  private boolean isPair() throws IOException {
    Optional<String> pair = StatePair.read(store);
    return pair.isPresent() && pair.equals(StatePair.read(state));
  }

  private ConfigurationException notOfThisStore() {
    return new ConfigurationException(
        "the client's records in "
            + state
            + " are not known to be of the store in "
            + store
            + ": name the state directory that it was created with, or none if its records are in "
            + store.resolve(StoreDirectory.VAULT));
  }

  /**
   * Deletes the records and the store. If it is broken off it can be repeated.
   *
   * @throws NoSuchFileException if there is no store
   * @throws ConfigurationException if the records in the state directory are of another store;
   *     nothing was deleted
   * @throws StoreLockedException if either is open; nothing was deleted
   */
  public void delete() throws IOException {
    SegmentFileStore.delete(
        store,
        () -> {
          if (isPair()) {
            StateDirectory.delete(state);
          } else if (StateDirectory.hasRecords(state) || StatePair.exists(state)) {
            throw notOfThisStore();
          }
        });
  }
}
