package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.IntegrityException;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.StaleRecordsException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.HeldVault;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.Rings;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.memory.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The client's records are copied, and put back after more accesses that were acknowledged; the
 * store is as the client left it, closed or killed. How many accesses may be lost so without being
 * noticed is what docs/threat-model.md says.
 */
final class StaleRecordsTest {

  private static final int BLOCKS = 64;
  private static final int BLOCK_BYTES = 512;

  @TempDir Path directory;

  private final MasterKey key = MasterKey.generate();
  private int copies;

  @AfterEach
  void wipe() {
    key.close();
  }

  private static OramConfig config(String scheme, long treetopBytes) {
    if ("ring".equals(scheme)) {
      return Rings.small(BLOCKS, BLOCK_BYTES, 4);
    }
    boolean recursive = scheme.endsWith("-recursive");
    OramConfig.Builder builder =
        OramConfig.builder(BLOCKS)
            .scheme(scheme.replaceAll("-(recursive|file)$", ""))
            .blockBytes(BLOCK_BYTES)
            .maxRangeBlocks(4);
    if (recursive) {
      builder.positionMap("recursive").set("blocksPerMapBlock", 4).set("clientLabels", 4);
    }
    return scheme.equals("detwo") ? builder.build() : builder.treetopBytes(treetopBytes).build();
  }

  private OpenOptions options(String scheme, Durability durability) throws IOException {
    OpenOptions options = OpenOptions.defaults().withDurability(durability);
    return scheme.endsWith("-file")
        ? options.withMapDirectory(Files.createDirectories(directory.resolve("map")))
        : options;
  }

  private Path store() {
    return directory.resolve("store");
  }

  private Path state() {
    return directory.resolve("state");
  }

  private static StoreOptions at(Path state) {
    return StoreOptions.defaults().with(StoreOptions.STATE_DIRECTORY, state);
  }

  private OpenedStore create(OramConfig config) throws IOException {
    return Stores.create("file:" + store(), Orams.storeBytes(config), at(state()));
  }

  /** A copy of what is in a directory now. */
  private Path copyOf(Path from) throws IOException {
    Path to = directory.resolve("copy-" + copies++);
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
    return to;
  }

  private static ByteBuffer block(int value) {
    return ByteBuffer.allocate(BLOCK_BYTES).put(0, (byte) value);
  }

  /** The first byte of a block, in a store that is opened with these records. */
  private int opened(Path store, Path state, int block) throws IOException {
    try (OpenedStore opened = Stores.open("file:" + store, at(state));
        Oram oram = Orams.open(opened.store(), opened.vault(), key)) {
      return oram.read(block, 1).get(0);
    }
  }

  /** Refused with the right remedy, and with the same words as often as it is tried. */
  private void assertRefused(Path store, Path state) {
    for (int again = 0; again < 2; again++) {
      assertThatThrownBy(() -> opened(store, state, 0))
          .isInstanceOf(StaleRecordsException.class)
          .hasMessageContaining("older than store")
          .hasMessageContaining("Restore the newest of the client's records")
          .hasMessageContaining("nothing was changed");
    }
  }

  /** No window: one more access, and the copy is refused, whether it read or wrote. */
  @ParameterizedTest
  @CsvSource({
    "roram, SYNC, 0",
    "roram, FLUSH, 0",
    "roram, SYNC, 67108864",
    "roram-file, SYNC, 0",
    "roram-recursive, SYNC, 0",
    "roram-recursive, FLUSH, 67108864",
    "path-batched, SYNC, 67108864",
    "path-batched-recursive, FLUSH, 0",
    "tao, SYNC, 0",
    "tao, FLUSH, 67108864",
    "ring, SYNC, 0",
    "ring, FLUSH, 0"
  })
  void oneAcknowledgedAccessIsNoticed(String scheme, Durability mode, long treetop)
      throws IOException {
    OramConfig config = config(scheme, treetop);
    try (OpenedStore opened = create(config);
        Oram oram =
            Orams.create(opened.store(), opened.vault(), config, key, options(scheme, mode))) {
      for (int access = 0; access < 4; access++) {
        oram.write(access, block(access));
        Path older = copyOf(state());
        if (access % 2 == 0) {
          oram.write(access, block(-1));
        } else {
          oram.read(access, 1);
        }
        assertRefused(copyOf(store()), older);
        // What was there when the process died is no copy.
        assertThat(opened(copyOf(store()), copyOf(state()), access))
            .isEqualTo(access % 2 == 0 ? -1 : access);
      }
    }
  }

  /** A write of detwo is witnessed with the next one: one may be lost unnoticed, two are not. */
  @ParameterizedTest
  @ValueSource(strings = {"plain", "eager", "parallel", "eager-parallel"})
  void detWoLosesOneWriteAtMost(String form) throws IOException {
    OramConfig config = config("detwo", 0).toBuilder().set("form", form).build();
    OpenOptions options = options("detwo", Durability.SYNC);
    try (OpenedStore opened = create(config);
        Oram oram = Orams.create(opened.store(), opened.vault(), config, key, options)) {
      oram.write(1, block(1));
      oram.write(1, block(2));
      Path older = copyOf(state());
      oram.read(1, 1);
      oram.write(1, block(3));
      assertThat(opened(copyOf(store()), copyOf(older), 1)).isEqualTo(2);
      oram.write(1, block(4));
      assertRefused(copyOf(store()), older);
    }
  }

