package io.github.roram.storage.file;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.store.StoreDamagedException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A vault in a directory: one file per record, readable by its owner only.
 *
 * <p>A record is written to a temporary file, forced to the medium and renamed over the old one,
 * then the directory is forced: after a crash the old or the new record exists, whole. Opening the
 * vault removes temporary files that a crash left. Each save has its own temporary file, so a
 * closed handle that is still writing spoils no other save.
 *
 * <p>Thread safety: the caller serialises calls for one name, as the contract says. Only one vault
 * may be open on a directory; the lock of the store next to it ensures that.
 */
public final class FileVault implements ClientVault {

  private static final Pattern NAME = Pattern.compile("[a-z-]+");
  private static final Pattern ASIDE =
      Pattern.compile("[a-z0-9-]+\\.(record|log)(\\.[0-9a-f-]+)?\\.aside");
  private static final Pattern OWN =
      Pattern.compile("[a-z0-9-]+\\.(record|log)((\\.[0-9a-f-]+)?\\.aside)?");

  private static final Pattern LOG_NAME = Pattern.compile("[a-z0-9-]+");
  private static final String LOG = ".log";
  private static final String RECORD = ".record";

  /** The directory; only {@link #here} reads this field. */
  private final Path directory;

  private FileVault(Path directory) {
    this.directory = directory;
  }

  /**
   * Opens the vault in {@code directory}, which is created if it does not exist.
   *
   * @param directory the directory, which must not be a symbolic link; its parents may be
   * @throws StoreDamagedException if it is a symbolic link
   */
  public static FileVault open(Path directory) throws IOException {
    DurableFiles.createPrivateDirectory(DurableFiles.requireNoLink(directory));
    deleteMatching(directory, ASIDE);
    return new FileVault(directory);
  }

  /** Deletes all records, and the directory if nothing else is in it. */
  static void delete(Path directory) throws IOException {
    if (Files.isSymbolicLink(directory)) {
      Files.delete(directory); // what it leads to is another's
    } else if (Files.isDirectory(directory)) {
      deleteMatching(directory, OWN);
      StoreDirectory.deleteIfEmpty(directory);
    }
  }

  /** Returns the directory; checks that nobody has put a link in its place since it was opened. */
  private Path here() throws StoreDamagedException {
    return DurableFiles.requireNoLink(directory);
  }

  @Override
  public Optional<InputStream> load(String name) throws IOException {
    Path file = DurableFiles.requireFile(here().resolve(fileName(name)));
    try {
      return Optional.of(
          new BufferedInputStream(Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<Instant> savedAt(String name) throws IOException {
    Path file = here().resolve(fileName(name));
    return Files.exists(file)
        ? Optional.of(Files.getLastModifiedTime(file).toInstant())
        : Optional.empty();
  }

  @Override
  public void save(String name, Writer writer) throws IOException {
    String file = fileName(name);
    String aside = file + "." + UUID.randomUUID() + DurableFiles.ASIDE;
    DurableFiles.replace(here(), file, aside, writer);
  }

  @Override
  public AppendLog openLog(String name) throws IOException {
    return FileLog.open(here(), logFileName(name));
  }

  @Override
  public List<String> logs() throws IOException {
    return namesBefore(LOG).stream().filter(LOG_NAME.asMatchPredicate()).toList();
  }

  @Override
  public List<String> names() throws IOException {
    return namesBefore(RECORD).stream().filter(NAME.asMatchPredicate()).toList();
  }

  private List<String> namesBefore(String ending) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(here(), "*" + ending)) {
      for (Path file : files) {
        String fileName = file.getFileName().toString();
        names.add(fileName.substring(0, fileName.length() - ending.length()));
      }
    }
    return names;
  }

  @Override
  public void deleteLog(String name) throws IOException {
    if (Files.deleteIfExists(here().resolve(logFileName(name)))) {
      DurableFiles.syncDirectory(directory);
    }
  }

  private static String logFileName(String name) {
    if (!LOG_NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "log name is \"" + name + "\", must be of the letters a to z, digits and hyphens");
    }
    return name + LOG;
  }

  @Override
  public String toString() {
    return "vault in " + directory;
  }

  private static String fileName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "record name is \"" + name + "\", must be of the letters a to z and hyphens");
    }
    return name + RECORD;
  }

  private static void deleteMatching(Path directory, Pattern names) throws IOException {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(
            directory, file -> names.matcher(file.getFileName().toString()).matches())) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
  }
}
