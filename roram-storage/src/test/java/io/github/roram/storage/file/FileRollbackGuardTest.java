package io.github.roram.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FileRollbackGuardTest {

  @TempDir Path directory;

  @Test
  void onlyGrows() throws IOException {
    Path file = directory.resolve("guard");
    FileRollbackGuard guard = FileRollbackGuard.create(file);
    assertThat(guard.read()).isZero();
    guard.advanceTo(12);
    guard.advanceTo(5);
    assertThat(guard.read()).isEqualTo(12);
    assertThat(file).hasContent("12\n");
    FileRollbackGuard again = FileRollbackGuard.open(file);
    assertThat(again.read()).isEqualTo(12);
    again.advanceTo(Long.MAX_VALUE);
    assertThat(FileRollbackGuard.open(file).read()).isEqualTo(Long.MAX_VALUE);
    assertThat(directory).isDirectoryContaining(path -> path.equals(file));
    assertThatThrownBy(() -> FileRollbackGuard.create(file))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("another store");
  }

  /** Else the number would be on this disk from the first change on, and go back with the store. */
  @Test
  void staysWhereALinkLeads() throws IOException {
    Path share = Files.createDirectory(directory.resolve("share"));
    FileRollbackGuard.create(share.resolve("guard"));
    Path link = Files.createSymbolicLink(directory.resolve("guard"), share.resolve("guard"));
    FileRollbackGuard.open(link).advanceTo(12);
    assertThat(link).isSymbolicLink();
    assertThat(FileRollbackGuard.open(link).read()).isEqualTo(12);
    Files.delete(share.resolve("guard"));
    assertThatThrownBy(() -> FileRollbackGuard.create(link))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(link).isSymbolicLink();
  }

  @Test
  void failsWithoutItsDirectoryAndStaysWhereItWas() throws IOException {
    Path inner = Files.createDirectory(directory.resolve("inner"));
    FileRollbackGuard guard = FileRollbackGuard.create(inner.resolve("guard"));
    Files.delete(inner.resolve("guard"));
    Files.delete(inner);
    assertThatThrownBy(() -> guard.advanceTo(3)).isInstanceOf(IOException.class);
    assertThat(guard.read()).isZero();
  }

  @Test
  void missingOneIsTold() {
    assertThatThrownBy(() -> FileRollbackGuard.open(directory.resolve("guard")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("write the number 0 into it");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "-1", "1 2", "9223372036854775808", "00000000000000000000000001"})
  void whatIsNoNumberIsRefused(String content) throws IOException {
    Path file = directory.resolve("guard");
    Files.writeString(file, content);
    assertThatThrownBy(() -> FileRollbackGuard.open(file))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("holds no number");
  }

  @Test
  void whiteSpaceAroundTheNumberIsAllowed() throws IOException {
    Path file = directory.resolve("guard");
    Files.writeString(file, "77\r\n");
    assertThat(FileRollbackGuard.open(file).read()).isEqualTo(77);
  }
}
