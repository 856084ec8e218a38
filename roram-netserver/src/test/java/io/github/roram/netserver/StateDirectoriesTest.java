package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.UncleanShutdownException;
import io.github.roram.client.Backup;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.ClientCopy;
import io.github.roram.storage.LostClient;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreLockedException;
import io.github.roram.testkit.Ports;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A state directory in which nothing was recorded is as it was before its volume was opened. */
final class StateDirectoriesTest {

  private static final OramConfig CONFIG =
      OramConfig.builder(16).maxRangeBlocks(4).treetopBytes(0).build();

  @TempDir Path directory;
  private final MasterKey key = MasterKey.generate();
  private BlockServer server;
  private String uri;

  @BeforeEach
  void createStore() throws IOException {
    server =
        BlockServer.start(
            ServerConfig.loopback(
                Ports.free(1),
                new FileBacking(directory.resolve("server"), FileOptions.defaults())));
    uri = "tcp://127.0.0.1:" + server.address().getPort() + "/volume";
    try (OpenedStore store = Stores.create(uri, Orams.storeBytes(CONFIG), in("state"));
        Oram oram = Orams.create(store.store(), store.vault(), CONFIG, key)) {
      oram.read(0, 1);
    }
  }

  @AfterEach
  void closeServer() {
    server.close();
    key.close();
  }

  private StoreOptions in(String name) {
    return StoreOptions.defaults().withStateDirectory(directory.resolve(name));
  }

  /** An access list that names the store need not name a copy that is not kept. */
  @Test
  void aStoreWithoutACopyNeedsNoRightToOne() throws IOException {
    letIn("volume");
    try (LostClient lost = Stores.openLost(uri, in("other"))) {
      assertThat(lost.copy()).isEmpty();
    }
    Stores.delete(uri, in("state"));
    assertThat(Stores.exists(uri, in("state"))).isFalse();
    assertThat(directory.resolve("state")).doesNotExist();
  }

  @Test
  void aCreationThatIsRefusedLeavesNoVolume() throws IOException {
    letIn("volume-2");
    StoreOptions copied = in("state-2").with(ClientCopy.OPTION, "all");
    assertThatThrownBy(() -> Stores.create(uri + "-2", Orams.storeBytes(CONFIG), copied))
        .isInstanceOf(AccessDeniedException.class);
    assertThat(Stores.exists(uri + "-2", in("state-2"))).isFalse();
    assertThat(directory.resolve("state-2")).doesNotExist();
    create(uri + "-2", "state-2");
  }

  /** Starts the server again, which allows all of one volume and nothing else. */
  private void letIn(String only) throws IOException {
    int port = server.address().getPort();
    server.close();
    server =
        BlockServer.start(
            ServerConfig.loopback(
                    port, new FileBacking(directory.resolve("server"), FileOptions.defaults()))
                .withAccess(
                    credentials -> Optional.of(ClientIdentity.ANONYMOUS),
                    (client, volume, action) -> volume.equals(only)));
  }

  @Test
  void anotherThanTheStoresIsLeftAsItWas() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    for (String other : new String[] {"none", "empty"}) {
      assertThatThrownBy(() -> openOram(other)).isInstanceOf(UncleanShutdownException.class);
    }
    assertThat(directory.resolve("none")).doesNotExist();
    assertThat(empty).isEmptyDirectory();
    openOram("state");
  }

  @Test
  void thatOfARefusedClientIsGone() throws IOException {
    try (OpenedStore held = Stores.open(uri, in("state"))) {
      assertThatThrownBy(() -> Stores.open(uri, in("refused")))
          .isInstanceOf(StoreLockedException.class);
      held.store().sync();
    }
    assertThatThrownBy(() -> Stores.open(uri + "-none", in("refused")))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(directory.resolve("refused")).doesNotExist();
  }

  @Test
  void oneThatCannotBeLeavesNoVolume() throws IOException {
    Files.createFile(directory.resolve("file"));
    String other = uri + "-2";
    assertThatThrownBy(() -> create(other, "file/state")).isInstanceOf(IOException.class);
    create(other, "state-2");
    assertThatThrownBy(() -> create(other, "state-3"))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(directory.resolve("state-3")).doesNotExist();
  }

  private void create(String volume, String state) throws IOException {
    Stores.create(volume, Orams.storeBytes(CONFIG), in(state)).close();
  }

  /** The copy of a store's records goes with it, if not at once. */
  @Test
  void aDeletionThatWasBrokenOffIsEnded() throws IOException {
    RemoteAddress copy = RemoteAddress.ofStore(uri + "-client").orElseThrow();
    RemoteVolumes.create(copy, 1 << 20, RemoteOptions.defaults());
    for (int time = 0; time < 2; time++) {
      try (RemoteStore held = RemoteStore.open(copy, RemoteOptions.defaults(), LeaseKeeper.NONE)) {
        assertThatThrownBy(() -> Stores.delete(uri, in("state")))
            .isInstanceOf(StoreLockedException.class);
        held.sync();
      }
    }
    Stores.delete(uri, in("state"));
    assertThat(RemoteVolumes.exists(copy, RemoteOptions.defaults())).isFalse();
    assertThat(directory.resolve("state")).doesNotExist();
    // Of a store that there is not, it is no copy.
    RemoteVolumes.create(copy, 1 << 20, RemoteOptions.defaults());
    assertThatThrownBy(() -> Stores.delete(uri, in("state")))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(RemoteVolumes.exists(copy, RemoteOptions.defaults())).isTrue();
  }

  /** Neither of one that is there, nor of one that a server has lost. */
  @Test
  void aMistypedNameDeletesNoRecords() throws IOException {
    openOram("state");
    for (int time = 0; time < 2; time++) {
      assertThatThrownBy(() -> Stores.delete(uri + "s", in("state")))
          .isInstanceOf(NoSuchFileException.class)
          .hasMessageContainingAll(uri + "s", directory.resolve("state").toString(), "another");
    }
    openOram("state");
  }

  /** Neither later, when the store that was in use is gone, nor is a directory left. */
  @Test
  void aRefusedDeletionNotesNothing() throws IOException {
    create(uri + "-2", "state-2");
    try (OpenedStore held = Stores.open(uri + "-2", in("state-2"))) {
      for (String other : new String[] {"refused", "state"}) {
        assertThatThrownBy(() -> Stores.delete(uri + "-2", in(other)))
            .isInstanceOf(StoreLockedException.class);
      }
      held.store().sync();
    }
    assertThat(directory.resolve("refused")).doesNotExist();
    Stores.delete(uri + "-2", in("state-2"));
    assertThatThrownBy(() -> Stores.delete(uri + "-2", in("state")))
        .isInstanceOf(NoSuchFileException.class);
    openOram("state");
  }

  private void openOram(String state) throws IOException {
    try (OpenedStore store = Stores.open(uri, in(state));
        Oram oram = Orams.open(store.store(), store.vault(), key)) {
      oram.read(0, 1);
    }
  }

  @Test
  void thatOfAVolumeWithSomethingElseThanBackupsIsGone() throws IOException {
    try (Backup backup = Backup.at(uri, in("backup"))) {
      assertThatThrownBy(backup::points).isInstanceOf(StoreDamagedException.class);
    }
    assertThat(directory.resolve("backup")).doesNotExist();
    openOram("state");
  }
}
