package io.github.roram.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.AppendLog;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.Crc32c;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreFullException;
import io.github.roram.store.UnitSource;
import io.github.roram.testkit.ClientVaultContract;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.FaultyStore;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A vault in a store: the contract, power failures against a model, what is forged, what is full.
 */
final class BlocksVaultTest extends ClientVaultContract {

  private static final int STORE_BYTES = 16 << 20;
  private static final int CHANGES = 60;
  private static final int TABLE_BYTES = 2 << 16;

  /** So many other records that a table has more sectors, which can be torn. */
  private static final int SECTORS = 20;

  private final BlockStore store = new MemoryStore(STORE_BYTES);

  @Override
  protected ClientVault open() throws IOException {
    return BlocksVault.in(store);
  }

  private static byte[] bytes(InputStream in) throws IOException {
    try (in) {
      return in.readAllBytes();
    }
  }

  /** What records and logs must hold at least, and may hold. */
  private static final class Model {
    final Map<String, byte[]> records = new HashMap<>();
    final ByteArrayOutputStream log = new ByteArrayOutputStream();
    int synced;
    byte[] saving = {};
  }

  private static void change(ClientVault vault, AppendLog log, Model model, Random random)
      throws IOException {
    String name = random.nextBoolean() ? "a" : "b";
    switch (random.nextInt(4)) {
      case 0 -> {
        model.saving = new byte[random.nextInt(600_000)];
        random.nextBytes(model.saving);
        vault.save(name, out -> out.write(model.saving));
        model.records.put(name, model.saving);
      }
      case 1 -> {
        log.sync();
        model.synced = model.log.size();
      }
      default -> {
        byte[] piece = new byte[1 + random.nextInt(100_000)];
        random.nextBytes(piece);
        model.log.write(piece);
        log.append(ByteBuffer.wrap(piece));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Loss.class)
  void afterAPowerFailureARecordIsOldOrNewAndALogHasWhatWasSynced(Loss loss) throws IOException {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      SimulatedDisk disk = new SimulatedDisk();
      BlockStore medium = new DiskStore(disk, STORE_BYTES);
      ClientVault vault = BlocksVault.in(medium);
      for (int other = 1; other < SECTORS; other++) {
        vault.save("other-" + "x".repeat(100 + other), out -> out.write(1));
      }
      AppendLog log = vault.openLog("log-1");
      Model model = new Model();
      disk.crashAt(disk.changes() + 1 + random.nextInt(CHANGES), loss, seed);
      try {
        for (int i = 0; i < CHANGES; i++) {
          change(vault, log, model, random);
        }
        disk.crashNow(loss, seed);
      } catch (SimulatedDisk.Crash e) {
        // as it was to be
      }
      ClientVault after = BlocksVault.in(new DiskStore(disk.restarted(), STORE_BYTES));
      for (String name : new String[] {"a", "b"}) {
        byte[] found = after.load(name).isEmpty() ? null : bytes(after.load(name).get());
        byte[] before = model.records.get(name);
        assertThat(Arrays.equals(found, before) || Arrays.equals(found, model.saving))
            .as("record %s, seed %s", name, seed)
            .isTrue();
      }
      assertThat(after.logs()).containsExactly("log-1");
      byte[] kept = bytes(after.openLog("log-1").read());
      byte[] all = model.log.toByteArray();
      assertThat(kept.length).as("seed %s", seed).isBetween(model.synced, all.length);
      assertThat(kept).isEqualTo(Arrays.copyOf(all, kept.length));
    }
  }

  /** What was cut off must not come back behind what is appended then, of the same length. */
  @Test
  void whatWasCutOffStaysAway() throws IOException {
    ClientVault vault = open();
    try (AppendLog log = vault.openLog("l")) {
      for (int i = 0; i < 5; i++) {
        log.append(ByteBuffer.wrap(new byte[] {(byte) i, 1, 2, 3}));
      }
      log.truncate(6);
      assertThat(log.bytes()).isEqualTo(6);
      log.append(ByteBuffer.wrap(new byte[] {7, 7}));
    }
    try (AppendLog log = open().openLog("l")) {
      assertThat(bytes(log.read())).containsExactly(0, 1, 2, 3, 1, 1, 7, 7);
      log.truncate(0);
      assertThat(bytes(log.read())).isEmpty();
    }
    vault.deleteLog("l");
    try (AppendLog log = vault.openLog("l")) {
      assertThat(log.bytes()).isZero();
    }
  }

  /** Whoever appends to the copy of a journal cuts it again until that succeeds. */
  @Test
  void cutsThatFailTakeNoRoom() throws IOException {
    FaultyStore faulty = new FaultyStore(store);
    ClientVault vault = BlocksVault.in(faulty);
    byte[] content = new byte[STORE_BYTES / 4];
    new Random(1).nextBytes(content);
    int kept = content.length - 1000;
    try (AppendLog log = vault.openLog("l")) {
      log.append(ByteBuffer.wrap(content));
      for (int i = 0; i < 6; i++) {
        faulty.failNthWrite(10);
        assertThatThrownBy(() -> log.truncate(kept)).isInstanceOf(IOException.class);
        assertThat(log.bytes()).isEqualTo(content.length);
      }
      faulty.disarm();
      log.truncate(kept);
      vault.save("a", out -> out.write(new byte[STORE_BYTES / 2]));
      log.append(ByteBuffer.wrap(new byte[] {7}));
      assertThat(bytes(log.read())).startsWith(Arrays.copyOf(content, kept)).endsWith(7);
    }
    try (AppendLog log = open().openLog("l")) {
      assertThat(log.bytes()).isEqualTo(kept + 1);
    }
  }

  /** Tables that the store takes or not, but says that it failed. */
  private BlockStore tablesFail(boolean[] fails, boolean taken) {
    return new FilterBlockStore(store) {
      @Override
      public void write(ExtentBatch batch, UnitSource source) throws IOException {
        boolean failing = fails[0] && batch.offset(0) < TABLE_BYTES;
        if (taken || !failing) {
          super.write(batch, source);
        }
        if (failing) {
          throw new IOException("injected");
        }
      }
    };
  }

  /** Whichever table is there then, of all that failed one at most has room. */
  @Test
  void whatTheTableDidNotTakeTakesNoRoom() throws IOException {
    boolean[] fails = {false};
    BlockStore faulty = tablesFail(fails, false);
    ClientVault vault = BlocksVault.in(faulty);
    byte[] large = new byte[STORE_BYTES / 5];
    try (AppendLog log = vault.openLog("l")) {
      log.append(ByteBuffer.wrap(large));
      vault.save("a", out -> out.write(1));
      fails[0] = true;
      for (int i = 0; i < 6; i++) {
        assertThatThrownBy(() -> vault.save("a", out -> out.write(large))).hasMessage("injected");
        assertThatThrownBy(() -> log.truncate(large.length - 1)).hasMessage("injected");
      }
      fails[0] = false;
      assertThat(bytes(vault.load("a").orElseThrow())).containsExactly(1);
      assertThat(bytes(log.read())).isEqualTo(large);
      log.truncate(large.length - 1);
      vault.save("a", out -> out.write(large));
      vault.save("a", out -> out.write(large));
    }
    vault.save("b", out -> out.write(large));
    assertThat(bytes(open().load("a").orElseThrow())).isEqualTo(large);
    assertThat(open().openLog("l").bytes()).isEqualTo(large.length - 1);
  }

  /** The table that failed has arrived, and knows nothing of the log that appends go to. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsAppendedAfterATableFailedIsThereOnceItIsSynced(boolean deleted) throws IOException {
    boolean[] fails = {false};
    ClientVault vault = BlocksVault.in(tablesFail(fails, true));
    try (AppendLog log = vault.openLog("l")) {
      log.append(ByteBuffer.wrap(new byte[] {1, 2, 3}));
      fails[0] = true;
      assertThatThrownBy(
              () -> {
                if (deleted) {
                  vault.deleteLog("l");
                } else {
                  log.truncate(2);
                }
              })
          .hasMessage("injected");
      fails[0] = false;
      log.append(ByteBuffer.wrap(new byte[] {4}));
      log.sync();
    }
    try (AppendLog log = open().openLog("l")) {
      assertThat(bytes(log.read())).containsExactly(1, 2, 3, 4);
    }
  }

  @Test
  void whatATableThatIsFullRefusesTakesNoRoom() throws IOException {
    ClientVault vault = open();
    byte[] large = new byte[STORE_BYTES / 3];
    String longName = "x".repeat(TABLE_BYTES / 2 - 30);
    for (int i = 0; i < 6; i++) {
      assertThatThrownBy(() -> vault.save(longName, out -> out.write(large)))
          .isInstanceOf(StoreFullException.class)
          .hasMessageContaining("too many chunks");
    }
    vault.save("a", out -> out.write(large));
    vault.save("b", out -> out.write(large));
    assertThat(bytes(open().load("b").orElseThrow())).isEqualTo(large);
  }

  @Test
  void roomThatIsFreedIsUsedAgainAndAFullStoreLosesNothing() throws IOException {
    ClientVault vault = open();
    byte[] large = new byte[STORE_BYTES / 3];
    for (int i = 0; i < 10; i++) {
      large[0] = (byte) i;
      vault.save("a", out -> out.write(large));
    }
    assertThatThrownBy(() -> vault.save("a", out -> out.write(new byte[STORE_BYTES])))
        .isInstanceOf(StoreFullException.class);
    assertThat(bytes(vault.load("a").orElseThrow())).isEqualTo(large);
    vault.save("b", out -> out.write(large));
    assertThat(bytes(open().load("b").orElseThrow())).isEqualTo(large);
  }

  /** Puts a table that was changed, with its code, into a slot. */
  private void forge(int from, int to, Consumer<ByteBuffer> change) throws IOException {
    int slotBytes = TABLE_BYTES / 2;
    byte[] table = new byte[slotBytes];
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.META, ExtentBatch.NO_TREE, slotBytes);
    batch.add((long) from * slotBytes, 1);
    store.read(batch, (unit, there) -> there.get(table));
    ByteBuffer view = ByteBuffer.wrap(table);
    change.accept(view);
    int end = 20 + view.getInt(16);
    view.putInt(end, Crc32c.of(table, 0, end));
    batch.reset(IoPhase.META, ExtentBatch.NO_TREE, slotBytes);
    batch.add((long) to * slotBytes, 1);
    store.write(batch, (unit, room) -> room.put(table));
  }

