package io.github.roram.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.HeapStore;
import io.github.roram.IntegrityException;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Journals that were sealed with the right key and say what no client could have done: each is
 * refused as such, and no number in it is used before it is known to be within its bounds.
 */
final class JournalReplayTest {

  private static final int[] WRONG = {-2, 1, 64, Integer.MAX_VALUE, Integer.MIN_VALUE};

  private final MasterKey key = MasterKey.generate();
  private final ClientVault vault = ClientVault.inMemory();
  private final List<byte[]> records = new ArrayList<>();
  private HeapStore store = new HeapStore(1);
  private UUID storeId = new UUID(0, 0);
  private int refusals;

  @AfterEach
  void closeKey() {
    key.close();
  }

  /** Some accesses and a crash; what the journal recorded of them. */
  private void useAndCrash(String scheme) throws IOException {
    useAndCrash(scheme, false);
  }

  private void useAndCrash(String scheme, boolean reveals) throws IOException {
    OramConfig config =
        OramConfig.builder(64)
            .revealOperationType(reveals)
            .scheme(scheme)
            .blockBytes(512)
            .maxRangeBlocks(4)
            .chunkPaths(3)
            .windowBlocks(0)
            .treetopBytes(0)
            .build();
    store = new HeapStore(Orams.storeBytes(config));
    Oram oram = Orams.create(store, vault, config, key, OpenOptions.defaults());
    Random random = new Random(1);
    for (int i = 0; i < 3; i++) {
      oram.write(random.nextInt(61), ByteBuffer.allocate((1 + i % 4) * 512));
    }
    storeId = Orams.inspect(store).storeId();
    try (JournalReader reader = new JournalReader(vault.openLog("journal-0"), storeId, 0)) {
      reader.replay(key, record -> records.add(record.readAllBytes()));
    }
    assertThat(records).hasSizeGreaterThan(8);
    assertThat(kinds(records))
        .contains(JournalRecord.INTENT, JournalRecord.ACCESS, JournalRecord.COMMIT);
  }

  private static List<Byte> kinds(List<byte[]> records) {
    return records.stream().map(record -> record[0]).toList();
  }

  /** Whether the store opens with a journal of these records. */
  private boolean opens(List<byte[]> journal) throws IOException {
    try (JournalWriter writer =
        JournalWriter.create(vault, key, storeId, 0, true, position -> {})) {
      for (byte[] record : journal) {
        writer.queue(record, record.length);
      }
      writer.flush();
    }
    byte[] before = store.copy();
    long length = length();
    boolean opened;
    try {
      Orams.open(store, vault, key);
      opened = true;
    } catch (IntegrityException e) {
      assertThat(e).hasMessageContaining("journal");
      opened = false;
      refusals++;
    }
    assertThat(store.copy()).isEqualTo(before);
    assertThat(length()).isEqualTo(length);
    return opened;
  }

  private long length() throws IOException {
    try (AppendLog log = vault.openLog("journal-0")) {
      return log.bytes();
    }
  }

  private List<byte[]> with(int number, byte[] record) {
    List<byte[]> changed = new ArrayList<>(records);
    changed.set(number, record);
    return changed;
  }

  /**
   * An intent may come before the end of an older access, or before a chunk that was written
   * meanwhile, unless they touch the same ranges. Nothing else may change places.
   */
  @ParameterizedTest
  @ValueSource(strings = {"path-batched", "roram", "tao"})
  void recordsOutOfOrder(String scheme) throws IOException {
    useAndCrash(scheme);
    assertThat(opens(records)).isTrue();
    for (int i = 0; i + 1 < records.size(); i++) {
      List<byte[]> without = new ArrayList<>(records);
      byte kind = without.remove(i)[0];
      boolean opened = opens(without);
      assertThat(opened && kind != JournalRecord.COMMIT).as("without %d", i).isFalse();
      List<byte[]> twice = new ArrayList<>(records);
      twice.add(i, records.get(i));
      opened = opens(twice);
      assertThat(opened && kind != JournalRecord.COMMIT).as("%d twice", i).isFalse();
      List<byte[]> exchanged = new ArrayList<>(records);
      Collections.swap(exchanged, i, i + 1);
      byte next = records.get(i + 1)[0];
      boolean mayChange = kind == next || (next == JournalRecord.INTENT && i > 0);
      assertThat(opens(exchanged) && !mayChange).as("%d exchanged", i).isFalse();
    }
  }

  /** Each number of the first fields, in each record: of tree, count, range, label, address. */
  @ParameterizedTest
  @ValueSource(strings = {"path-batched", "roram", "tao"})
  void numbersOutOfBounds(String scheme) throws IOException {
    useAndCrash(scheme);
    for (int number = 0; number < records.size(); number++) {
      for (int at = 1; at <= 17 && at + 4 <= records.get(number).length; at += Integer.BYTES) {
        for (int wrong : WRONG) {
          byte[] record = records.get(number).clone();
          ByteBuffer.wrap(record).putInt(at, wrong);
          opens(with(number, record));
        }
      }
    }
    assertThat(refusals).isGreaterThan(80);
  }

  /** Byte 11 of an intent, the upper one of its tree, has a bit for an access that writes. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAccessIsOfTheTypeThatWasShown(boolean reveals) throws IOException {
    useAndCrash("roram", reveals);
    assertThat(opens(records)).isTrue();
    for (int number = 0; number < records.size(); number++) {
      byte[] record = records.get(number).clone();
      if (record[0] == JournalRecord.INTENT) {
        assertThat((record[11] & 0x80) != 0).isEqualTo(reveals);
        record[11] ^= (byte) 0x80;
        assertThat(opens(with(number, record))).as("%d", number).isFalse();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"path-batched", "roram", "tao"})
  void recordsThatAreTooShortOrOfNoKind(String scheme) throws IOException {
    useAndCrash(scheme);
    for (int number = 0; number < records.size(); number++) {
      byte[] record = records.get(number);
      for (int length : new int[] {0, 1, 4, 5, 8, 9, 12, 16, 17, 20, 24}) {
        opens(with(number, Arrays.copyOf(record, length)));
      }
      for (int kind = 0; kind < 7; kind++) {
        byte[] other = record.clone();
        other[0] = (byte) kind;
        assertThat(opens(with(number, other)) && kind != record[0]).isFalse();
      }
    }
  }
}
