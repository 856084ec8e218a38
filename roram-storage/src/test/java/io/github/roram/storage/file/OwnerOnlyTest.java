package io.github.roram.storage.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may look into the directory of a store, or see what happens there. */
final class OwnerOnlyTest {

  private static final FileOptions OPTIONS = FileOptions.defaults().withSegmentBytes(16_384);

  @TempDir Path temporary;
  private Path directory;

  @BeforeEach
  void requirePosix() {
    directory = temporary.resolve("store");
    Assumptions.assumeTrue(
        temporary.getFileSystem().supportedFileAttributeViews().contains("posix"));
  }

  private void create() throws IOException {
    try (SegmentFileStore store = SegmentFileStore.create(directory, 40_000, OPTIONS)) {
      store.openVault().save("a", out -> out.write(1));
    }
  }

  private void open() throws IOException {
    try (SegmentFileStore store = SegmentFileStore.open(directory, OPTIONS)) {
      store.openVault();
    }
  }

  private static Map<String, String> permissions(Path top) throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(top)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        found.put(
            top.relativize(path).toString(),
            PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
      }
    }
    return found;
  }

  private static void assertOwnerOnly(Path top) throws IOException {
    assertThat(permissions(top))
        .allSatisfy((path, permissions) -> assertThat(permissions).endsWith("------"));
  }

  private static void openToAll(Path top) throws IOException {
    try (Stream<Path> paths = Files.walk(top)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Files.setPosixFilePermissions(
            path,
            PosixFilePermissions.fromString(Files.isDirectory(path) ? "rwxr-xr-x" : "rw-r--r--"));
      }
    }
  }

  @Test
  void aNewStoreIsItsOwnersAlone() throws IOException {
    create();
    assertOwnerOnly(directory);
  }

  @Test
  void aDirectoryThatIsThereIsTakenOver() throws IOException {
    Files.createDirectory(directory);
    openToAll(directory);
    create();
    assertOwnerOnly(directory);
  }

  @Test
  void anOlderStoreBecomesItsOwnersAloneWhenItIsOpened() throws IOException {
    create();
    openToAll(directory);
    open();
    Files.delete(directory.resolve("vault").resolve("a.record")); // the vault never had another
    assertOwnerOnly(directory);
  }

  @Test
  void aStateDirectoryIsItsOwnersAlone() throws IOException {
    Files.createDirectory(directory);
    openToAll(directory);
    try (StateDirectory state = StateDirectory.open(directory)) {
      state.vault().save("a", out -> out.write(1));
    }
    assertOwnerOnly(directory);
  }

  @Test
  void whatALinkLeadsToStaysAsItIs() throws IOException {
    create();
    Path letter = Files.writeString(temporary.resolve("letter"), "");
    Files.setPosixFilePermissions(letter, PosixFilePermissions.fromString("rw-r--r--"));
    Files.createSymbolicLink(directory.resolve("segment-000009"), letter);
    Files.createSymbolicLink(directory.resolve("vault").resolve("b.record"), letter);
    open();
    assertThat(permissions(letter)).containsEntry("", "rw-r--r--");
  }

  /** A home directory, or one for temporary files, is not ours to close. */
  @Test
  void aDirectoryOfOthersStaysAsItIs() throws IOException {
    for (String before : List.of("rwxr-xr-x", "rwxrwxrwx")) {
      directory = temporary.resolve(before);
      Files.createDirectory(directory);
      if (before.equals("rwxr-xr-x")) {
        Files.writeString(directory.resolve("letter"), "");
      }
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(before));
      create();
      open();
      Map<String, String> found = permissions(directory);
      assertThat(found).containsEntry("", before);
      assertThat(found.get("segment-000000")).isEqualTo("rw-------");
    }
  }
}
