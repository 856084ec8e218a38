package io.github.roram.client;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.storage.file.DurableFiles;
import io.github.roram.storage.file.StoreLock;
import io.github.roram.store.ClientVault;
import io.github.roram.store.StoreLockedException;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Backups in a directory of this machine:
 *
 * <pre>
 *   roram-backup.lock
 *   pieces/LOG_FIRST-END_EPOCH-LIFE          units, and a code of 32 bytes
 *   points/NUMBER/point                      text, authenticated: BackupPoint
 *   points/NUMBER/superblock, state.record, epoch.record, key.record
 * </pre>
 */
final class BackupDirectory implements BackupPlace {

  private static final long PIECE_BYTES = 64L << 20;
  private static final String LOCK = "roram-backup.lock";
  private static final String ASIDE = POINTS + "aside";

  private final Path directory;

  BackupDirectory(Path directory) {
    this.directory = directory;
  }

  @Override
  public long pieceBytes() {
    return PIECE_BYTES;
  }

  @Override
  public Closeable begin(long roomBytes) throws IOException {
    if (Files.isDirectory(directory) && !Files.exists(directory.resolve(LOCK))) {
      try (DirectoryStream<Path> found =
          Files.newDirectoryStream(directory, file -> !isNewFolder(file))) {
        if (found.iterator().hasNext()) {
          throw new ConfigurationException(
              directory + " has other files and no backup; name a new or an empty directory");
        }
      }
    }
    DurableFiles.createPrivateDirectory(directory);
    DurableFiles.createPrivateDirectory(path(PIECES));
    DurableFiles.createPrivateDirectory(path(POINTS));
    return lock();
  }

  /**
   * Returns whether a file is an empty folder, left by a process that died before it had the lock.
   */
  private boolean isNewFolder(Path file) throws IOException {
    String folder = file.getFileName() + "/";
    return List.of(PIECES, POINTS).contains(folder) && names(folder).isEmpty();
  }

  /**
   * Returns where something is. A link in its way is refused: whoever keeps the backups may make
   * one, to files of this machine. The directory itself is as its user says.
   */
  private Path path(String name) throws IOException {
    Path path = directory;
    for (String part : name.split("/")) {
      path = path.resolve(part);
      if (Files.isSymbolicLink(path)) {
        throw new IntegrityException(
            path + " is a link, of which backups have none: find out who made it, and remove it");
      }
    }
    return path;
  }

  /** As above, of a file; nor is it a directory, or a device or pipe that has no end. */
  private Path file(String name) throws IOException {
    Path path = path(name);
    if (isOther(path)) {
      throw new IntegrityException(path + " is no file, and backups have one there: remove it");
    }
    return path;
  }

  private static boolean isOther(Path path) {
    try {
      return !Files.readAttributes(path, BasicFileAttributes.class).isRegularFile();
    } catch (IOException e) {
      return false; // there is none, or opening it says what is wrong
    }
  }

  private Closeable lock() throws IOException {
    file(LOCK);
    try {
      return StoreLock.acquire(directory, LOCK);
    } catch (StoreLockedException e) {
      throw (StoreLockedException)
          new StoreLockedException("another backup is at work in " + directory).initCause(e);
    }
  }

  @Override
  public Set<String> pieces() throws IOException {
    return names(PIECES);
  }

  /**
   * {@inheritDoc}
   *
   * <p>A point is deleted from its text on, and only if a newer one is kept: an older folder
   * without a text is what is left of one. If the newest has none, it was lost.
   */
  @Override
  public Set<Integer> points() throws IOException {
    Set<Integer> numbers = new TreeSet<>();
    NavigableSet<Integer> all = numbered();
    for (int number : all) {
      if (number == all.last() || names(folder(number)).contains(Backup.POINT)) {
        numbers.add(number);
      }
    }
    return numbers;
  }

  /**
   * The numbers that folders have; what has such a name and is none is not looked at. A link is
   * refused: without it, pieces that its point needs would be taken for nobody's.
   */
  private NavigableSet<Integer> numbered() throws IOException {
    NavigableSet<Integer> numbers = new TreeSet<>();
    for (String name : names(POINTS)) {
      if (name.matches("\\d{6,9}") && Files.isDirectory(path(POINTS + name))) {
        numbers.add(Integer.valueOf(name));
      }
    }
    return numbers;
  }

  private Set<String> names(String folder) throws IOException {
    Set<String> names = new HashSet<>();
    Path path = path(folder);
    if (Files.isDirectory(path)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
        files.forEach(file -> names.add(file.getFileName().toString()));
      }
    }
    return names;
  }

  @Override
  public String newPoint() throws IOException {
    delete(ASIDE);
    DurableFiles.createPrivateDirectory(directory.resolve(ASIDE));
    return ASIDE;
  }

  @Override
  public void publish(String folder, int number) throws IOException {
    Files.move(
        directory.resolve(folder),
        directory.resolve(folder(number)),
        StandardCopyOption.ATOMIC_MOVE);
    DurableFiles.syncDirectory(directory.resolve(POINTS));
  }

  @Override
  public String folder(int number) {
    return POINTS + String.format(Locale.ROOT, "%06d", number);
  }

  @Override
  public InputStream read(String name) throws IOException {
    return new BufferedInputStream(Files.newInputStream(file(name), LinkOption.NOFOLLOW_LINKS));
  }

  @Override
  public void write(String name, ClientVault.Writer writer) throws IOException {
    int slash = name.lastIndexOf('/');
    DurableFiles.replace(path(name.substring(0, slash)), name.substring(slash + 1), writer);
  }

  @Override
  public void deletePoint(int number) throws IOException {
    delete(folder(number));
  }

  private void delete(String folder) throws IOException {
    Path path = path(folder);
    // Without its text it is no point any more, whatever is left of it.
    Files.deleteIfExists(path.resolve(Backup.POINT));
    for (String file : names(folder)) {
      Files.deleteIfExists(path.resolve(file));
    }
    Files.deleteIfExists(path);
  }

  @Override
  public void deleteAllBut(Set<String> pieces) throws IOException {
    for (String name : names(PIECES)) {
      if (!pieces.contains(name)) {
        Files.deleteIfExists(path(PIECES).resolve(name));
      }
    }
    Set<Integer> points = points();
    for (int number : numbered()) {
      if (!points.contains(number)) {
        delete(folder(number));
      }
    }
  }

  @Override
  public String place(String name) {
    return directory.resolve(name).toString();
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return directory.toString();
  }
}
