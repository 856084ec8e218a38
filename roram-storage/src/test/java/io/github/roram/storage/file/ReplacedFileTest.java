package io.github.roram.storage.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReplacedFileTest {

  private static final byte[] NEW = "new".getBytes(UTF_8);

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void writeOldOne() throws IOException {
    file = Files.writeString(directory.resolve("file"), "the old one");
  }

  /** A kill before the commit leaves the same, and a file with another name. */
  @Test
  void anOlderOneStaysUntilAllIsWritten() throws IOException {
    try (ReplacedFile replaced = ReplacedFile.begin(file)) {
      Files.write(replaced.path(), NEW);
      assertThat(file).hasContent("the old one");
    }
    assertThat(file).hasContent("the old one");
    ReplacedFile.write(file, NEW);
    assertThat(file).hasContent("new");
    assertThat(directory.toFile().list()).containsExactly("file");
  }

  @Test
  void permissionsStay() throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw--w--w-"));
    ReplacedFile.write(file, NEW);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw--w--w-");
  }

  @Test
  void aLinkStays() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("file"));
    ReplacedFile.write(link, NEW);
    assertThat(file).hasContent("new");
    Files.delete(file);
    ReplacedFile.write(link, NEW);
    assertThat(link).isSymbolicLink();
    assertThat(file).hasContent("new");
  }

  @Test
  void whatCannotBeReplacedIsWritten() throws IOException {
    ReplacedFile.write(Path.of("/dev/null"), NEW);
    assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
    // Standard output may be a file: it is the one that is open.
    try (ReplacedFile replaced = ReplacedFile.begin(Path.of("/dev/stdout"))) {
      assertThat(replaced.path()).isEqualTo(Path.of("/dev/stdout"));
    }
  }

  @Test
  void aDirectoryThatIsNotThereIsNamed() {
    Path missing = directory.resolve("missing").resolve("file");
    assertThatThrownBy(() -> ReplacedFile.write(missing, NEW))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(missing.toString());
  }
}
