package io.github.roram.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.store.StoreLockedException;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoresTest {

  private static final StoreOptions SMALL =
      FileOptions.defaults().withSegmentBytes(8192).storeOptions();
  private static final byte[] CONTENT = Batches.noise(30_000, 1);

  @TempDir Path temporary;
  private Path directory;
  private String uri;

  @BeforeEach
  void name() {
    directory = temporary.resolve("a").resolve("store");
    uri = "file:" + directory;
  }

  @Test
  void aStoreInFilesKeepsUnitsAndRecordsUntilItIsDeleted() throws IOException {
    assertThat(Stores.exists(uri)).isFalse();
    try (OpenedStore created = Stores.create(uri, 30_000, SMALL)) {
      Batches.write(created.store(), Batches.of(30_000, 0, 1), CONTENT);
      created.vault().save("state", out -> out.write(5));
    }
    assertThat(Stores.exists(uri)).isTrue();
    try (OpenedStore opened = Stores.open(uri, StoreOptions.defaults())) {
      assertThat(opened.store().capacityBytes()).isEqualTo(30_000);
      assertThat(Batches.read(opened.store(), Batches.of(30_000, 0, 1))).isEqualTo(CONTENT);
      try (var record = opened.vault().load("state").orElseThrow()) {
        assertThat(record.readAllBytes()).containsExactly(5);
      }
    }
    Stores.delete(uri);
    assertThat(Stores.exists(uri)).isFalse();
    assertThat(directory).doesNotExist();
  }

  @Test
  void anInterruptedCallerCreatesOpensAndDeletes() throws IOException {
    Thread.currentThread().interrupt();
    try {
      Stores.create(uri, 30_000, SMALL).close();
      Stores.open(uri, SMALL).close();
      Stores.delete(uri);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(directory).doesNotExist();
  }

  @Test
  void foreignFilesAreLeftAlone() throws IOException {
    Files.createDirectories(directory.resolve("vault"));
    Path mine = Files.writeString(directory.resolve("notes"), "mine", StandardCharsets.UTF_8);
    Path inVault = Files.writeString(directory.resolve("vault/N"), "m", StandardCharsets.UTF_8);
    Stores.create(uri, 30_000, SMALL).close();
    Stores.open(uri, SMALL).close();
    Stores.delete(uri);
    assertThat(directory).isDirectoryContaining(mine::equals);
    assertThat(inVault).exists();
    assertThat(Directories.list(directory)).containsExactlyInAnyOrder(mine, inVault.getParent());
  }

  @Test
  void anExistingStoreIsNeitherReplacedNorDeletedWhileOpen() throws IOException {
    try (OpenedStore created = Stores.create(uri, 30_000, SMALL)) {
      Batches.write(created.store(), Batches.of(30_000, 0, 1), CONTENT);
      assertThatThrownBy(() -> Stores.create(uri, 10, SMALL))
          .isInstanceOf(StoreLockedException.class);
      assertThatThrownBy(() -> Stores.delete(uri)).isInstanceOf(StoreLockedException.class);
      assertThatThrownBy(() -> Stores.open(uri, SMALL))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining(directory.toString());
    }
    assertThatThrownBy(() -> Stores.create(uri, 10, SMALL))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("open it, or delete it first");
    try (OpenedStore opened = Stores.open(uri, SMALL)) {
      assertThat(Batches.read(opened.store(), Batches.of(30_000, 0, 1))).isEqualTo(CONTENT);
    }
  }

  @Test
  void whatIsNotThereCannotBeOpenedOrDeleted() {
    assertThatThrownBy(() -> Stores.open(uri, SMALL))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("holds no store");
    assertThatThrownBy(() -> Stores.delete(uri)).isInstanceOf(NoSuchFileException.class);
    assertThat(directory).doesNotExist();
  }

  @Test
  void whoMistypesAPathIsShownTheStoresNextToIt() throws IOException {
    Stores.create(uri, 30_000, SMALL).close();
    assertThatThrownBy(() -> Stores.open(uri + "x", SMALL))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("does not exist")
        .hasMessageContaining("stores in " + directory.getFileName());
  }

  @Test
  void aStoreInMemoryCanOnlyBeCreated() throws IOException {
    try (OpenedStore store = Stores.create("mem:", 30_000, SMALL)) {
      Batches.write(store.store(), Batches.of(30_000, 0, 1), CONTENT);
      store.vault().save("state", out -> out.write(5));
      assertThat(store.vault().load("state")).isPresent();
    }
    assertThat(Stores.exists("mem:")).isFalse();
    assertThatThrownBy(() -> Stores.open("mem:", SMALL))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("none to open");
    assertThatThrownBy(() -> Stores.delete("mem:")).isInstanceOf(ConfigurationException.class);
  }

  @Test
  void badUrisNameTheKnownKinds() {
    assertThatThrownBy(() -> Stores.exists("/data/store"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("write file:/data/store")
        .hasMessageContaining("mem:");
    assertThatThrownBy(() -> Stores.exists("ftp:host"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("unknown kind \"ftp\"")
        .hasMessageContaining("mem:")
        .hasMessageContaining("file:DIR");
    assertThatThrownBy(() -> Stores.exists("mem:x")).hasMessageContaining("nothing may follow");
    assertThatThrownBy(() -> Stores.exists("file:")).hasMessageContaining("names no directory");
    assertThatThrownBy(() -> Stores.exists("file:a\0b")).hasMessageContaining("no valid path");
  }

  @Test
  void segmentsAreWholeGranules() {
    for (long segmentBytes : new long[] {0, -4096, 5000}) {
      assertThatThrownBy(() -> FileOptions.defaults().withSegmentBytes(segmentBytes))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("segmentBytes is " + segmentBytes);
    }
  }
}
