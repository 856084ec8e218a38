package io.github.roram.intake;

import io.github.roram.ConfigurationException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of a Unix socket. Only its owner can ever connect, and a file that a dead server left is
 * replaced. For that, the socket is bound in a directory that nobody else may enter, and then moved
 * to its path.
 */
final class UnixSocketFile {

  private static final Logger LOG = LoggerFactory.getLogger(UnixSocketFile.class);

  private static final int MAX_PATH_BYTES = 107;
  private static final int OTHERS_WRITE = 0002;
  private static final int STICKY = 01000;
  private static final int TYPE = 0170000;
  private static final int SOCKET = 0140000;

  private final Path path;
  private final Path directory;

  /**
   * Checks the path of a socket.
   *
   * @throws ConfigurationException if another server listens there, something else is there, or
   *     everyone may change the directory
   */
  UnixSocketFile(Path path) throws IOException {
    this.path = path.toAbsolutePath();
    Path parent = this.path.getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      throw new ConfigurationException(
          "socket " + path + " is to be in a directory that there is not; make it first");
    }
    requireOwnPlace(parent);
    removeStale();
    directory =
        Files.createTempDirectory(
            parent,
            ".n",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    checkLength(this.path);
    checkLength(bound().getPath());
  }

  /** Clients would send their data to another user's socket at this path. */
  private void requireOwnPlace(Path parent) throws IOException {
    int mode = hasMode(parent) ? mode(parent) : 0;
    if ((mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0) {
      throw new ConfigurationException(
          "socket "
              + path
              + " is to be in a directory where everyone may put another in its place; choose one"
              + " of your own, or run: chmod o-w "
              + parent);
    }
  }

  private static boolean hasMode(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("unix");
  }

  private static int mode(Path file, LinkOption... links) throws IOException {
    return (Integer) Files.getAttribute(file, "unix:mode", links);
  }

  /**
   * Returns whether a file is a socket. Devices and pipes are not regular files either, and must
   * not be deleted.
   */
  private static boolean isSocket(Path file) throws IOException {
    return hasMode(file)
        ? (mode(file, LinkOption.NOFOLLOW_LINKS) & TYPE) == SOCKET
        : Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
            .isOther();
  }

  private void checkLength(Path checked) throws IOException {
    int bytes = checked.toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_PATH_BYTES) {
      Files.deleteIfExists(directory);
      throw new ConfigurationException(
          "socket "
              + path
              + " would be bound at a path of "
              + bytes
              + " bytes, must be at most "
              + MAX_PATH_BYTES
              + "; choose a shorter directory");
    }
  }

  private void removeStale() throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!isSocket(path)) {
      throw new ConfigurationException(
          path + " is there and is no socket; choose another path, or remove it");
    }
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(path));
    } catch (ConnectException e) {
      Files.delete(path);
      return;
    }
    throw new ConfigurationException(
        "another server listens at " + path + "; end it, or choose another path");
  }

  /** Returns the path to bind the socket at. */
  UnixDomainSocketAddress bound() {
    return UnixDomainSocketAddress.of(directory.resolve("s"));
  }

  /** Moves the bound socket to its path. */
  void publish() throws IOException {
    Path made = bound().getPath();
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
    Files.move(made, path, StandardCopyOption.ATOMIC_MOVE);
    Files.delete(directory);
  }

  /** Removes what a failed attempt has left. */
  void giveUp() throws IOException {
    Files.deleteIfExists(bound().getPath());
    Files.deleteIfExists(directory);
  }

  /** Removes the socket if possible. */
  void remove() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      LOG.warn("the socket could not be removed: {}", e.toString());
    }
  }
}
