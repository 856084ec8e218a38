package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.HeldVault;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.testkit.FaultyStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Records of a change of keys, kept and put back next to older copies of store and client's records
 * after more work, or among records of several times: whatever comes of it, no key and nonce may
 * seal two different contents.
 */
abstract class RekeyedCopies {

  private static final int BLOCKS = 60;
  private static final String REKEY = "rekey";
  private static final String BATCH = "rekey-batch";
  private static final List<String> RECORDS = List.of("state", "epoch", REKEY, BATCH);

  private final MasterKey oldKey = MasterKey.generate();
  private final MasterKey newKey = MasterKey.generate();
  private final OramConfig config;
  private final FaultyStore store;
  private final NonceWatch watch;

  /** The copy of each moment at which a record was saved. */
  private final List<Copy> history = new ArrayList<>();

  private HeldVault vault = new HeldVault();

  /** Store and client's records at one moment. */
  @SuppressWarnings("ArrayRecordComponent") // compared by content where it is
  private record Copy(byte[] store, byte[] watermark, Map<String, byte[]> records) {}

  RekeyedCopies(OramConfig config) throws IOException {
    this.config = config;
    store = new FaultyStore(new MemoryStore(Orams.storeBytes(config)));
    watch = NonceWatch.allowingRepeats(store);
  }

  static OramConfig.Builder builder(String scheme) {
    return OramConfig.builder(BLOCKS)
        .scheme(scheme)
        .blockBytes(512)
        .maxRangeBlocks(4)
        .treetopBytes(0)
        .chunkPaths(4);
  }

  @BeforeEach
  void create() throws IOException {
    vault.afterEachSave(this::keep);
    Orams.create(watch, vault, config, oldKey).close();
    write(oldKey, 1);
  }

  @AfterEach
  void wipe() {
    oldKey.close();
    newKey.close();
  }

