package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.store.RollbackGuard;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A guard refuses older records of the client, and no newer ones, wherever a crash strikes. */
class RollbackGuardTest {

  private static final OramConfig CONFIG =
      OramConfig.builder(64).blockBytes(512).maxRangeBlocks(4).chunkPaths(4).build();

  private final MasterKey key = MasterKey.generate();
  private final HeapStore store = new HeapStore(Orams.storeBytes(CONFIG));
  private final CopiedVault vault = new CopiedVault();
  private final Counter guard = new Counter();
  private final OpenOptions options = OpenOptions.defaults().withRollbackGuard(guard);

  @AfterEach
  void closeKey() {
    key.close();
  }

  /** A guard in memory. */
  private static final class Counter implements RollbackGuard {
    private long value;
    private boolean failing;

    @Override
    public long read() {
      return value;
    }

    @Override
    public void advanceTo(long newValue) throws IOException {
      if (failing) {
        throw new IOException("injected: the guard cannot be reached");
      }
      value = Math.max(value, newValue);
    }
  }

  /** A vault whose records can be put back. */
  private static final class CopiedVault implements ClientVault {
    private final ClientVault logs = ClientVault.inMemory();
    private final Map<String, byte[]> records = new HashMap<>();
    private final List<Map<String, byte[]>> history = new ArrayList<>();

    @Override
    public Optional<InputStream> load(String name) {
      return Optional.ofNullable(records.get(name)).map(ByteArrayInputStream::new);
    }

    @Override
    public void save(String name, Writer writer) throws IOException {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      writer.writeTo(out);
      records.put(name, out.toByteArray());
      history.add(Map.copyOf(records));
    }

    @Override
    public AppendLog openLog(String name) throws IOException {
      return logs.openLog(name);
    }

    @Override
    public List<String> logs() throws IOException {
      return logs.logs();
    }

    /** Old journals stay, as one who rolls back would have kept them. */
    @Override
    public void deleteLog(String name) {}
  }

  private void use(Oram oram, int accesses) throws IOException {
    for (int i = 0; i < accesses; i++) {
      oram.write(i % 60, ByteBuffer.allocate(4 * 512));
    }
  }

  @Test
  void whatACloseThatFailedSavedIsNotCurrentOnceTheStoreIsUsed() throws IOException {
    OpenOptions none = options.withDurability(Durability.NONE);
    Oram oram = Orams.create(store, vault, CONFIG, key, none);
    use(oram, 3);
    guard.failing = true;
    assertThatThrownBy(oram::close).hasMessageContaining("injected");
    guard.failing = false;
    use(oram, 3);
    // As after a kill.
    assertThatThrownBy(() -> Orams.open(store, vault, key, none))
        .isInstanceOf(UncleanShutdownException.class);
    oram.close();
    try (Oram again = Orams.open(store, vault, key, none)) {
      assertThat(again.recovery().clean()).isTrue();
      use(again, 3);
    }
  }

  /** Its epoch may have begun, which nothing but a state that is saved by closing ends. */
  @Test
  void aStoreWithoutAJournalWhoseFirstAccessFailedIsClosedAllTheSame() throws IOException {
    OpenOptions none = options.withDurability(Durability.NONE);
    try (Oram oram = Orams.create(store, vault, CONFIG, key, none)) {
      oram.write(7, ByteBuffer.allocate(512).put(0, (byte) 3));
    }
    Oram oram = Orams.open(store, vault, key, none);
    guard.failing = true;
    assertThatThrownBy(() -> oram.read(3, 1)).hasMessageContaining("injected");
    assertThatThrownBy(oram::close).hasMessageContaining("injected");
    guard.failing = false;
    oram.close();
    try (Oram again = Orams.open(store, vault, key, none)) {
      assertThat(again.read(7, 1).get(0)).isEqualTo((byte) 3);
    }
  }

