package io.github.roram.storage.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A file of results that appears when it is complete: until then, an existing file stays unchanged,
 * whatever happens. The new file has the permissions of the old one; if the path is a symbolic
 * link, its target is replaced.
 *
 * <p>What cannot be replaced is written in place: a device, a pipe, a stream of this process
 * ({@code /dev/stdout}), and a file in a directory where no other can be created.
 */
public final class ReplacedFile implements Closeable {

  /** Names of what is open already: replaced, it would not be seen there. */
  private static final List<String> STREAMS =
      List.of("/dev/stdout", "/dev/stderr", "/dev/fd", "/proc");

  private final Path target;
  private final Path part;

  /** Permissions of the file to replace; empty if it does not exist or has none. */
  private final Set<PosixFilePermission> kept;

  private ReplacedFile(Path target, Path part, Set<PosixFilePermission> kept) {
    this.target = target;
    this.part = part;
    this.kept = kept;
  }

  /** Begins to write a file. */
  public static ReplacedFile begin(Path file) throws IOException {
    if (isWrittenInPlace(file)) {
      return new ReplacedFile(file, file, Set.of());
    }
    boolean exists = Files.exists(file);
    Path target = exists ? file.toRealPath() : file;
    Path part = target.resolveSibling(target.getFileName() + "." + UUID.randomUUID() + ".part");
    boolean keeps = exists && OwnerOnly.isPosix(target);
    FileAttribute<?>[] attributes = keeps ? OwnerOnly.file(part) : new FileAttribute<?>[0];
    Set<PosixFilePermission> kept = keeps ? Files.getPosixFilePermissions(target) : Set.of();
    Files.createFile(part, attributes);
    return new ReplacedFile(target, part, kept);
  }

  /** Writes a file. */
  public static void write(Path file, byte[] bytes) throws IOException {
    try (ReplacedFile replaced = begin(file)) {
      Files.write(replaced.path(), bytes);
      replaced.commit();
    } catch (IOException e) {
      throw DurableFiles.orFull(file, e);
    }
  }

  private static boolean isWrittenInPlace(Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    if (STREAMS.stream().anyMatch(absolute::startsWith)) {
      return true;
    }
    boolean exists = Files.exists(file);
    boolean isFile = exists ? Files.isRegularFile(file) : !Files.isSymbolicLink(file);
    if (!isFile || (exists && !Files.isWritable(file))) {
      return true;
    }
    Path directory = (exists ? file.toRealPath() : absolute).getParent();
    return directory == null || !Files.isWritable(directory);
  }

  /** Returns the file to write, which is empty. Close it before {@link #commit}. */
  public Path path() {
    return part;
  }

  /** Puts what was written in its place. */
  public void commit() throws IOException {
    if (part.equals(target)) {
      return;
    }
    if (!kept.isEmpty()) {
      Files.setPosixFilePermissions(part, kept);
    }
    try {
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      // A file that is mounted by itself, or somebody else's in a directory for all.
      try (OutputStream out = Files.newOutputStream(target)) {
        Files.copy(part, out);
      }
    }
  }

  /** Drops what was not committed. */
  @Override
  public void close() throws IOException {
    if (!part.equals(target)) {
      Files.deleteIfExists(part);
    }
  }
}
