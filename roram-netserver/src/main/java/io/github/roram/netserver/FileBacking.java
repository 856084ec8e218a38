package io.github.roram.netserver;

import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.file.DurableFiles;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.file.FileVault;
import io.github.roram.storage.file.OwnerOnly;
import io.github.roram.storage.file.SegmentFileStore;
import io.github.roram.storage.remote.protocol.Message.VolumeName;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Volumes in segment files: {@code DIR/volumes/NAME/}. While a volume is being created or deleted,
 * its directory has another name, which no volume can have: a new volume gets its own name when it
 * is complete, and a deleted one loses it first. So when either is interrupted, the next server
 * deletes what is left.
 */
public final class FileBacking implements VolumeBacking {

  private static final Logger LOG = LoggerFactory.getLogger(FileBacking.class);

  /** Name of the vault within a store in segment files. */
  private static final String VAULT = "vault";

  /** Prefix of the directory of a volume that is being created. */
  private static final String CREATED = ".created-";

  /** Prefix of the directory of a deleted volume. */
  private static final String DELETED = ".deleted-";

  private final Path volumes;
  private final FileOptions options;

  /**
   * Keeps volumes in {@code directory}, which is created if it does not exist. Deletes what
   * interrupted creations and deletions have left.
   */
  public FileBacking(Path directory, FileOptions options) throws IOException {
    volumes = directory.resolve("volumes");
    this.options = options;
    Files.createDirectories(volumes, OwnerOnly.directory(volumes));
    OwnerOnly.take(volumes);
    String hidden = "{" + CREATED + "," + DELETED + "}*";
    try (DirectoryStream<Path> left = Files.newDirectoryStream(volumes, hidden)) {
      for (Path unfinished : left) {
        // A link may lead to another user's directory, and this server must not delete a store
        // there.
        if (Files.isDirectory(unfinished, LinkOption.NOFOLLOW_LINKS)) {
          deleteFiles(unfinished);
        }
      }
    }
  }

  @Override
  public OpenedStore create(String name, long capacityBytes, FirstRecord record)
      throws IOException {
    Path directory = volumes.resolve(name);
    if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      make(directory, capacityBytes, record); // its operator's, who wants the volume there
    } else {
      Path aside = hidden(CREATED, name);
      make(aside, capacityBytes, record);
      Files.move(aside, directory, StandardCopyOption.ATOMIC_MOVE);
      DurableFiles.syncDirectory(volumes);
    }
    return open(name);
  }

  private void make(Path directory, long capacityBytes, FirstRecord record) throws IOException {
    SegmentFileStore store = SegmentFileStore.create(directory, capacityBytes, options);
    try (store) {
      record.save(store.openVault());
    } catch (IOException | RuntimeException | Error e) {
      deleteFiles(directory);
      throw e;
    }
  }

  private Path hidden(String beginning, String name) {
    return volumes.resolve(beginning + name + "-" + UUID.randomUUID());
  }

  @Override
  public OpenedStore open(String name) throws IOException {
    return SegmentFileStore.open(volumes.resolve(name), options).withVault();
  }

  @Override
  public Map<String, ClientVault> vaults() throws IOException {
    Map<String, ClientVault> vaults = new HashMap<>();
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(volumes)) {
      for (Path directory : directories) {
        boolean isVolume = VolumeName.isValid(String.valueOf(directory.getFileName()));
        if (isVolume && SegmentFileStore.exists(directory)) {
          addVault(directory, vaults);
        }
      }
    }
    return vaults;
  }

  /** A volume whose files were damaged on disk does not make the others unavailable. */
  private static void addVault(Path directory, Map<String, ClientVault> vaults) {
    String name = directory.getFileName().toString();
    try {
      vaults.put(name, FileVault.open(directory.resolve(VAULT)));
    } catch (IOException e) {
      LOG.warn(
          "volume {} is left out: mend what follows, and start the server anew: {}",
          name,
          e.toString());
    }
  }

  @Override
  public boolean exists(String name) {
    return SegmentFileStore.exists(volumes.resolve(name));
  }

  @Override
  public void delete(String name) throws IOException {
    Path moved = hidden(DELETED, name);
    Files.move(volumes.resolve(name), moved, StandardCopyOption.ATOMIC_MOVE);
    DurableFiles.syncDirectory(volumes);
    deleteFiles(moved);
  }

  private static void deleteFiles(Path directory) {
    try {
      SegmentFileStore.deleteUnfinished(directory);
    } catch (IOException e) {
      LOG.warn(
          "{} was not deleted as a whole, which is tried again when a server is started: {}",
          directory,
          e.toString());
    }
  }

  @Override
  public String toString() {
    return "volumes in " + volumes;
  }
}
