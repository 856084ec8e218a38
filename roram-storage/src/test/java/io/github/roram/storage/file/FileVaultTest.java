package io.github.roram.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.Directories;
import io.github.roram.store.StoreFullException;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileVaultTest {

  @TempDir Path temporary;
  private Path directory;
  private FileVault vault;

  @BeforeEach
  void open() throws IOException {
    directory = temporary.resolve("vault");
    vault = FileVault.open(directory);
  }

  private byte[] load(String name) throws IOException {
    try (InputStream in = vault.load(name).orElseThrow()) {
      return in.readAllBytes();
    }
  }

  @Test
  void keepsTheLastSaveOfEveryName() throws IOException {
    byte[] large = Batches.noise(1_000_000, 1);
    vault.save("a-b", out -> out.write(1));
    vault.save("a-b", out -> out.write(large));
    vault.save("b", out -> {});
    vault = FileVault.open(directory);
    assertThat(load("a-b")).isEqualTo(large);
    assertThat(load("b")).isEmpty();
    assertThat(vault.load("c")).isEmpty();
  }

  @Test
  void aFailedSaveLeavesTheOldRecord() throws IOException {
    vault.save("a", out -> out.write(1));
    for (Exception failure : new Exception[] {new IOException("x"), new ArithmeticException()}) {
      assertThatThrownBy(
              () ->
                  vault.save(
                      "a",
                      out -> {
                        out.write(new byte[100_000]);
                        if (failure instanceof IOException io) {
                          throw io;
                        }
                        throw (RuntimeException) failure;
                      }))
          .isSameAs(failure);
      assertThat(load("a")).containsExactly(1);
      assertThat(Directories.list(directory)).hasSize(1);
    }
  }

  @Test
  void aFullVolumeIsReportedAsSuch() throws IOException {
    vault.save("a", out -> out.write(1));
    assertThatThrownBy(
            () ->
                vault.save(
                    "a",
                    out -> {
                      throw new IOException("No space left on device");
                    }))
        .isInstanceOf(StoreFullException.class)
        .hasMessageContaining(directory.toString());
    assertThat(load("a")).containsExactly(1);
  }

  @Test
  void whatACrashLeftAsideIsRemovedAndNothingElse() throws IOException {
    vault.save("a", out -> out.write(1));
    Files.write(directory.resolve("a.record.aside"), new byte[] {2});
    Path foreign = Files.write(directory.resolve("README.aside"), new byte[] {3});
    vault = FileVault.open(directory);
    assertThat(load("a")).containsExactly(1);
    assertThat(Directories.list(directory))
        .containsExactlyInAnyOrder(directory.resolve("a.record"), foreign);
  }

  @Test
  void onlyTheOwnerMayRead() throws IOException {
    Assumptions.assumeTrue(
        directory.getFileSystem().supportedFileAttributeViews().contains("posix"));
    vault.save("a", out -> out.write(1));
    assertThat(Files.getPosixFilePermissions(directory))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    assertThat(Files.getPosixFilePermissions(directory.resolve("a.record")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void anInterruptedCallerSavesAndStaysInterrupted() throws IOException {
    Thread.currentThread().interrupt();
    try {
      vault.save("a", out -> out.write(1));
      assertThat(load("a")).containsExactly(1);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void namesThatCouldLeaveTheDirectoryAreRefused() {
    for (String name : new String[] {"", "../a", "A", "a.b", "a/b"}) {
      assertThatThrownBy(() -> vault.save(name, out -> {}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("\"" + name + "\"");
      assertThatThrownBy(() -> vault.load(name)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
