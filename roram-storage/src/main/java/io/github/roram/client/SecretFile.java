package io.github.roram.client;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.file.DurableFiles;
import io.github.roram.storage.file.OwnerOnly;
import io.github.roram.store.OnFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;

/** Reads and creates small files that hold a secret and that only their owner may access. */
public final class SecretFile {

  private static final Set<PosixFilePermission> OF_OTHERS =
      PosixFilePermissions.fromString("---rwxrwx");

  private SecretFile() {}

  /**
   * Returns the content of a file, which the caller wipes.
   *
   * @param kind the kind of file, for messages
   * @throws ConfigurationException if the file does not exist, others may access it, or it is
   *     larger than {@code maxBytes}
   */
  public static byte[] read(Path file, String kind, int maxBytes) throws IOException {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw new ConfigurationException(kind + " " + file + " does not exist or cannot be read");
    }
    refuseAccessByOthers(file, kind);
    ByteBuffer content = ByteBuffer.allocate(maxBytes + 1);
    try (SeekableByteChannel channel = Files.newByteChannel(file)) {
      while (content.hasRemaining() && channel.read(content) >= 0) {
        // until the end of the file, or one byte too many
      }
      if (!content.hasRemaining()) {
        throw new ConfigurationException(
            kind + " " + file + " has more than " + maxBytes + " bytes; is it the right file?");
      }
      return Arrays.copyOf(content.array(), content.position());
    } finally {
      Arrays.fill(content.array(), (byte) 0);
    }
  }

  /**
   * Creates a file that only the owner may read and write, durably: what it unlocks may outlive a
   * power failure. Refuses one that exists; if it fails otherwise, there is none.
   */
  public static void create(Path file, byte[] content) throws IOException {
    Files.createFile(file, OwnerOnly.file(file));
    try {
      OnFailure.close(
          () -> Files.delete(file),
          () -> {
            DurableFiles.write(file, content);
            DurableFiles.syncParent(file);
            return file;
          });
    } catch (IOException e) {
      throw DurableFiles.orFull(file, e);
    }
  }

  private static void refuseAccessByOthers(Path file, String kind) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null) {
      return;
    }
    Set<PosixFilePermission> permissions = view.readAttributes().permissions();
    if (permissions.stream().anyMatch(OF_OTHERS::contains)) {
      throw new ConfigurationException(
          kind
              + " "
              + file
              + " can be accessed by others ("
              + PosixFilePermissions.toString(permissions)
              + "); run: chmod 600 "
              + file);
    }
  }
}
