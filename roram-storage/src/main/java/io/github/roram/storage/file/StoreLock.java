package io.github.roram.storage.file;

import io.github.roram.store.StoreLockedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a second opener away from a store, or from another directory that one is to have at a time,
 * in this process or another.
 *
 * <p>The file lock alone would not do within one process: on POSIX systems, closing any descriptor
 * of a file drops all the locks that the process has on it, so a refused second opener would free
 * the first one's lock. A set of the locks held by this process is asked first.
 *
 * <p>The operating system frees the lock when the process ends, however it ends; the file stays.
 */
public final class StoreLock implements Closeable {

  /** Name of a store's locked file. */
  static final String FILE_NAME = "lock";

  private static final Set<Object> HELD = ConcurrentHashMap.newKeySet();

  private final Object key;
  private final Path file;

  /** Kept, since the JDK forgets a lock that nobody has. */
  private final FileLock lock;

  /** The file that was there once it was locked, the same one: to close it would free the lock. */
  private final FileChannel there;

  private StoreLock(Object key, Path file, FileLock lock, FileChannel there) {
    this.key = key;
    this.file = file;
    this.lock = lock;
    this.there = there;
  }

  /**
   * Takes the lock of the store in {@code directory}, which exists.
   *
   * @throws StoreLockedException if it is held
   */
  static StoreLock acquire(Path directory) throws IOException {
    return acquire(directory, FILE_NAME);
  }

  /**
   * Takes a lock of a directory, which exists.
   *
   * @param fileName name of the locked file, which is created
   * @throws StoreLockedException if it is held
   */
  public static StoreLock acquire(Path directory, String fileName) throws IOException {
    Object key = List.of(keyOf(directory), fileName);
    if (!HELD.add(key)) {
      throw new StoreLockedException(
          "the store in " + directory + " is open in this process: close it there first");
    }
    try {
      Path file = DurableFiles.requireFile(directory.resolve(fileName));
      StoreLock lock = null;
      while (lock == null) {
        lock = tryOpen(key, directory, file);
      }
      return lock;
    } catch (IOException | RuntimeException e) {
      HELD.remove(key);
      throw e;
    }
  }

  /**
   * Opens the file and locks it. In between, a process that was {@linkplain #delete deleting} it
   * may have released it, and another process may have locked a new one: then this lock protects
   * nothing.
   *
   * @return null if the locked file is not the one at the path
   */
  private static @Nullable StoreLock tryOpen(Object key, Path directory, Path file)
      throws IOException {
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            OwnerOnly.file(file));
    StoreLock taken = null;
    try {
      FileLock lock = tryLock(channel);
      if (lock == null) {
        throw new StoreLockedException(
            "the store in "
                + directory
                + " is open in another process (it holds "
                + file
                + "): close it there first");
      }
      FileChannel there = openIfAny(file);
      if (there != null && isLockedHere(there)) {
        taken = new StoreLock(key, file, lock, there);
      }
      return taken;
    } finally {
      if (taken == null) {
        channel.close();
      }
    }
  }

  private static @Nullable FileChannel openIfAny(Path file) throws IOException {
    try {
      return FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /**
   * Returns whether this process has locked a file, and closes the channel if not. The JDK
   * recognizes two channels of the same file; the inode of a deleted file may be reused.
   */
  private static boolean isLockedHere(FileChannel there) throws IOException {
    boolean locked = false;
    try {
      there.tryLock();
    } catch (OverlappingFileLockException e) {
      locked = true;
    } finally {
      if (!locked) {
        there.close();
      }
    }
    return locked;
  }

  /** Lets go, and deletes the file: there is no store left to be locked. */
  synchronized void delete() throws IOException {
    try {
      if (lock.isValid()) {
        Files.deleteIfExists(file); // while nobody else has it
      }
    } finally {
      close();
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (!lock.isValid()) {
      return; // closed before: the next holder's entry must stay
    }
    FileChannel channel = lock.channel();
    try (channel) {
      there.close();
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

  /**
   * Returns an object that identifies a file: the file system's key, or else the path without
   * links.
   */
  private static Object keyOf(Path file) throws IOException {
    Object fileKey = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    return fileKey != null ? fileKey : file.toRealPath();
  }
}