  @Test
  void aStoreMadeWithAGuardOpensWithItOnly() throws IOException {
    Orams.create(store, vault, CONFIG, key, options).close();
    assertThat(Orams.inspect(store).guarded()).isTrue();
    for (OpenOptions without :
        List.of(OpenOptions.defaults(), OpenOptions.defaults().withRollbackGuard(new Counter()))) {
      assertThatThrownBy(() -> Orams.open(store, vault, key, without))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContainingAll("created with a rollback guard", "name the store's guard");
      assertThatThrownBy(() -> Orams.rekey(store, vault, key, key, without, bytes -> {}))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("created with a rollback guard");
    }
    Counter replaced = new Counter();
    replaced.value = 1;
    try (Oram oram =
        Orams.open(store, vault, key, OpenOptions.defaults().withRollbackGuard(replaced))) {
      use(oram, 1);
    }
    assertThat(replaced.value).isEqualTo(guard.value + 2);
  }

  @Test
  void everyOlderSaveIsRefusedAndTheNewestIsNot() throws IOException {
    use(Orams.create(store, vault, CONFIG, key, options), 5); // and a crash
    try (Oram oram = Orams.open(store, vault, key, options)) {
      use(oram, 5);
    }
    Oram last = Orams.open(store, vault, key, options);
    use(last, 5);
    last.close();
    Map<String, byte[]> newest = Map.copyOf(vault.records);
    List<Map<String, byte[]>> history = List.copyOf(vault.history);
    assertThat(history).hasSizeGreaterThan(5);
    assertThat(guard.value).isEqualTo(history.size());
    for (Map<String, byte[]> old : history.subList(0, history.size() - 1)) {
      if (old.size() == newest.size()) {
        vault.records.putAll(old);
        assertThatThrownBy(() -> Orams.open(store, vault, key, options))
            .isInstanceOf(IntegrityException.class)
            .hasMessageContaining("were rolled back");
      }
    }
    vault.records.putAll(newest);
    Orams.open(store, vault, key, options).close();
  }

  @Test
  void oneOldRecordBesideANewOneIsRefusedWithoutAGuard() throws IOException {
    use(Orams.create(store, vault, CONFIG, key), 5);
    Map<String, byte[]> first = Map.copyOf(vault.records);
    Oram second = Orams.open(store, vault, key);
    use(second, 5);
    second.close();
    use(Orams.open(store, vault, key), 5);
    Map<String, byte[]> newest = Map.copyOf(vault.records);
    for (String record : List.of("state", "epoch")) {
      vault.records.putAll(newest);
      vault.records.put(record, first.get(record));
      assertThatThrownBy(() -> Orams.open(store, vault, key))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("rolled back");
    }
  }

  @Test
  void aGuardThatCannotBeReachedStopsTheFirstAccessAndLosesNothing() throws IOException {
    Orams.create(store, vault, CONFIG, key, options).close();
    Oram oram = Orams.open(store, vault, key, options);
    guard.failing = true;
    assertThatThrownBy(() -> oram.read(3, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("guard cannot be reached");
    // As after a crash between the save and the guard: the record is ahead.
    Orams.open(store, vault, key, options);
    guard.failing = false;
    use(oram, 3);
    oram.close();
    Orams.open(store, vault, key, options).close();
  }

  @Test
  void aUsedGuardIsOfAnotherStore() {
    guard.value = 7;
    assertThatThrownBy(() -> Orams.create(store, vault, CONFIG, key, options))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("stands at 7");
    assertThat(vault.records).isEmpty();
  }

  @Test
  void aChangeOfTheMasterKeyIsGuarded() throws IOException {
    Oram oram = Orams.create(store, vault, CONFIG, key, options);
    use(oram, 5);
    oram.close();
    Map<String, byte[]> before = Map.copyOf(vault.records);
    try (MasterKey next = MasterKey.generate()) {
      guard.value += 1; // as if there were a newer save
      assertThatThrownBy(() -> Orams.rekey(store, vault, key, next, options, bytes -> {}))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("rolled back");
      guard.value -= 1;
      vault.records.clear();
      vault.records.putAll(before);
      long closed = guard.value;
      Orams.rekey(store, vault, key, next, options, bytes -> {});
      assertThat(guard.value).isGreaterThan(closed);
      long rekeyed = guard.value;
      guard.value += 1;
      assertThatThrownBy(() -> Orams.open(store, vault, next, options))
          .hasMessageContaining("rolled back");
      guard.value = rekeyed;
      use(Orams.open(store, vault, next, options), 1);
      assertThat(guard.value).isGreaterThan(rekeyed);
    }
  }
}
