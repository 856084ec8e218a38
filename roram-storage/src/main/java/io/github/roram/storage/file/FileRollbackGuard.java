package io.github.roram.storage.file;

import io.github.roram.IntegrityException;
import io.github.roram.store.RollbackGuard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A {@link RollbackGuard} in a file: one decimal number and a line feed. It protects only if the
 * file is out of reach of anyone who can replace the client's vault: on another disk, or on a
 * network share of another machine. The file is replaced atomically and durably. Not safe for use
 * by several threads.
 */
public final class FileRollbackGuard implements RollbackGuard {

  /** Decimal digits of the largest long. */
  private static final int MAX_DIGITS = 19;

  private final Path directory;
  private final Path file;
  private long value;

  private FileRollbackGuard(Path file, long value) {
    this.file = file.toAbsolutePath();
    this.directory = Objects.requireNonNull(this.file.getParent(), "a file has a directory");
    this.value = value;
  }

  /**
   * Creates a guard for a new store.
   *
   * @throws FileAlreadyExistsException if the file exists: it may guard another store
   */
  public static FileRollbackGuard create(Path file) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(
          file.toString(), null, "exists and may guard another store: choose another file");
    }
    FileRollbackGuard guard = new FileRollbackGuard(file, 0);
    guard.save(0);
    return guard;
  }

  /**
   * Opens the guard of an existing store.
   *
   * @throws NoSuchFileException if there is no file
   * @throws IntegrityException if the file holds anything but a number
   */
  public static FileRollbackGuard open(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(
          file.toString(),
          null,
          "is missing, so a rollback would not be noticed: restore it; or, to guard a store from"
              + " now on that was not guarded before, write the number 0 into it, and 1 for one whose"
              + " guard is lost");
    }
    String text = "";
    DurableFiles.requireNoDirectory(file);
    if (Files.size(file) <= MAX_DIGITS + 2) {
      text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
    }
    try {
      long value = Long.parseUnsignedLong(text);
      if (value >= 0) {
        // Where a link leads to another disk, the number is to stay there.
        return new FileRollbackGuard(file.toRealPath(), value);
      }
    } catch (NumberFormatException e) {
      // told below, like a number that is too large
    }
    throw new IntegrityException(
        "rollback guard " + file + " holds no number; restore it, or name the right file");
  }

  @Override
  public long read() {
    return value;
  }

  @Override
  public void advanceTo(long newValue) throws IOException {
    if (newValue > value) {
      save(newValue);
      value = newValue;
    }
  }

  private void save(long newValue) throws IOException {
    byte[] text = (newValue + "\n").getBytes(StandardCharsets.ISO_8859_1);
    DurableFiles.replace(directory, file.getFileName().toString(), out -> out.write(text));
  }

  @Override
  public String toString() {
    return "rollback guard in " + file;
  }
}
