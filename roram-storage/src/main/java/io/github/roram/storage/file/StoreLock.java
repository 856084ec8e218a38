package io.github.roram.storage.file;

import io.github.roram.store.StoreLockedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a second opener away from a store, in this process or another.
 *
 * <p>The file lock alone would not do within one process: on POSIX systems, closing any descriptor
 * of a file drops all the locks that the process has on it, so a refused second opener would free
 * the first one's lock. A set of the directories held by this process is asked first.
 *
 * <p>The operating system frees the lock when the process ends, however it ends; the file stays.
 */
final class StoreLock implements Closeable {

  /** Name of the locked file. */
  static final String FILE_NAME = "lock";

  private static final Set<Object> HELD = ConcurrentHashMap.newKeySet();

  private final Object key;
  private final FileChannel channel;

  private StoreLock(Object key, FileChannel channel) {
    this.key = key;
    this.channel = channel;
  }

  /**
   * Takes the lock of the store in {@code directory}, which exists.
   *
   * @throws StoreLockedException if it is held
   */
  static StoreLock acquire(Path directory) throws IOException {
    Object key = keyOf(directory);
    if (!HELD.add(key)) {
      throw new StoreLockedException(
          "the store in " + directory + " is open in this process: close it there first");
    }
    FileChannel channel = null;
    try {
      Path file = directory.resolve(FILE_NAME);
      channel =
          FileChannel.open(
              file,
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
              OwnerOnly.file(file));
      if (tryLock(channel) == null) {
        throw new StoreLockedException(
            "the store in "
                + directory
                + " is open in another process (it holds "
                + file
                + "): close it there first");
      }
      return new StoreLock(key, channel);
    } catch (IOException | RuntimeException e) {
      HELD.remove(key);
      if (channel != null) {
        channel.close();
      }
      throw e;
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (!channel.isOpen()) {
      return; // closed before: the next holder's entry must stay
    }
    try {
      channel.close();
    } finally {
      HELD.remove(key);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // held by this process, through classes of another loader
    }
  }

  /** What tells directories apart: the file system's key, or else the path without links. */
  private static Object keyOf(Path directory) throws IOException {
    Object fileKey = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
    return fileKey != null ? fileKey : directory.toRealPath();
  }
}
