package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.IntegrityException;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.UncleanShutdownException;
import io.github.roram.WrongKeyException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.state.SuperblockDescriptor;
import io.github.roram.storage.HeldVault;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.testkit.FaultyStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32C;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A store is opened with its own key, configuration and client state, or not at all: each mistake
 * is an error of its own, and nothing is changed by it.
 */
final class ClientStateTest {

  private static final List<String> SCHEMES = List.of("path", "path-batched", "roram", "tao");
  private static final int SUPERBLOCK_CHECKSUM = 4092;

  private final MasterKey key = MasterKey.generate();
  private final HeldVault vault = new HeldVault();
  private final byte[] content = new byte[4 * 512];
  private MemoryStore memory = new MemoryStore(1);
  private FaultyStore store = new FaultyStore(memory);
  private OramConfig config = OramConfig.builder(1).build();

  @BeforeEach
  void noise() {
    new Random(1).nextBytes(content);
  }

  @AfterEach
  void close() {
    memory.close();
    key.close();
  }

  private void createWrittenAndClosed(String scheme) throws IOException {
    try (Oram oram = create(scheme)) {
      oram.write(3, ByteBuffer.wrap(content));
    }
  }

  private Oram create(String scheme) throws IOException {
    return create(scheme, OpenOptions.defaults());
  }

  private Oram create(String scheme, OpenOptions options) throws IOException {
    config =
        OramConfig.builder(100)
            .scheme(scheme)
            .blockBytes(512)
            .maxRangeBlocks(4)
            .windowBlocks(0)
            .build();
    memory = new MemoryStore(Orams.storeBytes(config));
    store = new FaultyStore(memory);
    return Orams.create(store, vault, config, key, options);
  }

  private void assertIntact() throws IOException {
    try (Oram oram = Orams.open(store, vault, config, key)) {
      assertThat(oram.read(3, 4).array()).isEqualTo(content);
    }
  }

  /** Puts a superblock into the store, as if it had been written so. */
  private void storeWithChecksum(byte[] superblock) throws IOException {
    CRC32C crc = new CRC32C();
    crc.update(superblock, 0, SUPERBLOCK_CHECKSUM);
    ByteBuffer.wrap(superblock).putInt(SUPERBLOCK_CHECKSUM, (int) crc.getValue());
    store.restore(0, superblock);
  }

  private void assertOpeningRefused(Class<? extends Exception> type, String... message)
      throws IOException {
    assertRefused(() -> Orams.open(store, vault, key), type, message);
  }

  private void assertRefused(
      ThrowingCallable opening, Class<? extends Exception> type, String... message)
      throws IOException {
    byte[] stored = store.snapshot(0, (int) store.capacityBytes());
    Map<String, byte[]> records = vault.snapshot();
    assertThatThrownBy(opening).isExactlyInstanceOf(type).hasMessageContainingAll(message);
    assertThat(store.snapshot(0, stored.length)).isEqualTo(stored);
    assertThat(vault.records()).containsExactlyEntriesOf(records);
  }

  @ParameterizedTest
  @FieldSource("SCHEMES")
  void aWrongKey(String scheme) throws IOException {
    createWrittenAndClosed(scheme);
    try (MasterKey wrong = MasterKey.generate()) {
      assertRefused(
          () -> Orams.open(store, vault, wrong),
          WrongKeyException.class,
          "the key does not belong to store " + Orams.inspect(store).storeId());
    }
    assertIntact();
  }

  @ParameterizedTest
  @FieldSource("SCHEMES")
  void aWrongConfiguration(String scheme) throws IOException {
    createWrittenAndClosed(scheme);
    OramConfig[] wrong = {
      config.toBuilder().bucketSlots(5).build(),
      config.toBuilder().treetopBytes(1 << 20).build(),
      OramConfig.builder(101).scheme(scheme).blockBytes(512).maxRangeBlocks(4).build(),
      OramConfig.builder(100).scheme(scheme).blockBytes(1024).maxRangeBlocks(4).build()
    };
    for (OramConfig other : wrong) {
      assertRefused(
          () -> Orams.open(store, vault, other, key),
          ConfigurationException.class,
          "the store was created with [" + config + "]",
          "not with [" + other + "]");
    }
    assertRefused(
        () -> Orams.create(store, vault, config, key),
        ConfigurationException.class,
        "holds an ORAM already");
    assertIntact();
    config = config.toBuilder().stashLimitBlocks(7000).build();
    assertIntact();
  }

  @ParameterizedTest
  @FieldSource("SCHEMES")
  void aStoreThatIsTooSmall(String scheme) throws IOException {
    createWrittenAndClosed(scheme);
    MemoryStore small = new MemoryStore(store.capacityBytes() - 1);
    assertThatThrownBy(() -> Orams.create(small, vault, config, key))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("this configuration needs " + store.capacityBytes());
    FaultyStore cut = new FaultyStore(small);
    cut.restore(0, store.snapshot(0, 4096));
    assertThatThrownBy(() -> Orams.open(cut, vault, key))
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContaining("part of it is missing");
    assertIntact();
  }

  @ParameterizedTest
  @FieldSource("SCHEMES")
  void aNewerFormat(String scheme) throws IOException {
    createWrittenAndClosed(scheme);
    byte[] superblock = store.snapshot(0, 4096);
    byte[] newer = superblock.clone();
    newer[9] = SuperblockDescriptor.FORMAT + 1;
    storeWithChecksum(newer);
    assertOpeningRefused(IntegrityException.class, "the store has format 6", "use a newer version");
    store.restore(0, superblock);
    assertIntact();
  }

