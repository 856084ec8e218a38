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
 * Volumes in segment files: {@code DIR/volumes/NAME/}. One that is created gets that name when it
 * is whole, and one that is deleted loses it first. Both have one that no volume has while they are
 * made or deleted: if that is broken off, the next server deletes what is left.
 */
public final class FileBacking implements VolumeBacking {

  private static final Logger LOG = LoggerFactory.getLogger(FileBacking.class);

  /** Where a store in segment files has its vault. */
  private static final String VAULT = "vault";

  /** How the directories of volumes begin that are not whole yet. */
  private static final String CREATED = ".created-";

  /** How the directories of deleted volumes begin. */
  private static final String DELETED = ".deleted-";

  private final Path volumes;
  private final FileOptions options;

  /**
   * Keeps volumes below {@code directory}, which is created if there is none. Deletes what is left
   * of creations and deletions that were broken off.
   */
  public FileBacking(Path directory, FileOptions options) throws IOException {
    volumes = directory.resolve("volumes");
    this.options = options;
    Files.createDirectories(volumes, OwnerOnly.directory(volumes));
    OwnerOnly.take(volumes);
    String hidden = "{" + CREATED + "," + DELETED + "}*";
    try (DirectoryStream<Path> left = Files.newDirectoryStream(volumes, hidden)) {
      for (Path unfinished : left) {
        // A link may be another's, who would have a store of this user deleted.
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

  /** One that whoever has the disk has spoiled keeps nobody from the other volumes. */
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