  @Test
  void aNumberThatNoneCanFollowIsForged() throws IOException {
    open().save("a", out -> out.write(1));
    forge(1, 0, table -> table.putLong(8, Long.MAX_VALUE));
    ClientVault vault = open();
    for (int i = 2; i < 6; i++) {
      int value = i;
      vault.save("a", out -> out.write(value));
    }
    assertThat(bytes(open().load("a").orElseThrow())).containsExactly(5);
  }

  @Test
  void aRecordWithTheNameOfALogIsForged() throws IOException {
    open().openLog("a1").close();
    forge(1, 1, table -> table.put(20, (byte) 0));
    assertThatThrownBy(this::open).isInstanceOf(StoreDamagedException.class);
  }

  @Test
  void aTableThatWasChangedIsRefused() throws IOException {
    ClientVault vault = open();
    vault.save("a", out -> out.write(1));
    vault.save("a", out -> out.write(2));
    for (long slot = 0; slot < 2; slot++) {
      ExtentBatch batch = new ExtentBatch().reset(IoPhase.META, ExtentBatch.NO_TREE, 1);
      batch.add((slot << 16) + 25, 1);
      byte[] one = new byte[1];
      store.read(batch, (unit, there) -> there.get(one));
      store.write(batch, (unit, room) -> room.put((byte) (one[0] ^ 1)));
    }
    assertThatThrownBy(this::open).isInstanceOf(StoreDamagedException.class);
  }
}
