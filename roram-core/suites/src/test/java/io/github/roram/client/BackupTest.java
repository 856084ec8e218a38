package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.StaleRecordsException;
import io.github.roram.UncleanShutdownException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.StoreLog;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.file.FileRollbackGuard;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Points of a store, against a model: what was copied, what comes back, what is refused. */
final class BackupTest extends BackupFixture {

  private List<StoreLog> logs() throws IOException {
    List<StoreLog> logs = new ArrayList<>();
    try (Oram oram = roram.open()) {
      Orams.hold(oram, image -> logs.addAll(image.logs()));
    }
    return logs;
  }

  private static long changed(List<StoreLog> before, List<StoreLog> after) {
    long bytes = 0;
    for (int i = 0; i < after.size(); i++) {
      StoreLog log = after.get(i);
      long from = Math.max(log.first(), before.isEmpty() ? 0 : before.get(i).end());
      bytes += (log.end() - from) * log.unitBytes();
    }
    return bytes;
  }

  /**
   * Points of before and after the store grew, over the larger store and in place of a lost one.
   */
  @ParameterizedTest
  @ValueSource(strings = {"local", "recursive"})
  void pointsOfAStoreThatGrewComeBack(String map) throws IOException {
    create(map);
    write(60);
    take(9);
    byte[] before = model.clone();
    List<StoreLog> smaller = logs();
    try (Oram oram = roram.open()) {
      oram.grow(3 * BLOCKS);
      oram.write(3 * BLOCKS - 1, ByteBuffer.wrap(new byte[BLOCK_BYTES]));
      write(oram, 60);
    }
    byte[] after = model.clone();
    assertThat(logs()).hasSizeGreaterThan(smaller.size());
    take(9);
    write(20);
    for (int point : new int[] {1, 2, 1}) {
      restore(point);
      assertThat(all()).isEqualTo(point == 1 ? before : after);
      assertThat(roram.info().config().blocks()).isEqualTo(point == 1 ? BLOCKS : 3 * BLOCKS);
    }
    Stores.delete("file:" + directory.resolve("store"), StoreOptions.defaults());
    restore(2);
    assertThat(all()).isEqualTo(after);
    try (Oram oram = roram.open()) {
      oram.grow(5 * BLOCKS);
    }
    assertThat(all()).isEqualTo(after);
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "recursive", "ring"})
  void everyPointComesBackAndOnlyWhatChangedIsCopied(String map) throws IOException {
    create(map);
    Map<Integer, byte[]> expected = new TreeMap<>();
    List<StoreLog> before = List.of();
    for (int point = 1; point <= 6; point++) {
      write(point == 4 ? 0 : 3 + random.nextInt(60));
      List<StoreLog> after = logs();
      Backup.Taken taken = take(9);
      assertThat(taken.number()).isEqualTo(point);
      assertThat(taken.copiedBytes()).isEqualTo(changed(before, after));
      before = after;
      expected.put(point, model.clone());
      backup.verify(0, Key.of(secret), bytes -> {});
    }
    for (int point : new int[] {6, 2, 5, 1, 3, 4}) {
      restore(point);
      assertThat(all()).as("point %d", point).isEqualTo(expected.get(point));
      // The next life goes on, and later points are still there.
      System.arraycopy(expected.get(point), 0, model, 0, model.length);
      write(10);
      if (point % 2 == 0) {
        assertThat(all()).isEqualTo(model);
      }
    }
    int branch = take(9).number();
    byte[] now = model.clone();
    for (int point : new int[] {3, branch}) {
      restore(point);
      assertThat(all()).isEqualTo(point == branch ? now : expected.get(point));
    }
  }

  @Test
  void onlySoManyPointsAreKeptAndNoPieceMore() throws IOException {
    create("local");
    Map<Integer, byte[]> expected = new TreeMap<>();
    for (int point = 1; point <= 7; point++) {
      write(40);
      take(3);
      expected.put(point, model.clone());
    }
    assertThat(backup.points().keySet()).containsExactly(5, 6, 7);
    for (int point : backup.points().keySet()) {
      restore(point);
      assertThat(all()).isEqualTo(expected.get(point));
    }
    long needed =
        backup.points().values().stream()
            .flatMap(p -> p.pieces().values().stream())
            .flatMap(List::stream)
            .distinct()
            .count();
    try (Stream<Path> pieces = Files.list(directory.resolve("backup").resolve("pieces"))) {
      assertThat(pieces.count()).isEqualTo(needed);
    }
    assertThatThrownBy(() -> roram.restore(backup, 2, true, bytes -> {}))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("[5, 6, 7]");
  }

  /** It is not even looked at when somebody has it. */
  @Test
  void aRestoreOverAStoreThatIsInUseIsRefusedAsOverAnyOther() throws IOException {
    create("local");
    take(1);
    try (Oram oram = roram.open()) {
      assertThatThrownBy(() -> roram.restore(backup, 1, false, bytes -> {}))
          .isInstanceOf(FileAlreadyExistsException.class)
          .hasMessageContaining("--over");
      write(oram, 1);
    }
  }

  /** As a kill leaves them that comes before there is a lock. */
  @Test
  void emptyFoldersAreABackupThatWasNotBegun() throws IOException {
    create("local");
    Path file = directory.resolve("backup").resolve("pieces").resolve("file");
    Files.createDirectories(file);
    assertThatThrownBy(() -> take(1)).hasMessageContaining("has other files");
    Files.delete(file);
    take(1);
    assertThat(backup.points().keySet()).containsExactly(1);
  }

  /** As a kill leaves it while an old point is deleted. */
  @Test
  void whatIsLeftOfAPointIsNoneAndIsSweptUp() throws IOException {
    create("local");
    byte[] then = {};
    for (int point = 1; point <= 3; point++) {
      write(20);
      take(3);
      then = model.clone();
    }
    Path half = directory.resolve("backup").resolve("points").resolve("000001");
    Files.delete(half.resolve("point"));
    assertThat(backup.points().keySet()).containsExactly(2, 3);
    backup.verify(0, Key.of(secret), bytes -> {});
    write(20);
    assertThat(take(3).number()).isEqualTo(4);
    assertThat(half).doesNotExist();
    assertThat(backup.points().keySet()).containsExactly(2, 3, 4);
    restore(3);
    assertThat(all()).isEqualTo(then);
  }

  @Test
  void aLostStoreComesBackWithTheKeyAlone() throws IOException {
    create("local");
    write(50);
    take(1);
    roram.delete();
    Roram other = Roram.at("file:" + directory.resolve("elsewhere")).key(Key.of(secret));
    other.restore(backup, 0, false, bytes -> {});
    try (Oram oram = other.open()) {
      assertThat(oram.readBytes(0, model.length)).isEqualTo(model);
    }
  }

  @Test
  void nextToTheLiveStoreAndOverItUnaskedItIsRefused() throws IOException {
    create("local");
    write(20);
    take(1);
    Roram other = Roram.at("file:" + directory.resolve("elsewhere")).key(Key.of(secret));
    assertThatThrownBy(() -> other.restore(backup, 0, false, bytes -> {}))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("still at file:");
    assertThat(other.exists()).isFalse();
    assertThatThrownBy(() -> roram.restore(backup, 0, false, bytes -> {}))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("--over");
    assertThat(all()).isEqualTo(model);
  }

  @Test
  void aStoreOfAnotherKindOfBackupIsLeftAlone() throws IOException {
    create("local");
    write(5);
    take(1);
    Roram other = Roram.at("file:" + directory.resolve("other")).key(Key.of(secret));
    other.create(config("local")).close();
    assertThatThrownBy(() -> other.backUp(backup, 1, bytes -> {}))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("backups of store");
    roram.delete();
    assertThatThrownBy(() -> other.restore(backup, 0, true, bytes -> {}))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("another store");
    Files.createDirectory(directory.resolve("full"));
    Files.createFile(directory.resolve("full").resolve("x"));
    assertThatThrownBy(() -> other.backUp(Backup.in(directory.resolve("full")), 1, bytes -> {}))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("other files");
  }

  /** As of a vault that was named by mistake. */
  @Test
  void recordsOfAnotherStoreAreNotOverwritten() throws IOException {
    roram = roram.store(vault("mine"));
    create("local");
    write(20);
    take(1);
    try (MasterKey another = MasterKey.generate()) {
      for (MasterKey itsKey : List.of(secret, another)) {
        String name = itsKey == secret ? "sameKey" : "anotherKey";
        Roram other = Roram.at("file:" + directory.resolve(name)).key(Key.of(itsKey));
        Roram kept = other.store(vault("its" + name));
        kept.create(config("local")).close();
        assertThatThrownBy(
                () -> roram.store(vault("its" + name)).restore(backup, 1, true, bytes -> {}))
            .isInstanceOf(ConfigurationException.class)
            .hasMessageContainingAll("are of another store than", "vault");
        kept.open().close();
      }
    }
    byte[] then = model.clone();
    write(20);
    restore(1);
    assertThat(all()).isEqualTo(then);
  }

  private StoreOptions vault(String name) {
    return StoreOptions.defaults().with(StoreOptions.VAULT, "objects:" + directory.resolve(name));
  }

  @Test
  void schemesThatOverwriteInPlaceAreCloned() throws IOException {
    roram.create(OramConfig.builder(64).scheme("path").blockBytes(512).build()).close();
    assertThatThrownBy(() -> take(1))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("cannot be backed up, only cloned");
  }

  /** Older records are accepted after a restore, and otherwise not. */
  @Test
  void guardAndWatermarkAreToldAndOnlyByARestore() throws IOException {
    Path guard = directory.resolve("guard");
    FileRollbackGuard.create(guard);
    roram = roram.options(OpenOptions.defaults().withRollbackGuard(FileRollbackGuard.open(guard)));
    create("local");
    write(30);
    take(2);
    byte[] then = model.clone();
    write(30);
    write(30);
    Path vault = directory.resolve("store").resolve("vault");
    Path point = directory.resolve("backup").resolve("points").resolve("000001");
    byte[] state = Files.readAllBytes(vault.resolve("state.record"));
    byte[] epoch = Files.readAllBytes(vault.resolve("epoch.record"));
    for (String name : List.of("state.record", "epoch.record")) {
      Files.copy(point.resolve(name), vault.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
    assertThatThrownBy(() -> roram.open().close()).isInstanceOf(IntegrityException.class);
    assertThatThrownBy(
            () ->
                Roram.at("file:" + directory.resolve("store"))
                    .key(Key.of(secret))
                    .options(OpenOptions.defaults().withRollbackGuard(new AtFirst()))
                    .open()
                    .close())
        .isInstanceOf(StaleRecordsException.class);
    Files.write(vault.resolve("state.record"), state);
    Files.write(vault.resolve("epoch.record"), epoch);
    assertThat(all()).isEqualTo(model);
    restore(1);
    assertThat(all()).isEqualTo(then);
    // What was undone is now what is refused.
    Files.write(vault.resolve("state.record"), state);
    Files.write(vault.resolve("epoch.record"), epoch);
    assertThatThrownBy(() -> roram.open().close()).isInstanceOf(IntegrityException.class);
  }

  /** A guard that knows nothing. */
  private static final class AtFirst implements io.github.roram.store.RollbackGuard {
    @Override
    public long read() {
      return 1;
    }

    @Override
    public void advanceTo(long value) {}
  }

  private static final class Killed extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private static Backup.Progress dyingAt(int call) {
    AtomicInteger calls = new AtomicInteger();
    return bytes -> {
      if (calls.incrementAndGet() == call) {
        throw new Killed();
      }
    };
  }

  @Test
  void aBackupThatIsBrokenOffGoesOnWhereItWas() throws IOException {
    create("local");
    write(200);
    long whole = changed(List.of(), logs());
    int broken = 0;
    long copied = 0;
    while (true) {
      long[] moved = new long[1];
      int dies = 1 + random.nextInt(6);
      try {
        AtomicInteger calls = new AtomicInteger();
        roram.backUp(
            backup,
            1,
            bytes -> {
              moved[0] += bytes;
              if (calls.incrementAndGet() == dies) {
                throw new Killed();
              }
            });
        copied += moved[0];
        break;
      } catch (Killed e) {
        broken++;
        copied += moved[0];
        assertThat(backup.points()).isEmpty();
      }
    }
    assertThat(broken).isGreaterThan(5);
    assertThat(copied).isEqualTo(whole);
    roram.delete();
    roram.restore(backup, 0, false, bytes -> {});
    assertThat(all()).isEqualTo(model);
  }

  @Test
  void aRestoreThatIsBrokenOffIsDoneAgainAndNothingIsOpenedBefore() throws IOException {
    create("local");
    write(100);
    take(2);
    byte[] then = model.clone();
    write(100);
    for (int call = 1; ; call++) {
      int dies = call;
      try {
        roram.restore(backup, 1, dies == 1, dyingAt(dies));
        assertThat(call).isGreaterThan(5);
        break;
      } catch (Killed e) {
        assertThatThrownBy(() -> roram.open().close())
            .isInstanceOf(UncleanShutdownException.class)
            .hasMessageContaining("roram restore");
      }
    }
    assertThat(all()).isEqualTo(then);
  }

  @Test
  void aSuperblockThatIsDamagedIsRestoredWhereNothingElseIsOfAnotherStore() throws IOException {
    create("local");
    write(40);
    take(1);
    byte[] then = model.clone();
    write(10);
    Path segment = directory.resolve("store").resolve("segment-000000");
    byte[] content = Files.readAllBytes(segment);
    Arrays.fill(content, 0, 4096, (byte) 0);
    Files.write(segment, content);
    restore(1);
    assertThat(all()).isEqualTo(then);

    // As a restore leaves it that was broken off at its beginning, where no store was.
    roram.delete();
    String uri = "file:" + directory.resolve("store");
    Stores.create(uri, Orams.storeBytes(config("local")), StoreOptions.defaults()).close();
    assertThatThrownBy(() -> restore(1)).isInstanceOf(IntegrityException.class);
    try (OpenedStore begun = Stores.open(uri, StoreOptions.defaults())) {
      Orams.beginRestore(begun.vault());
    }
    restore(1);
    assertThat(all()).isEqualTo(then);
  }

  /** What is evicted while it is copied is in none, and nothing is copied twice for it. */
  @ParameterizedTest
  @ValueSource(strings = {"local", "recursive", "ring"})
  void aPointIsOfTheMomentWhenItWasBegun(String map) throws IOException {
    create(map);
    write(100);
    Backup roomy = Backup.in(directory.resolve("backup"), 1 << 22, 9000);
    List<byte[]> expected = new ArrayList<>();
    try (Oram oram = roram.open()) {
      for (int point = 1; point <= 2; point++) {
        write(oram, 20);
        expected.add(model.clone());
        Backup.Taken taken =
            roomy.takeAtRest(
                oram, "file:" + directory.resolve("store"), 3, bytes -> write(oram, 4));
        List<StoreLog> before = point == 1 ? List.of() : logs(point - 1);
        assertThat(taken.copiedBytes()).isEqualTo(changed(before, logs(point)));
        write(oram, 20);
      }
    }
    for (int point : new int[] {2, 1}) {
      restore(point);
      assertThat(all()).as("point %d", point).isEqualTo(expected.get(point - 1));
    }
  }

  private List<StoreLog> logs(int point) throws IOException {
    return backup.point(point).logs();
  }

  /** What is restored is what was there after some write that was under way during the backup. */
  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void aPointOfAStoreInUseIsOfOneMoment(int inFlight) throws Exception {
    create("local");
    Roram overlapping = roram.options(OpenOptions.defaults().withInFlight(inFlight));
    List<int[]> history = new ArrayList<>();
    int[] bounds = new int[2];
    try (Oram oram = overlapping.open()) {
      AtomicInteger done = new AtomicInteger();
      boolean[] stop = new boolean[1];
      Thread writer =
          new Thread(
              () -> {
                try {
                  for (int i = 1; !stop[0]; i++) {
                    int block = random.nextInt(BLOCKS);
                    synchronized (history) {
                      history.add(new int[] {block, i});
                    }
                    byte[] data = new byte[BLOCK_BYTES];
                    ByteBuffer.wrap(data).putInt(i);
                    oram.async().write(block, ByteBuffer.wrap(data)).join();
                    done.set(i);
                  }
                } catch (RuntimeException e) {
                  throw new AssertionError(e);
                }
              });
      writer.start();
      while (done.get() < 300) {
        Thread.onSpinWait();
      }
      for (int point = 1; point <= 3; point++) {
        bounds[0] = done.get();
        Backup.Taken taken =
            backup.take(oram, "file:" + directory.resolve("store"), 5, bytes -> {});
        List<StoreLog> before = point == 1 ? List.of() : logs(point - 1);
        assertThat(taken.copiedBytes()).isEqualTo(changed(before, logs(point)));
        synchronized (history) {
          bounds[1] = history.size();
        }
      }
      stop[0] = true;
      writer.join();
    }
    restore(3);
    int[] values = new int[BLOCKS];
    byte[] now = all();
    for (int block = 0; block < BLOCKS; block++) {
      values[block] = ByteBuffer.wrap(now).getInt(block * BLOCK_BYTES);
    }
    int[] expected = new int[BLOCKS];
    boolean found = false;
    for (int i = 1; i <= bounds[1] && !found; i++) {
      int[] write = history.get(i - 1);
      expected[write[0]] = write[1];
      found = i >= bounds[0] && Arrays.equals(expected, values);
    }
    assertThat(found).as("a state between writes %d and %d", bounds[0], bounds[1]).isTrue();
  }
}
