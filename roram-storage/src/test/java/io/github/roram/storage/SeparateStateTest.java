package io.github.roram.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.store.ClientVault;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreLockedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores in files whose client's records are in a directory of their own. */
final class SeparateStateTest {

  private static final OramConfig CONFIG =
      OramConfig.builder(100).blockBytes(512).maxRangeBlocks(4).treetopBytes(0).build();

  private static final StoreOptions PLAIN =
      FileOptions.defaults().withSegmentBytes(1 << 20).storeOptions();

  @TempDir Path temporary;

  private Path directory;
  private Path state;
  private String uri;
  private StoreOptions options;

  @BeforeEach
  void name() {
    directory = temporary.resolve("store");
    state = temporary.resolve("disk").resolve("state");
    uri = "file:" + directory;
    options = PLAIN.withStateDirectory(state);
  }

  private static void create(String uri, StoreOptions options, MasterKey key) throws IOException {
    try (OpenedStore opened = Stores.create(uri, Orams.storeBytes(CONFIG), options);
        Oram oram = Orams.create(opened.store(), opened.vault(), CONFIG, key)) {
      oram.write(3, ByteBuffer.allocate(512).put(0, (byte) 5));
    }
  }

  private void assertReadable(StoreOptions how, MasterKey key) throws IOException {
    try (OpenedStore opened = Stores.open(uri, how);
        Oram oram = Orams.open(opened.store(), opened.vault(), key)) {
      assertThat(oram.read(3, 1).get(0)).isEqualTo((byte) 5);
      assertThat(oram.verify((done, total) -> {}).clean()).isTrue();
    }
  }

  @Test
  void everythingOfTheClientIsThereAndNothingBesideTheSegments() throws IOException {
    try (MasterKey key = MasterKey.generate();
        MasterKey next = MasterKey.generate()) {
      create(uri, options, key);
      assertThat(directory.resolve("vault")).doesNotExist();
      assertThat(state.resolve("vault").resolve("state.record")).exists();
      assertReadable(options, key);
      try (OpenedStore opened = Stores.open(uri, options)) {
        Orams.rekey(opened.store(), opened.vault(), key, next, bytes -> {});
      }
      assertReadable(options, next);
      assertThat(directory.resolve("vault")).doesNotExist();
    }
    Stores.delete(uri, options);
    assertThat(directory).doesNotExist();
    assertThat(state).doesNotExist();
  }