  @ParameterizedTest
  @FieldSource("SCHEMES")
  void aForgedSuperblock(String scheme) throws IOException {
    createWrittenAndClosed(scheme);
    byte[] superblock = store.snapshot(0, 4096);
    for (int offset = 12; offset < 152; offset++) {
      byte[] forged = superblock.clone();
      forged[offset] ^= 1;
      storeWithChecksum(forged);
      assertThatThrownBy(() -> Orams.open(store, vault, key))
          .isInstanceOfAny(WrongKeyException.class, IntegrityException.class)
          .hasMessageContaining("forged");
    }
    store.restore(0, superblock);
    assertIntact();
  }

  @ParameterizedTest
  @FieldSource("SCHEMES")
  void aStoreThatWasNotClosedAndKeptNoJournal(String scheme) throws IOException {
    createWrittenAndClosed(scheme);
    Oram left = Orams.open(store, vault, key, withoutJournal());
    assertThat(left.read(3, 4).array()).isEqualTo(content);
    assertOpeningRefused(UncleanShutdownException.class, "with durability NONE and not closed");
    left.close();
    assertIntact();
  }

  @ParameterizedTest
  @ValueSource(strings = {"path-batched", "roram", "tao"})
  void aStoreThatWasNotClosedIsRecovered(String scheme) throws IOException {
    createWrittenAndClosed(scheme);
    Arrays.fill(content, (byte) 7);
    Orams.open(store, vault, key).write(3, ByteBuffer.wrap(content));
    assertIntact();
  }

  private static OpenOptions withoutJournal() {
    return OpenOptions.defaults().withDurability(Durability.NONE);
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void pathOramHasNoJournal(Durability durability) throws IOException {
    createWrittenAndClosed("path");
    OpenOptions wanted = OpenOptions.defaults().withDurability(durability);
    assertRefused(
        () -> Orams.open(store, vault, key, wanted),
        ConfigurationException.class,
        "durability is " + durability,
        "scheme path has only NONE",
        "use scheme roram or path-batched");
    assertThatThrownBy(() -> Orams.create(store, vault, config, key, wanted))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("scheme path has only NONE");
    assertIntact();
  }

  @ParameterizedTest
  @FieldSource("SCHEMES")
  void aStoreThatWasNeverClosed(String scheme) throws IOException {
    Oram left = create(scheme, withoutJournal());
    assertOpeningRefused(UncleanShutdownException.class, "never closed");
    left.write(3, ByteBuffer.wrap(content));
    left.close();
    assertIntact();
  }

  @ParameterizedTest
  @FieldSource("SCHEMES")
  void missingRecords(String scheme) throws IOException {
    createWrittenAndClosed(scheme);
    Map<String, byte[]> whole = vault.snapshot();
    assertThat(whole).containsOnlyKeys("epoch", "state");
    for (String name : whole.keySet()) {
      vault.records().remove(name);
      assertOpeningRefused(UncleanShutdownException.class, "record '" + name + "'", "is missing");
      vault.restore(whole);
    }
    assertIntact();
  }

  @ParameterizedTest
  @FieldSource("SCHEMES")
  void recordsWithAFlippedBitOrCut(String scheme) throws IOException {
    createWrittenAndClosed(scheme);
    Map<String, byte[]> whole = vault.snapshot();
    for (Map.Entry<String, byte[]> entry : whole.entrySet()) {
      String name = entry.getKey();
      int length = entry.getValue().length;
      // All bytes of the beginning, where the fields are, in turn: the schemes have the same.
      int first = SCHEMES.indexOf(scheme);
      for (int at = first; at < length; at += at < 120 ? SCHEMES.size() : 1 + length / 25) {
        byte[] flipped = entry.getValue().clone();
        flipped[at] ^= (byte) (1 << at % 8);
        vault.records().put(name, flipped);
        assertOpeningRefused(IntegrityException.class, "'" + name + "'");
        vault.restore(whole);
        vault.records().put(name, Arrays.copyOf(entry.getValue(), at));
        assertOpeningRefused(IntegrityException.class, "'" + name + "'");
        vault.restore(whole);
      }
    }
    assertIntact();
  }

  @ParameterizedTest
  @FieldSource("SCHEMES")
  void recordsOfAnotherStoreOrTime(String scheme) throws IOException {
    createWrittenAndClosed(scheme);
    Map<String, byte[]> old = vault.snapshot();
    assertIntact();
    Map<String, byte[]> whole = vault.snapshot();

    vault.records().put("state", old.get("state"));
    assertOpeningRefused(
        UncleanShutdownException.class,
        "path".equals(scheme) ? "saved in epoch 1" : "is missing, and the store was not closed");
    vault.restore(whole);
    vault.records().put("state", whole.get("epoch"));
    assertOpeningRefused(IntegrityException.class, "'state'");
    vault.restore(whole);

    MemoryStore otherStore = new MemoryStore(store.capacityBytes());
    HeldVault otherVault = new HeldVault();
    Orams.create(otherStore, otherVault, config, key).close();
    vault.restore(otherVault.snapshot());
    assertOpeningRefused(IntegrityException.class, "'epoch' is of store");
    vault.restore(whole);
    assertIntact();
  }

  @ParameterizedTest
  @FieldSource("SCHEMES")
  void aVaultThatFailsOnClose(String scheme) throws IOException {
    Oram oram = create(scheme);
    oram.write(3, ByteBuffer.wrap(content));
    for (int i = 0; i < 2; i++) {
      vault.failSaves(1);
      assertThatThrownBy(oram::close).hasMessageContaining("record 'state' could not be saved");
      if (!scheme.equals("path")) {
        break; // the journal has it all
      }
      assertThat(oram.read(3, 4).array()).isEqualTo(content);
    }
    oram.close();
    oram.close();
    assertIntact();
  }
}
