package io.github.roram.storage.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.client.Backup;
import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.github.roram.crypto.MasterKey;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreDeletion;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.file.StateDirectory;
import io.github.roram.storage.view.RecordedStore;
import io.github.roram.storage.view.ViewRecorder;
import io.github.roram.store.StoreLockedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code objects:DIR} from the front door: what it makes, what it refuses, what it leaves. */
final class ObjectStoreProviderTest {

  private static final int UNIT = 32;

  @TempDir Path directory;

  private final MasterKey key = MasterKey.generate();

  @AfterEach
  void closeKey() {
    key.close();
  }

  private String uri() {
    return "objects:" + directory.resolve("store");
  }

  private StoreOptions options() {
    return options("state");
  }

  private StoreOptions options(String state) {
    return StoreOptions.defaults().withStateDirectory(directory.resolve(state));
  }

  private Roram at() {
    return Roram.at(uri()).store(options()).key(Key.of(key));
  }

  private static void small(OramConfig.Builder builder) {
    builder.blocks(2000).blockBytes(512).maxRangeBlocks(8).treetopBytes(1 << 14);
  }

  private long files() throws IOException {
    try (Stream<Path> all = Files.walk(directory.resolve("store"))) {
      return all.filter(Files::isRegularFile).count();
    }
  }

  @Test
  void whatWasWrittenIsThereAndDeletingLeavesNothing() throws IOException {
    byte[] bytes = {1, 2, 3, 4, 5};
    try (Oram oram = at().create(ObjectStoreProviderTest::small)) {
      assertThat(TreeParameters.of(oram.config()).chunkPaths()).isEqualTo(UNIT);
      for (int i = 0; i < 300; i++) {
        oram.update(3000L * i, ByteBuffer.wrap(bytes));
      }
    }
    try (Oram oram = at().open()) {
      for (int i = 0; i < 300; i++) {
        assertThat(oram.readBytes(3000L * i, 5)).isEqualTo(bytes);
      }
      assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
      assertThatThrownBy(() -> at().open()).isInstanceOf(StoreLockedException.class);
      assertThatThrownBy(() -> at().delete()).isInstanceOf(StoreLockedException.class);
    }
    assertThatThrownBy(() -> at().create(ObjectStoreProviderTest::small))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(files()).isGreaterThan(1);
    at().delete();
    assertThat(directory).isEmptyDirectory();
    assertThatThrownBy(() -> at().delete()).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> at().open()).isInstanceOf(NoSuchFileException.class);
    assertThat(directory).isEmptyDirectory();
  }

  /** Not even after the store was deleted that they are of. */
  @Test
  void aMistypedNameDeletesNoRecords() throws IOException {
    at().create(ObjectStoreProviderTest::small).close();
    Roram mistyped = Roram.at(uri() + "s").store(options());
    assertThatThrownBy(mistyped::delete)
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContainingAll(uri() + "s", directory.resolve("state").toString(), "another");
    at().open().close();
    StoreDeletion cut =
        new StoreDeletion(uri(), () -> true, () -> Stores.delete(uri(), options("elsewhere")));
    StateDirectory.deleteStore(directory.resolve("state"), cut);
    assertThatThrownBy(mistyped::delete).isInstanceOf(NoSuchFileException.class);
    at().delete();
    at().create(ObjectStoreProviderTest::small).close();
  }

  @Test
  void whatCannotBeOnObjectsIsRefusedAndNothingIsMade() throws IOException {
    for (String scheme : List.of("tao", "path", "detwo")) {
      assertThatThrownBy(() -> at().create(b -> b.blocks(200).blockBytes(512).scheme(scheme)))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining(scheme)
          .hasMessageContaining("objects, which are written once");
    }
    assertThat(directory).isEmptyDirectory();
    String striped = "striped:" + uri() + ",mem:";
    assertThatThrownBy(() -> Stores.create(striped, 1000, options()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("no need of stripes");
  }

  /** Chunks become whole ones, windows as large as these need, whatever was asked for. */
  @Test
  void chunksAreCutToWhatAnObjectCanHave() throws IOException {
    OramConfig asked =
        OramConfig.builder(300)
            .blockBytes(512)
            .preset(Preset.PAPER)
            .maxRangeBlocks(8)
            .chunkPaths(100)
            .windowBlocks(1)
            .build();
    try (Oram oram = at().create(asked)) {
      TreeParameters became = TreeParameters.of(oram.config());
      assertThat(became.chunkPaths()).isEqualTo(64);
      assertThat(became.windowBlocks()).isEqualTo(became.blocksEvictedBy(64));
    }
    try (Oram oram = at().open()) {
      oram.read(0, 8);
    }
  }

  @Test
  void backupsAndViewsAreRefused() throws IOException {
    at().create(ObjectStoreProviderTest::small).close();
    Backup backup = Backup.in(directory.resolve("backup"));
    assertThatThrownBy(() -> at().backUp(backup, 1, bytes -> {}))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("cannot be backed up yet");
    assertThatThrownBy(() -> at().restore(backup, 0, true, bytes -> {}))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("restore it to files");
    Roram recorded = at().through(store -> new RecordedStore(store, new ViewRecorder()));
    assertThatThrownBy(recorded::open)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("no view");
  }

  /** The file of a position map would show to the engine what is accessed. */
  @Test
  void placesWithinAreKnown() throws IOException {
    at().create(ObjectStoreProviderTest::small).close();
    try (OpenedStore opened = Stores.open(uri(), options())) {
      assertThat(opened.store().isBeside(directory.resolve("store").resolve("map"))).isTrue();
      assertThat(opened.store().isBeside(directory.resolve("map"))).isFalse();
      Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("store"));
      assertThat(opened.store().isBeside(link)).isTrue();
      assertThat(opened.store().isBeside(link.resolve("to-be-made").resolve("map"))).isTrue();
      assertThat(opened.store().isBeside(link.resolve("..").resolve("map"))).isFalse();
    }
  }

  @Test
  void growsAndIsRekeyedAndCloned() throws IOException {
    byte[] bytes = {9, 8, 7};
    try (Oram oram = at().create(ObjectStoreProviderTest::small)) {
      oram.update(100, ByteBuffer.wrap(bytes));
      oram.grow(5000);
      oram.update(512L * 4999, ByteBuffer.wrap(bytes));
    }
    Roram copy = Roram.at("file:" + directory.resolve("copy")).key(Key.of(key));
    clone(at(), copy, 5000);
    Roram back =
        Roram.at("objects:" + directory.resolve("back"))
            .stateDirectory(directory.resolve("state of back"))
            .key(Key.of(key));
    clone(copy, back, 6000);
    for (Roram store : List.of(at(), copy, back)) {
      try (Oram oram = store.open()) {
        assertThat(oram.readBytes(100, 3)).isEqualTo(bytes);
        assertThat(oram.readBytes(512L * 4999, 3)).isEqualTo(bytes);
        assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
      }
    }
  }

  private void clone(Roram store, Roram copy, long blocks) throws IOException {
    store.cloneTo(
        copy,
        OptionalLong.of(blocks),
        (block, own, others) -> {},
        directory,
        (loading, done, total) -> {});
  }
}
