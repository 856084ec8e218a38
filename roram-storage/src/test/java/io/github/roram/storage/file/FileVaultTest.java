package io.github.roram.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.Directories;
import io.github.roram.store.ClientVault;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreFullException;
import io.github.roram.testkit.ClientVaultContract;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileVaultTest extends ClientVaultContract {

  @TempDir Path temporary;
  private Path directory;
  private FileVault vault;

  @BeforeEach
  void openVault() throws IOException {
    directory = temporary.resolve("vault");
    vault = FileVault.open(directory);
  }

  @Override
  protected ClientVault open() throws IOException {
    return FileVault.open(directory);
  }

  private byte[] load(String name) throws IOException {
    try (InputStream in = vault.load(name).orElseThrow()) {
      return in.readAllBytes();
    }
  }

  @Test
  void aDirectoryInPlaceOfARecordOrLogIsNamed() throws IOException {
    Path record = Files.createDirectory(directory.resolve("a.record"));
    assertThatThrownBy(() -> vault.load("a"))
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContainingAll(record + " is a directory", "move it away");
    Path log = Files.createDirectory(directory.resolve("b.log"));
    assertThatThrownBy(() -> vault.openLog("b"))
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContaining(log + " is a directory");
  }

  /** Whoever lists them loads or deletes them next. */
  @Test
  void whatNoRecordOrLogIsCalledIsNotListed() throws IOException {
    vault.save("a", out -> out.write(1));
    vault.openLog("b-1").close();
    for (String name : List.of("X.log", "b_1.log", "a1.record", "A.record", ".record")) {
      Files.createFile(directory.resolve(name));
    }
    assertThat(vault.names()).containsExactly("a");
    assertThat(vault.logs()).containsExactly("b-1");
  }

  @Test
  void aFailedSaveLeavesNoFileAside() throws IOException {
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
  void aLinkInPlaceOfARecordOrLogIsNotFollowed() throws IOException {
    Path other = Files.writeString(temporary.resolve("other"), "secret");
    Path record = Files.createSymbolicLink(directory.resolve("a.record"), other);
    assertThatThrownBy(() -> vault.load("a"))
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContaining(record + " is a symbolic link");
    Path absent = temporary.resolve("absent");
    for (Path target : new Path[] {other, absent}) {
      Path log = Files.createSymbolicLink(directory.resolve("b.log"), target);
      assertThatThrownBy(() -> vault.openLog("b"))
          .isInstanceOf(StoreDamagedException.class)
          .hasMessageContaining(log + " is a symbolic link");
      vault.deleteLog("b");
    }
    vault.save("a", out -> out.write(1));
    assertThat(load("a")).containsExactly(1);
    assertThat(absent).doesNotExist();
    assertThat(other).hasContent("secret");
  }

  @Test
  void aLinkInPlaceOfItsDirectoryIsNotFollowed() throws IOException {
    Path other = temporary.resolve("other");
    FileVault.open(other).save("a", out -> out.write(1));
    FileVault.open(other).openLog("b").close();
    Files.write(other.resolve("a.record.aside"), new byte[1]);
    Map<String, String> before = Directories.contents(other);
    vault.save("c", out -> out.write(2));
    FileVault.delete(directory);
    Files.createSymbolicLink(directory, other);
    assertLinkRefused(() -> FileVault.open(directory));
    assertLinkRefused(() -> vault.save("a", out -> out.write(2)));
    assertLinkRefused(() -> vault.openLog("b"));
    assertLinkRefused(() -> vault.deleteLog("b"));
    assertLinkRefused(() -> vault.load("a"));
    assertLinkRefused(vault::names);
    FileVault.delete(directory);
    assertThat(directory).doesNotExist();
    assertThat(Directories.contents(other)).isEqualTo(before);
  }

  private void assertLinkRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContainingAll(directory + " is a symbolic link", "--state-dir", "delete it");
  }

  @Test
  void aParentMayBeALink() throws IOException {
    vault.save("a", out -> out.write(1));
    Path link = Files.createSymbolicLink(temporary.resolve("link"), temporary);
    assertThat(FileVault.open(link.resolve("vault")).names()).containsExactly("a");
  }
}