  private Copy now() {
    try {
      return new Copy(
          store.snapshot(0, (int) store.capacityBytes()),
          store.watermarks().get(0),
          vault.snapshot());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void keep() {
    history.add(now());
  }

  /** A client that was restored from a copy; journals of others are gone. */
  private void restore(Copy copy) throws IOException {
    store.restore(0, copy.store());
    store.keepWatermark(copy.watermark(), true);
    vault = new HeldVault();
    vault.restore(copy.records());
    vault.afterEachSave(this::keep);
    watch.startOver();
  }

  private void write(MasterKey key, int value) throws IOException {
    try (Oram oram = Orams.open(watch, vault, key)) {
      write(oram, value);
    }
  }

  private static void write(Oram oram, int value) throws IOException {
    byte[] content = new byte[4 * 512];
    Arrays.fill(content, (byte) value);
    for (int block = 0; block < BLOCKS; block += 4) {
      oram.write(block, ByteBuffer.wrap(content));
    }
  }

  private void assertFilledWith(MasterKey key, int value) throws IOException {
    try (Oram oram = Orams.open(watch, vault, key)) {
      for (int block = 0; block < BLOCKS; block += 4) {
        assertThat(oram.read(block, 4).array()).containsOnly((byte) value);
      }
    }
  }

  private void rekey() throws IOException {
    Orams.rekey(watch, vault, oldKey, newKey, bytes -> {});
  }

  /** Changes the key; what there was at each save of the change, the last two after its end. */
  private List<Copy> rekeyed() throws IOException {
    int before = history.size();
    rekey();
    return history.subList(before, history.size()).stream()
        .filter(copy -> copy.records().containsKey(REKEY))
        .toList();
  }

  private void assertRefusedAndUnchanged() throws IOException {
    Copy before = now();
    assertThatThrownBy(this::rekey)
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("'rekey'")
        .hasMessageContainingAll("nothing was changed", "estore the newest");
    assertUnchangedSince(before);
  }

  private void assertUnchangedSince(Copy before) {
    Copy after = now();
    assertThat(after.store()).isEqualTo(before.store());
    assertThat(after.watermark()).isEqualTo(before.watermark());
    assertThat(after.records()).containsOnlyKeys(before.records().keySet());
    after.records().forEach((name, b) -> assertThat(b).isEqualTo(before.records().get(name)));
  }

  private static void put(Map<String, byte[]> records, Copy from, String name) {
    byte[] record = from.records().get(name);
    if (record == null) {
      records.remove(name);
    } else {
      records.put(name, record);
    }
  }

  private void putBack(Copy copy) {
    put(vault.records(), copy, REKEY);
    put(vault.records(), copy, BATCH);
  }

  @Test
  void aRecordPutBackAfterOtherWorkSealsNothing() throws IOException {
    Copy common = now();
    write(oldKey, 2);
    List<Copy> changes = rekeyed();
    for (Copy change : changes.subList(0, changes.size() - 2)) {
      restore(common);
      write(oldKey, 3);
      putBack(change);
      assertRefusedAndUnchanged();
      vault.records().remove(REKEY);
      rekey();
      assertFilledWith(newKey, 3);
    }
  }

  @Test
  void aRecordOfAFinishedChangeHindersNoOther() throws IOException {
    Copy common = now();
    write(oldKey, 2);
    List<Copy> changes = rekeyed();
    restore(common);
    write(oldKey, 3);
    putBack(changes.get(changes.size() - 1));
    rekey();
    assertFilledWith(newKey, 3);
  }

  @Test
  void aJournalAfterTheStateIsNotReplayedIntoAChange() throws IOException {
    Copy common = now();
    Copy begun = rekeyed().get(0);
    for (int value = 2; value < 4; value++) {
      restore(common);
      // Not closed: the saved state is the common one, all else is in the journal.
      write(Orams.open(watch, vault, oldKey), value);
      putBack(begun);
      assertRefusedAndUnchanged();
    }
  }

  @Test
  void everythingPutBackTogetherGoesOnWithTheSameBytes() throws IOException {
    Copy before = now();
    List<Copy> changes = rekeyed();
    for (Copy change : changes.subList(0, changes.size() - 2)) {
      restore(change);
      rekey();
      assertFilledWith(newKey, 1);
      write(newKey, 2);
    }
    restore(before);
    rekey();
    assertFilledWith(newKey, 1);
  }

  @Test
  void aRecordPutBackBesideTheNewKeysWorkChangesNothing() throws IOException {
    List<Copy> changes = rekeyed();
    write(newKey, 2);
    Copy worked = now();
    for (Copy change : changes.subList(0, changes.size() - 2)) {
      restore(worked);
      putBack(change);
      assertRefusedAndUnchanged();
      vault.records().remove(REKEY);
      assertFilledWith(newKey, 2);
    }
  }

  @Test
  void anOlderBatchSealsNothingElse() throws IOException {
    List<Copy> changes = rekeyed();
    Copy last = changes.get(changes.size() - 6);
    for (Copy change : changes) {
      restore(last);
      put(vault.records(), change, BATCH);
      tryToRekeyAndWork(3);
    }
  }

  @Test
  void theSameKeyTwiceIsRefused() throws IOException {
    Copy before = now();
    assertThatThrownBy(() -> Orams.rekey(watch, vault, oldKey, oldKey, bytes -> {}))
        .hasMessageContaining("has this key already");
    assertUnchangedSince(before);
    assertFilledWith(oldKey, 1);
  }

  /** Records of several lives and moments, in any mix. */
  @ParameterizedTest
  @ValueSource(ints = 1)
  void noMixOfRecordsSealsTwice(int seed) throws IOException {
    Copy common = now();
    for (int life = 2; life < 5; life++) {
      restore(common);
      write(oldKey, life);
      rekey();
      write(newKey, 10 + life);
    }
    List<Copy> all = List.copyOf(history);
    List<Copy> whole = all.stream().filter(copy -> copy.records().containsKey(REKEY)).toList();
    Random random = new Random(seed);
    int done = 0;
    for (int trial = 0; trial < 30; trial++) {
      restore(whole.get(random.nextInt(whole.size())));
      vault.afterEachSave(() -> {});
      for (String name : RECORDS) {
        if (random.nextInt(4) == 0) {
          put(vault.records(), all.get(random.nextInt(all.size())), name);
        }
      }
      done += tryToRekeyAndWork(20 + trial) ? 1 : 0;
    }
    assertThat(done).as("changes that went through").isBetween(5, 55);
  }

  /** What comes of it is seen by the watch alone. */
  private boolean tryToRekeyAndWork(int value) throws IOException {
    boolean done;
    try {
      rekey();
      done = true;
    } catch (OramException e) {
      done = false;
    }
    for (MasterKey key : List.of(oldKey, newKey)) {
      try {
        write(key, value);
      } catch (OramException e) {
        // Records of different times.
      }
    }
    return done;
  }
}