  /** With os nothing is durable before a checkpoint or a flush: that is how far it goes. */
  @Test
  void withOsTheLastFlushIsWitnessed() throws IOException {
    OramConfig config = config("roram", 0);
    try (OpenedStore opened = create(config);
        Oram oram =
            Orams.create(
                opened.store(), opened.vault(), config, key, options("roram", Durability.OS))) {
      oram.write(1, block(1));
      Path older = copyOf(state());
      oram.write(1, block(2));
      assertThat(opened(copyOf(store()), copyOf(older), 1)).isEqualTo(1);
      oram.flush();
      oram.write(1, block(3));
      assertRefused(copyOf(store()), older);
    }
  }

  /** Each opening that changes anything, and each closing, is witnessed in every mode. */
  @ParameterizedTest
  @CsvSource({
    "path, NONE",
    "roram, NONE",
    "roram, OS",
    "detwo, FLUSH",
    "tao, OS",
    "ring, OS",
    "ring, NONE"
  })
  void anEarlierOpeningIsNoticed(String scheme, Durability mode) throws IOException {
    OramConfig config = config(scheme, 0);
    OpenOptions options = options(scheme, mode);
    Path older;
    try (OpenedStore opened = create(config)) {
      Orams.create(opened.store(), opened.vault(), config, key, options).close();
      older = copyOf(state());
      try (Oram oram = Orams.open(opened.store(), opened.vault(), key, options)) {
        oram.write(1, block(1));
      }
    }
    assertRefused(store(), older);
    assertThat(opened(store(), state(), 1)).isEqualTo(1);
  }

  /** Of accesses that overlap, those that were answered before another one was begun. */
  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched", "tao"})
  void overlappedAccessesAreNoticed(String scheme) throws IOException {
    OramConfig config = config(scheme, 0);
    OpenOptions options = options(scheme, Durability.SYNC).withInFlight(4);
    try (OpenedStore opened = create(config);
        AsyncOram oram =
            Orams.create(opened.store(), opened.vault(), config, key, options).async()) {
      oram.write(1, block(1)).join();
      Path older = copyOf(state());
      oram.write(2, block(2)).join();
      assertRefused(copyOf(store()), older);
    }
  }

  /** A checkpoint is held back, and the generation that was begun for it is deleted. */
  @Test
  void aJournalWithoutItsLastGenerationIsNoticed() throws IOException {
    OramConfig config = config("roram", 0);
    HeldVault vault = new HeldVault();
    OpenOptions options =
        OpenOptions.defaults()
            .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES)
            .withBackgroundCheckpoints(false);
    MemoryStore store = new MemoryStore(Orams.storeBytes(config));
    Orams.create(store, vault, config, key).close();
    Oram oram = Orams.open(store, vault, key, options);
    oram.write(1, block(0));
    vault.failSaves(Integer.MAX_VALUE);
    for (int access = 0; vault.logs().size() < 3; access++) {
      oram.write(access % BLOCKS, block(1));
    }
    oram.write(1, block(2));
    List<String> logs = vault.logs().stream().sorted().toList();
    HeldVault cut = vault.withoutLog(logs.get(logs.size() - 1));
    HeldVault twice = cut.withoutLog(logs.get(logs.size() - 2));
    for (HeldVault records : List.of(cut, twice)) {
      assertThatThrownBy(() -> Orams.open(store, records, key))
          .isInstanceOf(StaleRecordsException.class);
    }
  }

  /** What is put back together needs a rollback guard. */
  @Test
  void bothTogetherAreNot() throws IOException {
    OramConfig config = config("roram", 0);
    try (OpenedStore opened = create(config);
        Oram oram = Orams.create(opened.store(), opened.vault(), config, key)) {
      oram.write(1, block(1));
      Path olderState = copyOf(state());
      Path olderStore = copyOf(store());
      oram.write(1, block(2));
      assertThat(opened(olderStore, olderState, 1)).isEqualTo(1);
    }
  }

  /** A store that lost its watermark is another thing than older records. */
  @Test
  void aLostWatermarkIsNamed() throws IOException {
    OramConfig config = config("roram", 0);
    try (OpenedStore opened = create(config)) {
      Orams.create(opened.store(), opened.vault(), config, key).close();
    }
    Files.write(store().resolve("watermark"), new byte[1024]);
    assertThatThrownBy(() -> opened(store(), state(), 0))
        .isExactlyInstanceOf(IntegrityException.class)
        .hasMessageContaining("watermark of the client's records and has none")
        .hasMessageContaining("from a copy of the store");
    Files.delete(store().resolve("watermark"));
    assertThatThrownBy(() -> opened(store(), state(), 0)).isInstanceOf(IntegrityException.class);
  }

  /** One stripe and the records with it: the other stripes witness what is missing. */
  @Test
  void oneStripeWithItsVaultIsNoticed() throws IOException {
    OramConfig config = config("roram", 0);
    Path first = directory.resolve("first");
    String uri = "striped:file:" + first + ",file:" + directory.resolve("second");
    Path older;
    try (OpenedStore opened =
        Stores.create(uri, Orams.storeBytes(config), StoreOptions.defaults())) {
      try (Oram oram = Orams.create(opened.store(), opened.vault(), config, key)) {
        oram.write(1, block(1));
      }
      older = copyOf(first);
      try (Oram oram = Orams.open(opened.store(), opened.vault(), key)) {
        oram.write(1, block(2));
      }
    }
    Files.move(first, directory.resolve("newest"));
    Files.move(older, first);
    try (OpenedStore opened = Stores.open(uri, StoreOptions.defaults())) {
      assertThatThrownBy(() -> Orams.open(opened.store(), opened.vault(), key))
          .isInstanceOf(StaleRecordsException.class);
    }
  }
}