  @Test
  void theStoresOwnDirectoryIsTheDefault() throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      create(uri, PLAIN.withStateDirectory(directory.resolve(".")), key);
      assertThat(directory.resolve("state.pair")).doesNotExist();
      assertReadable(PLAIN, key);
      assertReadable(PLAIN.withStateDirectory(directory), key);
    }
  }

  @Test
  void theWrongPlaceIsNamed() throws IOException {
    Path beside = directory.resolve("vault");
    try (MasterKey key = MasterKey.generate()) {
      create(uri, options, key);
      assertThatThrownBy(() -> Stores.open(uri, PLAIN))
          .isInstanceOf(NoSuchFileException.class)
          .hasMessageContainingAll(beside.toString(), "--state-dir");
      assertThatThrownBy(() -> Stores.delete(uri, PLAIN)).isInstanceOf(NoSuchFileException.class);
      Path nowhere = temporary.resolve("nowhere");
      assertThatThrownBy(() -> Stores.open(uri, PLAIN.withStateDirectory(nowhere)))
          .isInstanceOf(NoSuchFileException.class)
          .hasMessageContainingAll(nowhere.toString(), beside.toString());
      assertThat(nowhere).doesNotExist();
      assertReadable(options, key);
    }
  }

  @Test
  void aStoreWithItsRecordsBesideItTakesNoStateDirectory() throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      create(uri, PLAIN, key);
      assertThatThrownBy(() -> Stores.open(uri, options))
          .isInstanceOf(NoSuchFileException.class)
          .hasMessageContainingAll(state.toString(), directory.resolve("vault").toString());
      // Moved there by hand, they are found.
      Files.createDirectories(state);
      Files.move(directory.resolve("vault"), state.resolve("vault"));
      assertReadable(options, key);
    }
  }

  @Test
  void recordsOfAnotherStoreAreNeitherUsedNorOverwrittenNorDeleted() throws IOException {
    Path otherState = temporary.resolve("other-state");
    StoreOptions other = PLAIN.withStateDirectory(otherState);
    try (MasterKey key = MasterKey.generate()) {
      create(uri, options, key);
      assertThatThrownBy(() -> Stores.create("file:" + temporary.resolve("b"), 10_000, options))
          .isInstanceOf(FileAlreadyExistsException.class)
          .hasMessageContaining(state.toString());
      assertThat(temporary.resolve("b")).doesNotExist();
      create("file:" + temporary.resolve("c"), other, key);
      assertThatThrownBy(() -> Stores.open(uri, other))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContainingAll(otherState.toString(), directory.toString());
      assertThatThrownBy(() -> Stores.delete(uri, other))
          .isInstanceOf(ConfigurationException.class);
      String remoteState = "file:" + temporary.resolve("d");
      create(remoteState, PLAIN, key);
      assertThatThrownBy(() -> Stores.delete(remoteState, options))
          .isInstanceOf(ConfigurationException.class);
      assertReadable(options, key);
    }
  }

  /** It may be all that is left of the records of the store that was there. */
  @Test
  void aCopyOfRecordsIsNotOverwrittenByANewStore() throws IOException {
    Path copy = Files.createDirectories(directory.resolve("client-copy"));
    Files.write(copy.resolve("state.record"), new byte[] {1});
    StoreOptions copied = options.with(ClientCopy.OPTION, ClientCopy.ALL.word());
    assertThatThrownBy(() -> Stores.create(uri, 100_000, copied))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(copy.toString());
    assertThat(copy.resolve("state.record")).hasBinaryContent(new byte[] {1});
    assertThat(state).doesNotExist();
  }

  @Test
  void noTwoClientsUseOneStateDirectory() throws IOException {
    try (OpenedStore created = Stores.create(uri, 10_000, options)) {
      assertThatThrownBy(() -> Stores.create("file:" + temporary.resolve("b"), 10_000, options))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining(state.toString());
      assertThatThrownBy(() -> Stores.open(uri, options)).isInstanceOf(StoreLockedException.class);
      assertThatThrownBy(() -> Stores.delete(uri, options))
          .isInstanceOf(StoreLockedException.class);
      created.vault().save("state", out -> out.write(5));
    }
    try (OpenedStore opened = Stores.open(uri, options)) {
      assertThat(opened.vault().load("state")).isPresent();
    }
  }

  /** The store's disk has the copy's place lead to the records of another store. */
  @Test
  void theCopyOverwritesNoRecordsOfAnotherStore() throws IOException {
    StoreOptions copied = options.with(ClientCopy.OPTION, "all");
    Path otherState = temporary.resolve("other-state");
    Path copy = directory.resolve("client-copy");
    try (MasterKey key = MasterKey.generate()) {
      create("file:" + temporary.resolve("other"), PLAIN.withStateDirectory(otherState), key);
      Map<String, String> before = Directories.contents(otherState.resolve("vault"));
      create(uri, copied, key);
      try (OpenedStore opened = Stores.open(uri, options)) {
        Files.move(copy, temporary.resolve("aside"));
        Files.createSymbolicLink(copy, otherState.resolve("vault"));
        assertThatThrownBy(() -> opened.vault().save("epoch", out -> out.write(1)))
            .isInstanceOf(StoreDamagedException.class)
            .hasMessageContaining(copy + " is a symbolic link");
      }
      for (StoreOptions how : List.of(options, copied)) {
        assertThatThrownBy(() -> Stores.open(uri, how))
            .isInstanceOf(StoreDamagedException.class)
            .hasMessageContaining(copy + " is a symbolic link");
      }
      assertThat(Directories.contents(otherState.resolve("vault"))).isEqualTo(before);
      Stores.delete(uri, options);
      assertThat(directory).doesNotExist();
      assertThat(Directories.contents(otherState.resolve("vault"))).isEqualTo(before);
    }
  }

  /** What a link in the copy leads to would come back to the store with the next change. */
  @Test
  void aRestoreTakesNoOtherFilesOfTheUser() throws IOException {
    Path secret = Files.writeString(temporary.resolve("my.key"), "secret");
    Path planted = directory.resolve("client-copy").resolve("x.record");
    StoreOptions fresh = PLAIN.withStateDirectory(temporary.resolve("fresh"));
    try (MasterKey key = MasterKey.generate()) {
      create(uri, options.with(ClientCopy.OPTION, "all"), key);
      Files.createSymbolicLink(planted, secret);
      try (LostClient lost = Stores.openLost(uri, fresh);
          LostClient.Place place = lost.place()) {
        ClientVault copy = lost.copy().orElseThrow();
        assertThatThrownBy(() -> Orams.restoreVault(copy, place.vault()))
            .isInstanceOf(StoreDamagedException.class)
            .hasMessageContainingAll(planted + " is a symbolic link", "delete it");
        assertThat(place.vault().names()).doesNotContain("x");
        Files.delete(planted);
        Orams.restoreVault(copy, place.vault());
      }
      assertReadable(fresh, key);
      assertThat(planted).doesNotExist();
    }
  }

  /** What the user names may be links: they are not the store's. */
  @Test
  void theStoresAndTheStateDirectoryMayBeLinks() throws IOException {
    Path places = Files.createDirectories(temporary.resolve("places"));
    Files.createDirectories(places.resolve("state"));
    Files.createDirectories(places.resolve("store"));
    Files.createSymbolicLink(directory, places.resolve("store"));
    Files.createDirectories(state.getParent());
    Files.createSymbolicLink(state, places.resolve("state"));
    StoreOptions copied = options.with(ClientCopy.OPTION, "all");
    try (MasterKey key = MasterKey.generate()) {
      create(uri, copied, key);
      assertReadable(options, key);
      assertThat(places.resolve("store").resolve("client-copy")).isDirectory();
      assertThat(places.resolve("state").resolve("vault")).isDirectory();
    }
  }
}
