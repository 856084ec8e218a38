package io.github.roram.storage.file;

import io.github.roram.store.ClientVault;
import io.github.roram.store.OnFailure;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreFullException;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;

/**
 * Writes files that exist as a whole or not at all, whatever happens meanwhile. An interrupt of the
 * calling thread aborts nothing, and stays set.
 */
public final class DurableFiles {

  /** Suffix of a file's name while it is written. */
  static final String ASIDE = ".aside";

  /** A bound above the length of every file that is read as a whole. */
  private static final int SHORT_BYTES = 1 << 16;

  private DurableFiles() {}

  /**
   * Replaces the file {@code name} by the output of {@code writer}, readable by its owner only:
   * written to a temporary file, forced, renamed. If anything fails before the rename, the old file
   * stays.
   */
  public static void replace(Path directory, String name, ClientVault.Writer writer)
      throws IOException {
    replace(directory, name, name + ASIDE, writer);
  }

  /**
   * Replaces a file by way of a temporary file with a given name: a separate one if the thread of a
   * closed handle may still write to an older one.
   */
  static void replace(Path directory, String name, String asideName, ClientVault.Writer writer)
      throws IOException {
    Path target = directory.resolve(name);
    Path aside = directory.resolve(asideName);
    try {
      Files.deleteIfExists(aside);
      Files.createFile(aside, OwnerOnly.file(aside));
      try (RandomAccessFile file = open(aside);
          OutputStream out = new BufferedOutputStream(new FileOutputStream(file.getFD()))) {
        writer.writeTo(out);
        out.flush();
        sync(file, target);
      }
      Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException | Error e) {
      deleteQuietly(aside, e);
      if (e instanceof IOException io) {
        throw orFull(target, io);
      }
      throw e;
    }
    syncDirectory(directory);
  }

  /** Writes a new file, and forces it; by no channel, which an interrupt of the thread closes. */
  public static void write(Path file, byte[] content) throws IOException {
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.write(content);
      sync(out, file);
    }
  }

  /** Makes what was written to a file durable. */
  static void sync(RandomAccessFile opened, Path file) throws IOException {
    try {
      opened.getFD().sync();
    } catch (IOException e) {
      throw failed("syncing", file, e);
    }
  }

  /** Returns a failure with the file's name, which the system's words lack. */
  static IOException failed(String what, Path file, IOException cause) {
    return isFull(cause)
        ? full(file, cause)
        : new IOException(what + " " + file + " failed: " + cause.getMessage(), cause);
  }

  /**
   * Refuses a directory in place of a file of the store. Reading it would fail too, but without
   * naming it.
   *
   * @throws StoreDamagedException if there is one
   */
  static Path requireNoDirectory(Path file) throws StoreDamagedException {
    if (Files.isDirectory(file)) {
      throw new StoreDamagedException(
          file
              + " is a directory, a file of the store is to be there: move it away, and restore the"
              + " file from a copy");
    }
    return file;
  }

  /**
   * Returns the content of a short file; if it was made longer, only its start.
   *
   * @throws StoreDamagedException if it is not a regular file
   */
  static byte[] readShort(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(requireFile(file), LinkOption.NOFOLLOW_LINKS)) {
      return in.readNBytes(SHORT_BYTES);
    }
  }

  /**
   * Refuses a symbolic link within a store's directory. Anyone who can write to the store's disk
   * could make it lead to any other file of the user. The directory itself and its parents are the
   * user's choice, and may be links.
   *
   * @throws StoreDamagedException if the path is a symbolic link
   */
  static Path requireNoLink(Path path) throws StoreDamagedException {
    if (Files.isSymbolicLink(path)) {
      throw new StoreDamagedException(
          path
              + " is a symbolic link, which could lead to files that are not the store's: if you"
              + " made it, put what it leads to in its place, or a client's records as \"vault\" into"
              + " a state directory (--state-dir); else delete it, and restore what was there from a"
              + " copy");
    }
    return path;
  }

  /**
   * Refuses anything but a regular file at the path of a file of the store. The file need not
   * exist.
   *
   * @throws StoreDamagedException if the path is something else
   */
  static Path requireFile(Path file) throws StoreDamagedException {
    BasicFileAttributes found;
    try {
      // Looked at once: another process may delete it, a lock above all.
      found = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      return file; // there is none, or opening it says what is wrong
    }
    if (found.isRegularFile()) {
      return file;
    }
    requireNoDirectory(requireNoLink(file));
    if (found.isOther()) {
      throw new StoreDamagedException(
          file
              + " is a device or a pipe, a file of the store is to be there: delete it, and restore"
              + " the file from a copy");
    }
    return file;
  }

  /**
   * Opens a file of the store for reading and writing, so that no interrupt closes it.
   *
   * @throws StoreDamagedException if it is not a regular file, or became a link meanwhile
   */
  static RandomAccessFile open(Path file) throws IOException {
    RandomAccessFile opened = new RandomAccessFile(requireFile(file).toFile(), "rw");
    return OnFailure.close(
        opened,
        () -> {
          requireFile(file);
          return opened;
        });
  }

  /**
   * Creates a directory that only its owner may enter, and its parents; withdraws others' access to
   * an existing one if it is ours alone.
   */
  public static void createPrivateDirectory(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      OwnerOnly.takeContent(directory);
    } else {
      Files.createDirectories(directory, OwnerOnly.directory(directory));
      syncParent(directory);
    }
  }

  /** Returns whether a place is a directory or within it, whatever links lead there. */
  static boolean isWithin(Path place, Path directory) {
    return real(place).startsWith(real(directory));
  }

  /** Resolves links, as far as the path exists. */
  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      Path absolute = path.toAbsolutePath();
      Path parent = absolute.getParent();
      return parent == null
          ? absolute
          : real(parent).resolve(absolute.getFileName().toString()).normalize();
    }
  }

  /** Makes the creation of a file or directory durable. */
  public static void syncParent(Path created) throws IOException {
    Path parent = created.toAbsolutePath().getParent();
    if (parent != null) {
      syncDirectory(parent);
    }
  }

  /** Makes creations, renames and deletions in a directory durable, if the system can. */
  public static void syncDirectory(Path directory) throws IOException {
    if (!OwnerOnly.isPosix(directory)) {
      return; // other systems cannot open a directory, and order such changes by themselves
    }
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
          channel.force(true);
          return;
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        } catch (FileSystemException e) {
          throw e; // says which
        } catch (IOException e) {
          throw failed("syncing", directory, e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns whether a failure says that the volume, or the user's quota on it, is full. */
  static boolean isFull(IOException failure) {
    String message = failure.getMessage();
    if (message == null) {
      return false;
    }
    String lower = message.toLowerCase(Locale.ROOT);
    return lower.contains("no space left on device")
        || lower.contains("disk quota exceeded")
        || lower.contains("not enough space on the disk");
  }

  /** Returns a failure to write a file, as a {@link StoreFullException} if there is no room. */
  public static IOException orFull(Path file, IOException failure) {
    return isFull(failure) ? full(file, failure) : failure;
  }

  /** Returns the failure to allocate room for a file. */
  static StoreFullException full(Path file, IOException cause) {
    return new StoreFullException(
        "no room left on the volume of " + file + ": free some there, then try again", cause);
  }

  private static void deleteQuietly(Path file, Throwable reason) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }
}
