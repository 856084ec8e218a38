package io.github.roram.storage.file;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.ClientCopy;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreDeletion;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.OnFailure;
import io.github.roram.store.StoreLockedException;
import java.io.Closeable;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A client's records of a store that is somewhere else: one vault, for one process at a time,
 * readable by its owner only.
 */
public final class StateDirectory implements Closeable {

  private static final String VAULT = "vault";

  private final Path directory;
  private final boolean isNew;
  private final StoreLock lock;
  private final FileVault vault;
  private boolean closed;

  private StateDirectory(Path directory, boolean isNew, StoreLock lock, FileVault vault) {
    this.directory = directory;
    this.isNew = isNew;
    this.lock = lock;
    this.vault = vault;
  }

  /**
   * Opens the directory, which is created if it does not exist.
   *
   * @throws StoreLockedException if it is open, here or in another process
   */
  public static StateDirectory open(Path directory) throws IOException {
    boolean isNew = !Files.exists(directory);
    DurableFiles.createPrivateDirectory(directory);
    StoreLock lock = StoreLock.acquire(directory);
    FileVault vault = OnFailure.close(lock, () -> FileVault.open(directory.resolve(VAULT)));
    return new StateDirectory(directory, isNew, lock, vault);
  }

  /** Returns whether the directory has records; an empty record, or a lease, does not count. */
  public static boolean hasRecords(Path directory) throws IOException {
    return isFilled(directory.resolve(VAULT));
  }

  /** Returns whether a vault's directory has records, or logs, besides leases. */
  static boolean isFilled(Path vault) throws IOException {
    if (!Files.isDirectory(vault)) {
      return false;
    }
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(
            vault,
            file ->
                file.toFile().length() > 0 && !ClientCopy.isLease(file.getFileName().toString()))) {
      return files.iterator().hasNext();
    }
  }

  /**
   * Returns this user's default directory for a store, below {@code $XDG_STATE_HOME} or {@code
   * ~/.local/state}.
   *
   * @param parts any texts that together identify the store
   */
  public static Path usual(String... parts) {
    String home = System.getenv("XDG_STATE_HOME");
    Path base =
        home != null && !home.isEmpty()
            ? Path.of(home)
            : Path.of(System.getProperty("user.home"), ".local", "state");
    String name =
        Arrays.stream(parts)
            .map(part -> URLEncoder.encode(part, UTF_8))
            .collect(Collectors.joining("_"));
    return base.resolve("roram").resolve(name);
  }

  /**
   * Refuses a directory that has records, for a store that is to be created.
   *
   * @param store the store's name, for the message
   * @throws FileAlreadyExistsException if it has records
   */
  public static void requireNoRecords(Path directory, String store) throws IOException {
    if (hasRecords(directory)) {
      throw new FileAlreadyExistsException(
          directory.toString(),
          null,
          "holds a client's records of "
              + store
              + ", without which that store cannot be read: delete the store first, move the"
              + " directory away, or choose another state directory");
    }
  }

  /**
   * Refuses a directory with the records of a store in files, for another kind of store.
   *
   * @param store the other store's name, for the message
   * @throws ConfigurationException if it is such a directory
   */
  public static void requireNotOfFiles(Path directory, String store) {
    if (StatePair.exists(directory)) {
      throw new ConfigurationException(
          "the client's records in "
              + directory
              + " are of a store in files, not of "
              + store
              + ": each store has a state directory of its own");
    }
  }

  /**
   * Deletes a store, but not its records, which nobody may have open or open in the meantime.
   *
   * @throws NoSuchFileException if the store does not exist, and no earlier run has noted its
   *     deletion in these records
   * @throws StoreLockedException if the records are open
   */
  public static void deleteStore(Path directory, StoreDeletion deletion) throws IOException {
    requireNotOfFiles(directory, deletion.store());
    try (StateDirectory state = open(directory)) {
      deletion.run(state.vault);
    } catch (NoSuchFileException e) {
      if (!hasRecords(directory)) {
        throw e;
      }
      throw new NoSuchFileException(
          deletion.store(),
          null,
          "there is no such store; in "
              + directory
              + " are a client's records, which may be of another one: if they are not, delete"
              + " that directory");
    }
  }

  /**
   * Deletes all records, and the directory unless it has foreign files. Does nothing if there is no
   * directory.
   *
   * @throws StoreLockedException if it is open; nothing was deleted
   */
  public static void delete(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (StoreLock lock = StoreLock.acquire(directory)) {
      FileVault.delete(directory.resolve(VAULT));
      StatePair.delete(directory);
      lock.delete();
    }
    StoreDirectory.deleteIfEmpty(directory);
  }

  /** Returns a store with these records; closing the result closes this, too. */
  public OpenedStore opened(BlockStore store) {
    return OpenedStore.with(store, vault, this);
  }

  /** Returns the records, for use while this is open. */
  public ClientVault vault() {
    return vault;
  }

  /**
   * Releases the directory. If nothing was recorded, the directory is as it was before, so a failed
   * attempt to use a store leaves nothing behind.
   */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    boolean isEmpty;
    try (lock) {
      isEmpty = !hasRecords(directory) && !StatePair.exists(directory);
      if (isEmpty) {
        FileVault.delete(directory.resolve(VAULT));
        lock.delete();
      }
    }
    if (isEmpty && isNew) {
      StoreDirectory.deleteIfEmpty(directory);
    }
  }

  /**
   * Pairs a store with its state directory, by a file with the same random UUID, and a line feed,
   * in both. It does not say where the other one is.
   */
  static final class StatePair {

    /** Name of the file. */
    static final String FILE_NAME = "state.pair";

    private StatePair() {}

    /** Returns the content of the file, if there is one. */
    static Optional<String> read(Path directory) throws IOException {
      try {
        return Optional.of(new String(DurableFiles.readShort(file(directory)), US_ASCII));
      } catch (NoSuchFileException e) {
        return Optional.empty();
      }
    }

    static boolean exists(Path directory) {
      return Files.exists(file(directory));
    }

    /** Pairs a state directory with a store. */
    static void write(Path stateDirectory, Path storeDirectory) throws IOException {
      byte[] content = (UUID.randomUUID() + "\n").getBytes(US_ASCII);
      DurableFiles.replace(stateDirectory, FILE_NAME, out -> out.write(content));
      DurableFiles.replace(storeDirectory, FILE_NAME, out -> out.write(content));
    }

    static void delete(Path directory) throws IOException {
      Files.deleteIfExists(file(directory));
    }

    private static Path file(Path directory) {
      return directory.resolve(FILE_NAME);
    }
  }
}
