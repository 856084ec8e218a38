package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.github.roram.KeptVault.Contents;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who can write to the client's vault, keeps copies of all that was ever in it, and causes a crash:
 * whatever he puts together is refused, or yields every acknowledged write. The one exception is
 * the end of the journal, which a {@link io.github.roram.store.RollbackGuard} is for: cut there, it
 * yields an earlier moment, never a mixture.
 */
final class JournalAttackTest {

  private static final int BLOCK_BYTES = 512;
  private static final int HEADER_BYTES = 80;
  private static final int RECORD_HEADER_BYTES = 36;
  private static final int TAG_BYTES = 16;
  private static final int GENERATIONS = 3;
  private static final int MOST_CUTS = 100;
  private static final int ALL_OF_LAST = 10;

  private static final OramConfig CONFIG = config(0);

  /** With a window as large as this nothing is evicted, so the journal has no commits. */
  private static final int NO_EVICTIONS = 4096;

  private static final OpenOptions OPTIONS =
      OpenOptions.defaults().withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES);

  private final MasterKey key = MasterKey.generate();
  private final HeapStore store = new HeapStore(Orams.storeBytes(CONFIG));
  private final byte[] model = new byte[(int) CONFIG.bytes()];

  /** What the store held after each acknowledged write. */
  private final List<byte[]> moments = new ArrayList<>();

  private final Random random = new Random(1);
  private KeptVault vault = new KeptVault();

  @AfterEach
  void closeKey() {
    key.close();
  }

  @BeforeEach
  void firstMoment() {
    moments.add(model.clone());
  }

  private static OramConfig config(int windowBlocks) {
    return OramConfig.builder(64)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(4)
        .sizeClasses(0, 2)
        .chunkPaths(4)
        .windowBlocks(windowBlocks)
        .treetopBytes(0)
        .build();
  }

  private void use(Oram oram, int accesses) throws IOException {
    for (int i = 0; i < accesses; i++) {
      byte[] content = new byte[(1 + random.nextInt(4)) * BLOCK_BYTES];
      random.nextBytes(content);
      int block = random.nextInt(61);
      oram.write(block, ByteBuffer.wrap(content));
      System.arraycopy(content, 0, model, block * BLOCK_BYTES, content.length);
      moments.add(model.clone());
    }
  }

  /** Uses a new store until its journal had several generations; the client then dies. */
  private void useAndCrash(OramConfig config) throws IOException {
    useForGenerations(Orams.create(store, vault, config, key, OPTIONS));
    vault = vault.afterCrash();
  }

  /** Checkpoints are made in the background: how many accesses it takes is not known before. */
  private void useForGenerations(Oram oram) throws IOException {
    int before = vault.logsLongerThan(HEADER_BYTES);
    while (vault.logsLongerThan(HEADER_BYTES) < before + GENERATIONS) {
      use(oram, 1);
    }
  }

  /** Opens the store after the client died. */
  private Oram reopen() throws IOException {
    vault = vault.afterCrash();
    return Orams.open(store, vault, key, OPTIONS);
  }

  /** Names of the logs, the oldest first. */
  private static List<String> generations(Contents contents) {
    Map<Integer, String> sorted = new TreeMap<>();
    for (String name : contents.logs().keySet()) {
      sorted.put(Integer.parseInt(name.substring("journal-".length())), name);
    }
    return List.copyOf(sorted.values());
  }

  private static String newestWithRecords(Contents contents) {
    String newest = "";
    for (String name : generations(contents)) {
      newest = contents.log(name).length > HEADER_BYTES ? name : newest;
    }
    return newest;
  }

  /** Where each record begins, and the end. */
  private static List<Integer> boundaries(byte[] log) {
    List<Integer> boundaries = new ArrayList<>();
    int at = HEADER_BYTES;
    while (at < log.length) {
      boundaries.add(at);
      at += RECORD_HEADER_BYTES + ByteBuffer.wrap(log).getInt(at + 4) + TAG_BYTES;
    }
    boundaries.add(at);
    return boundaries;
  }

  /**
   * Where to cut: before each of the last records, and before some of the others, of which there
   * are the more the longer the checkpoints' thread is kept from its work.
   */
  private static List<Integer> cuts(byte[] log) {
    List<Integer> boundaries = boundaries(log);
    int last = boundaries.size() - 1;
    int stride = 1 + last / MOST_CUTS;
    List<Integer> cuts = new ArrayList<>();
    for (int record = 0; record < last; record++) {
      if (record % stride == 0 || record >= last - ALL_OF_LAST) {
        cuts.add(boundaries.get(record));
      }
    }
    return cuts;
  }

  private static byte[] readAll(Oram oram) throws IOException {
    byte[] all = new byte[(int) CONFIG.bytes()];
    for (int block = 0; block < CONFIG.blocks(); block += 4) {
      oram.read(block, 4).get(all, block * BLOCK_BYTES, 4 * BLOCK_BYTES);
    }
    return all;
  }

  /** What is read from a store that is opened with these contents of the vault. */
  private byte[] read(Contents contents) throws IOException {
    HeapStore copy = new HeapStore(store.capacityBytes());
    copy.restore(store.copy());
    Oram oram = Orams.open(copy, KeptVault.of(contents), key, OPTIONS);
    return readAll(oram);
  }

  private boolean opens(KeptVault attacked) throws IOException {
    try {
      Orams.open(store, attacked, key, OPTIONS);
      return true;
    } catch (OramException e) {
      return false;
    }
  }

  private void assertRefusedUnchanged(String what, Contents contents) throws IOException {
    byte[] before = store.copy();
    KeptVault attacked = KeptVault.of(contents);
    try {
      Oram oram = Orams.open(store, attacked, key, OPTIONS);
      boolean whole = Arrays.equals(readAll(oram), model);
      fail("%s was accepted; %s", what, whole ? "all is there" : "acknowledged writes are lost");
    } catch (IntegrityException | UncleanShutdownException e) {
      assertThat(e).hasMessageContaining("journal");
    }
    assertThat(store.copy()).isEqualTo(before);
    assertThat(attacked.contents().isSameAs(contents)).as("nothing was changed").isTrue();
  }

  /** Refused on opening or when a place is read, or as it was at some moment. */
  private void assertRefusedOrOneMoment(String what, Contents contents) throws IOException {
    byte[] found;
    try {
      found = read(contents);
    } catch (OramException e) {
      return;
    }
    assertThat(moments.stream().anyMatch(moment -> Arrays.equals(moment, found)))
        .as("%s: what is read is of one moment", what)
        .isTrue();
  }

  /** Refused on opening, or all that was acknowledged. */
  private void assertRefusedOrComplete(String what, Contents contents) throws IOException {
    if (opens(KeptVault.of(contents))) {
      assertThat(Arrays.equals(read(contents), model)).as("%s: all is there", what).isTrue();
    }
  }

  @Test
  void untouchedEveryStateWithAllJournalsSinceYieldsEverything() throws IOException {
    useAndCrash(CONFIG);
    assertThat(read(vault.contents())).isEqualTo(model);
    Contents all = vault.contentsAndDeletedLogs();
    assertThat(vault.states()).hasSizeGreaterThanOrEqualTo(GENERATIONS - 1);
    for (byte[] state : vault.states()) {
      assertThat(read(all.withRecord("state", state))).isEqualTo(model);
    }
  }

  /** With every state: those that name a later generation do not need the one that is cut. */
  @ParameterizedTest
  @ValueSource(ints = {0, NO_EVICTIONS})
  void recordsCutOffBeforeALaterGenerationAreMissed(int windowBlocks) throws IOException {
    useAndCrash(config(windowBlocks));
    Contents all = vault.contentsAndDeletedLogs();
    String newest = newestWithRecords(all);
    int cuts = 0;
    for (String name : generations(all)) {
      byte[] log = all.log(name);
      for (int end : cuts(log)) {
        Contents cut = all.withLog(name, Arrays.copyOf(log, end));
        String what = name + " cut at " + end + " of " + log.length;
        if (name.equals(newest)) {
          assertRefusedOrOneMoment(what, cut.withRecord("state", vault.states().get(0)));
        } else {
          assertRefusedUnchanged(what, cut.withRecord("state", vault.states().get(0)));
          cuts++;
        }
      }
    }
    assertThat(cuts).isGreaterThan(40);
  }

  @Test
  void everyStateWithEveryGenerationCutOrDropped() throws IOException {
    useAndCrash(CONFIG);
    Contents all = vault.contentsAndDeletedLogs();
    String newest = newestWithRecords(all);
    for (int number = 0; number < vault.states().size(); number++) {
      Contents old = all.withRecord("state", vault.states().get(number));
      for (String name : generations(all)) {
        String what = "state " + number + ", " + name;
        if (!name.equals(newest)) {
          byte[] log = all.log(name);
          List<Integer> boundaries = boundaries(log);
          for (int end : List.of(0, HEADER_BYTES, boundaries.get(boundaries.size() / 2))) {
            assertRefusedOrComplete(
                what + " cut at " + end, old.withLog(name, Arrays.copyOf(log, end)));
          }
          assertRefusedOrComplete(what + " dropped", old.withoutLog(name));
        }
      }
    }
  }

  /** After a recovery the journal begins anew: what came before it does not lead to it. */
  @Test
  void aStateFromBeforeARecoveryDoesNotLeadToJournalsAfterIt() throws IOException {
    useAndCrash(CONFIG);
    byte[] oldState = vault.states().get(vault.states().size() - 1);
    Contents before = vault.contents();
    use(reopen(), 5);
    Contents all = vault.contentsAndDeletedLogs();
    assertThat(read(all)).isEqualTo(model);
    assertRefusedUnchanged("the state from before", all.withRecord("state", oldState));
    Contents cut = all;
    for (String name : generations(before)) {
      byte[] log = all.log(name);
      cut = log.length > HEADER_BYTES ? cut.withLog(name, Arrays.copyOf(log, HEADER_BYTES)) : cut;
    }
    assertRefusedUnchanged("and its journal is empty", cut.withRecord("state", oldState));
  }

  /** Two lives from the same copies of a closed store, as one has who restores a backup. */
  @Test
  void aJournalOfAnotherLifeIsRefused() throws IOException {
    try (Oram oram = Orams.create(store, vault, CONFIG, key, OPTIONS)) {
      use(oram, 5);
    }
    Contents closed = vault.contents();
    byte[] closedStore = store.copy();
    useForGenerations(Orams.open(store, vault, key, OPTIONS));
    Contents first = vault.contentsAndDeletedLogs();
    store.restore(closedStore);
    vault = KeptVault.of(closed);
    moments.clear();
    Oram second = Orams.open(store, vault, key, OPTIONS);
    System.arraycopy(readAll(second), 0, model, 0, model.length);
    useForGenerations(second);
    vault = vault.afterCrash();
    Contents all = vault.contentsAndDeletedLogs();
    assertThat(read(all)).isEqualTo(model);
    String newest = newestWithRecords(all);
    int swapped = 0;
    for (byte[] state : vault.states()) {
      Contents old = all.withRecord("state", state);
      for (String name : generations(all)) {
        if (first.logs().containsKey(name) && first.log(name).length > HEADER_BYTES) {
          Contents mixed = old.withLog(name, first.log(name));
          if (name.equals(newest)) {
            assertRefusedOrOneMoment(name, mixed);
          } else {
            assertRefusedOrComplete(name, mixed);
          }
          swapped++;
        }
      }
    }
    assertThat(swapped).isGreaterThan(2);
  }

  /** The second life begins from the same closed state, and its journal has the same number. */
  @Test
  void theFirstJournalAfterAClosedStateIsOfThisLife() throws IOException {
    try (Oram oram = Orams.create(store, vault, CONFIG, key, OPTIONS)) {
      use(oram, 5);
    }
    Contents closed = vault.contents();
    byte[] closedStore = store.copy();
    use(Orams.open(store, vault, key, OPTIONS), 5);
    Contents first = vault.contents();
    store.restore(closedStore);
    vault = KeptVault.of(closed);
    use(Orams.open(store, vault, key, OPTIONS), 5);
    String name = generations(first).get(0);
    assertRefusedUnchanged(
        "the other life's journal", vault.contents().withLog(name, first.log(name)));
  }

  /**
   * Cut off, recovered from and used: the number of a generation is used again. Without checkpoints
   * in the background, so that the number is known.
   */
  @Test
  void aGenerationThatWasCutOffDoesNotComeBack() throws IOException {
    use(Orams.create(store, vault, CONFIG, key), 5);
    Contents before = vault.contents();
    vault = vault.afterCrash();
    use(Orams.open(store, vault, key), 5); // generation 1
    byte[] cutOff = vault.contentsAndDeletedLogs().log("journal-1");
    assertThat(cutOff).hasSizeGreaterThan(HEADER_BYTES);
    HeapStore other = new HeapStore(store.capacityBytes());
    other.restore(store.copy());
    vault = KeptVault.of(before.withRecord("epoch", vault.contents().record("epoch")));
    try (Oram again = Orams.open(other, vault, key)) {
      again.completeRecovery();
      Contents now = vault.contents();
      assertThat(now.logs()).containsKey("journal-1");
      assertThatThrownBy(
              () -> Orams.open(other, KeptVault.of(now.withLog("journal-1", cutOff)), key, OPTIONS))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("journal 1");
    }
  }

  /** A vault that was restored over a newer one: the newer one's journals are nobody's. */
  @Test
  void journalsThatAClosedStoreDoesNotNeedAreNotMistakenForItsOwn() throws IOException {
    try (Oram oram = Orams.create(store, vault, CONFIG, key, OPTIONS)) {
      use(oram, 5);
    }
    Contents closed = vault.contents();
    byte[] closedStore = store.copy();
    byte[] closedModel = model.clone();
    useForGenerations(Orams.open(store, vault, key, OPTIONS));
    Contents left = new Contents(closed.records(), vault.contentsAndDeletedLogs().logs());
    store.restore(closedStore);
    System.arraycopy(closedModel, 0, model, 0, model.length);
    vault = KeptVault.of(left);
    use(Orams.open(store, vault, key, OPTIONS), 3);
    assertThat(read(vault.contents())).isEqualTo(model);
  }
}
