package io.github.roram.netserver;

import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.file.FileVault;
import io.github.roram.storage.file.OwnerOnly;
import io.github.roram.storage.file.SegmentFileStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Volumes in segment files: {@code DIR/volumes/NAME/}.
 *
 * <p>The verifier is the machine's boot id where it can be read: what a killed process wrote is
 * still in the page cache, and {@link #open} forces it.
 */
public final class FileBacking implements VolumeBacking {

  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  /** Where a store in segment files has its vault. */
  private static final String VAULT = "vault";

  private final Path volumes;
  private final FileOptions options;
  private final long verifier = readVerifier();

  /** Keeps volumes below {@code directory}, which is created if there is none. */
  public FileBacking(Path directory, FileOptions options) throws IOException {
    volumes = directory.resolve("volumes");
    this.options = options;
    Files.createDirectories(volumes, OwnerOnly.directory(volumes));
    OwnerOnly.take(volumes);
  }

  @Override
  public OpenedStore create(String name, long capacityBytes) throws IOException {
    return withVault(SegmentFileStore.create(volumes.resolve(name), capacityBytes, options));
  }

  @Override
  public OpenedStore open(String name) throws IOException {
    Path directory = volumes.resolve(name);
    SegmentFileStore store = SegmentFileStore.open(directory, options);
    try {
      forceSegments(directory);
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
    return withVault(store);
  }

  @Override
  public Map<String, ClientVault> vaults() throws IOException {
    Map<String, ClientVault> vaults = new HashMap<>();
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(volumes)) {
      for (Path directory : directories) {
        if (SegmentFileStore.exists(directory)) {
          String name = directory.getFileName().toString();
          vaults.put(name, FileVault.open(directory.resolve(VAULT)));
        }
      }
    }
    return vaults;
  }

  @Override
  public boolean exists(String name) {
    return SegmentFileStore.exists(volumes.resolve(name));
  }

  @Override
  public void delete(String name) throws IOException {
    SegmentFileStore.delete(volumes.resolve(name));
  }

  @Override
  public long verifier() {
    return verifier;
  }

  @Override
  public String toString() {
    return "volumes in " + volumes;
  }

  private static OpenedStore withVault(SegmentFileStore store) throws IOException {
    try {
      return new OpenedStore(store, store.openVault());
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** What an earlier process wrote may be in the page cache only, and no sync of ours covers it. */
  private static void forceSegments(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "segment-*")) {
      for (Path file : files) {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
          opened.getFD().sync();
        }
      }
    }
  }

  private static long readVerifier() {
    try {
      UUID boot = UUID.fromString(Files.readString(BOOT_ID, StandardCharsets.US_ASCII).strip());
      return boot.getMostSignificantBits() ^ boot.getLeastSignificantBits();
    } catch (IOException | IllegalArgumentException e) {
      return new SecureRandom().nextLong();
    }
  }
}
