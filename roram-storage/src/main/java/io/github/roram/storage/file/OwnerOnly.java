package io.github.roram.storage.file;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Files and directories for their owner alone: a local user who may look into the directory of a
 * store sees which segment is accessed when, even where the content is closed to him. File systems
 * without POSIX permissions are left to the system's own rules.
 */
public final class OwnerOnly {

  private static final FileAttribute<?>[] NONE = {};

  private static final Set<PosixFilePermission> OF_OTHERS =
      PosixFilePermissions.fromString("---rwxrwx");

  /** What a store's directory, a state directory or a vault holds. */
  private static final Pattern OURS =
      Pattern.compile(
          "lock|vault|segment-[0-9]{6}|(store\\.descriptor|state\\.pair|watermark)(\\.aside)?"
              + "|[a-z0-9-]+\\.(record|log)(\\.aside)?");

  private OwnerOnly() {}

  /** Returns the attributes for creating a file. */
  public static FileAttribute<?>[] file(Path path) {
    return attributes(path, "rw-------");
  }

  /** Returns the attributes for creating a directory. */
  public static FileAttribute<?>[] directory(Path path) {
    return attributes(path, "rwx------");
  }

  private static FileAttribute<?>[] attributes(Path path, String permissions) {
    return isPosix(path)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : NONE;
  }

  static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /**
   * Removes other users' rights to a file or directory. A file of another user, who has let this
   * one in, stays as it is, and so do rights that the file system cannot change.
   */
  public static void take(Path path) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (view == null) {
      return;
    }
    Set<PosixFilePermission> permissions = view.readAttributes().permissions();
    if (permissions.removeAll(OF_OTHERS)) {
      try {
        view.setPermissions(permissions);
      } catch (FileSystemException e) {
        // Its owner decides.
      }
    }
  }

  /**
   * Takes the files of a store, a state directory or a vault from others, and the directory too,
   * unless foreign files are in it or everyone may write there, as in one for temporary files.
   */
  static void takeContent(Path directory) throws IOException {
    if (!isPosix(directory)) {
      return;
    }
    boolean shared =
        Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_WRITE);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (!OURS.matcher(file.getFileName().toString()).matches()) {
          shared = true;
        } else if (!Files.isSymbolicLink(file)) {
          take(file);
        }
      }
    }
    if (!shared) {
      take(directory);
    }
  }
}
