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
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Points of a store, against a model: what was copied, what comes back, what is refused. */
final class BackupTest {

  private static final int BLOCKS = 120;
  private static final int BLOCK_BYTES = 512;

  @TempDir Path directory;

  private final Random random = new Random(5);
  private final byte[] model = new byte[BLOCKS * BLOCK_BYTES];
  private final MasterKey secret = MasterKey.generate();
  private Roram roram;
  private Backup backup;

  @BeforeEach
  void name() {
    roram = Roram.at("file:" + directory.resolve("store")).key(Key.of(secret));
    backup = Backup.in(directory.resolve("backup"), 4000, 9000);
  }

  @AfterEach
  void wipe() {
    secret.close();
  }

  private void create(String map) throws IOException {
    roram.create(config(map)).close();
  }

  private static OramConfig config(String map) {
    if (map.equals("ring")) {
      return OramConfig.builder(BLOCKS)
          .scheme("ring")
          .blockBytes(BLOCK_BYTES)
          .maxRangeBlocks(8)
          .set("treetopLevels", 0)
          .build();
    }
    return OramConfig.builder(BLOCKS)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(8)
        .trees(0, 3)
        .treetopBytes(0)
        .chunkPaths(8)
        .windowBlocks(0)
        .positionMap(map)
        .build();
  }

  private void write(Oram oram, int accesses) throws IOException {
    for (int i = 0; i < accesses; i++) {
      int count = 1 + random.nextInt(8);
      int block = random.nextInt(BLOCKS - count + 1);
      byte[] data = new byte[count * BLOCK_BYTES];
      random.nextBytes(data);
      oram.write(block, ByteBuffer.wrap(data));
      System.arraycopy(data, 0, model, block * BLOCK_BYTES, data.length);
    }
  }

  private void write(int accesses) throws IOException {
    try (Oram oram = roram.open()) {
      write(oram, accesses);
    }
  }

  private byte[] all() throws IOException {
    try (Oram oram = roram.open()) {
      assertThat(oram.verify((done, total) -> {}).clean()).isTrue();
      return oram.readBytes(0, BLOCKS * BLOCK_BYTES);
    }
  }

  private Backup.Taken take(int keep) throws IOException {
    return roram.backUp(backup, keep, bytes -> {});
  }

  private void restore(int point) throws IOException {
    roram.restore(backup, point, true, bytes -> {});
  }

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

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTextThatIsDamagedIsInTheWayOfItsOwnPointAlone(boolean readable) throws IOException {
    create("local");
    Map<Integer, byte[]> expected = new TreeMap<>();
    for (int point = 1; point <= 3; point++) {
      write(100);
      take(5);
      expected.put(point, model.clone());
    }
    Path text = directory.resolve("backup").resolve("points").resolve("000002").resolve("point");
    byte[] content = Files.readAllBytes(text);
    String without = Files.readString(text).replaceAll("(?m)^piece .*\n", "");
    Files.writeString(text, readable ? without : "rotten");
    for (int point : new int[] {1, 3}) {
      restore(point);
      assertThat(all()).isEqualTo(expected.get(point));
    }
    assertThatThrownBy(() -> restore(2))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining(text.toString());
    for (int point = 4; point <= 6; point++) {
      write(100);
      assertThat(take(5).number()).isEqualTo(point);
    }
    // It counts for none of the five.
    NavigableSet<Integer> points = new TreeSet<>(Set.of(1, 3, 4, 5, 6));
    if (readable) {
      points.add(2);
    }
    assertThat(backup.points().keySet()).isEqualTo(points);
    Files.write(text, content);
    backup.verify(2, Key.of(secret), bytes -> {});
  }

  /**
   * Else whoever can write to a backup has whoever restores it read any file, or one without end.
   */
  @ParameterizedTest
  @ValueSource(strings = {"../../outside", "/dev/zero", "\ufffd", "state\0", ""})
  void aTextThatNamesAFileOfAnotherPlaceIsRefusedBeforeThatIsRead(String name) throws IOException {
    create("local");
    take(1);
    Path text = directory.resolve("backup").resolve("points").resolve("000001").resolve("point");
    String content = Files.readString(text);
    Files.writeString(
        text,
        content.replaceFirst("record state ", Matcher.quoteReplacement("record " + name + " ")));
    assertThatThrownBy(() -> backup.verify(1, Key.of(secret), bytes -> {}))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContainingAll(text.toString(), "was changed");
  }

  /** Else a text of short lines takes many times its length in memory. */
  @ParameterizedTest
  @ValueSource(strings = {"x\n", "record %d 0\n", "log l%d 0 1 1 0 0\n"})
  void aTextOfMoreThanThereCanBeIsRefused(String line) {
    StringBuilder text = new StringBuilder("roram-backup 1\n");
    for (int i = 0; i < 5000; i++) {
      text.append(String.format(line, i));
    }
    byte[] encoded = text.toString().getBytes(StandardCharsets.US_ASCII);
    assertThatThrownBy(() -> BackupPoint.decode(encoded, "here"))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContainingAll("here is damaged: it has", "restore another point");
  }

  /** As the key of a store whose master key a program has. */
  @Test
  void aRecordThatThePointDoesNotNameIsNotRead() throws IOException {
    String uri = "file:" + directory.resolve("store");
    OramConfig config = config("local");
    try (OpenedStore made = Stores.create(uri, Orams.storeBytes(config), StoreOptions.defaults())) {
      Orams.create(made.store(), made.vault(), config, secret).close();
    }
    write(20);
    take(1);
    Path point = directory.resolve("backup").resolve("points").resolve("000001");
    assertThat(point.resolve("key.record")).doesNotExist();
    Files.writeString(point.resolve("key.record"), "planted");
    backup.verify(1, Key.of(secret), bytes -> {});
    restore(1);
    assertThat(directory.resolve("store").resolve("vault").resolve("key.record")).doesNotExist();
    assertThat(all()).isEqualTo(model);
  }

  /** Else whoever can write to a backup has the next one delete files of the client's machine. */
  @ParameterizedTest
  @ValueSource(strings = {"pieces", "points", "points/aside", "points/000000", "points/000001"})
  void noFolderIsALinkToFilesElsewhere(String folder) throws IOException {
    create("local");
    take(1);
    Path victim = Files.createDirectory(directory.resolve("victim"));
    Path file = Files.createFile(victim.resolve("000007"));
    Path link = directory.resolve("backup").resolve(folder);
    if (Files.exists(link)) {
      Files.move(link, directory.resolve("moved"));
    }
    Files.createSymbolicLink(link, victim);
    assertThatThrownBy(() -> take(1))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining(link + " is a link");
    assertThat(victim).isDirectoryContaining(file::equals);
    assertThat(victim.toFile().list()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"point", "superblock", "state.record", "key.record"})
  void noFileIsALinkOrADirectory(String name) throws IOException {
    create("local");
    take(1);
    Path file = directory.resolve("backup").resolve("points").resolve("000001").resolve(name);
    Path moved = Files.move(file, directory.resolve("moved"));
    Files.createSymbolicLink(file, moved);
    assertThatThrownBy(() -> backup.verify(1, Key.of(secret), bytes -> {}))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining(file + " is a link");
    Files.delete(file);
    Files.createDirectory(file);
    assertThatThrownBy(() -> backup.verify(1, Key.of(secret), bytes -> {}))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining(file + " is no file");
  }

  @Test
  void filesWhoseNamesNoPieceHasAreNone() throws IOException {
    create("local");
    take(2);
    Path pieces = directory.resolve("backup").resolve("pieces");
    List<Path> planted = new ArrayList<>();
    for (String name :
        List.of(
            "t0_99999999999999999999-1_1-00000000-0000-0000-0000-000000000001",
            "t0_0-1_99999999999-00000000-0000-0000-0000-000000000001",
            "t0_00-1_1-00000000-0000-0000-0000-000000000001",
            "t0_0-1_1-" + "-".repeat(36))) {
      planted.add(Files.createFile(pieces.resolve(name)));
    }
    write(20);
    assertThat(take(2).number()).isEqualTo(2);
    assertThat(planted).noneMatch(Files::exists);
    backup.verify(2, Key.of(secret), bytes -> {});
  }

  /** Else who may add to a backup, and delete nothing, has the next one delete what is to stay. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void pointsThatSomeonePutThereDisplaceNone(boolean replayed) throws IOException {
    create("local");
    write(20);
    take(3);
    take(3);
    Path points = directory.resolve("backup").resolve("points");
    String text = Files.readString(points.resolve("000002").resolve("point"));
    for (int number = 7; number <= 9; number++) {
      Path planted = Files.createDirectory(points.resolve("00000" + number));
      Files.writeString(
          planted.resolve("point"), replayed ? text : text.replace("point 2", "point " + number));
    }
    assertThat(take(3).number()).isEqualTo(10);
    assertThat(backup.points()).containsKeys(1, 2, 10);
    for (int point : new int[] {1, 2, 10}) {
      backup.verify(point, Key.of(secret), bytes -> {});
    }
    take(3);
    take(3);
    assertThat(backup.points().keySet()).containsExactly(10, 11, 12);
  }

  /** Else the next one has no name, and older ones are deleted for it. */
  @Test
  void afterAPointThatNoneCanFollowNoneIsTaken() throws IOException {
    create("local");
    take(1);
    Path points = directory.resolve("backup").resolve("points");
    Files.createDirectory(points.resolve("999999999"));
    assertThatThrownBy(() -> take(1))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("999999999");
    backup.verify(1, Key.of(secret), bytes -> {});
  }

  /** Whose they are is not known then. */
  @Test
  void noPointIsTakenWhereAllTextsAreDamaged() throws IOException {
    create("local");
    take(2);
    Path points = directory.resolve("backup").resolve("points");
    Files.writeString(points.resolve("000001").resolve("point"), "rotten\u001b[2J");
    assertThatThrownBy(() -> take(2))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContainingAll("000001", "begins 'rotten\ufffd[2J'");
    assertThat(points.resolve("000002")).doesNotExist();
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
        roram.restore(backup, 1, true, dyingAt(dies));
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

  @Test
  void whateverIsChangedSwappedOrMissingIsNamed() throws IOException {
    create("local");
    write(80);
    take(2);
    write(30);
    take(2);
    Path root = directory.resolve("backup");
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files =
          all.filter(Files::isRegularFile)
              .filter(
                  file ->
                      !file.endsWith("roram-backup.lock")
                          && !root.relativize(file).toString().contains("000001"))
              .filter(file -> isNeeded(file))
              .sorted()
              .toList();
    }
    assertThat(files).hasSizeGreaterThan(12);
    for (Path file : files) {
      byte[] content = Files.readAllBytes(file);
      byte[] other = content.clone();
      int at = random.nextInt(other.length);
      other[at] = (byte) (other[at] ^ 1 << random.nextInt(8));
      refused(file, other);
      refused(file, Arrays.copyOf(content, content.length - 1));
      refused(file, Arrays.copyOf(content, content.length + 1));
      Files.delete(file);
      assertNamed(file);
      Files.write(file, content);
    }
    // Of the point before, and of another piece.
    Path point = root.resolve("points").resolve("000002");
    Path older = root.resolve("points").resolve("000001");
    for (String name : List.of("state.record", "epoch.record", "point")) {
      byte[] content = Files.readAllBytes(point.resolve(name));
      refused(point.resolve(name), Files.readAllBytes(older.resolve(name)));
      Files.write(point.resolve(name), content);
    }
    List<Path> pieces = files.stream().filter(file -> file.toString().contains("pieces")).toList();
    Path one = pieces.get(0);
    Path other =
        pieces.stream()
            .filter(file -> !file.equals(one) && file.toFile().length() == one.toFile().length())
            .findFirst()
            .orElseThrow();
    refused(one, Files.readAllBytes(other));
    backup.verify(0, Key.of(secret), bytes -> {});
  }

  private boolean isNeeded(Path file) {
    try {
      return !file.toString().contains("pieces")
          || backup.points().lastEntry().getValue().pieces().values().stream()
              .anyMatch(names -> names.contains(file.getFileName().toString()));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void refused(Path file, byte[] content) throws IOException {
    byte[] before = Files.readAllBytes(file);
    Files.write(file, content);
    assertNamed(file);
    Files.write(file, before);
  }

  private void assertNamed(Path file) {
    assertThatThrownBy(() -> backup.verify(2, Key.of(secret), bytes -> {}))
        .as("%s", file)
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining(file.getFileName().toString());
    assertThatThrownBy(() -> roram.restore(backup, 2, true, bytes -> {}))
        .isInstanceOf(IntegrityException.class);
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

  /** Names and lengths are the same whatever was accessed, and whether it read or wrote. */
  @Test
  void theBackupsStoreLearnsCountersAlone() throws IOException {
    List<List<String>> seen = new ArrayList<>();
    for (boolean writes : new boolean[] {true, false}) {
      Path place = directory.resolve("b" + writes);
      Roram own = Roram.at("file:" + directory.resolve("s" + writes)).key(Key.of(secret));
      own.create(config("local")).close();
      Backup to = Backup.in(place, 4000, 9000);
      for (int point = 0; point < 3; point++) {
        try (Oram oram = own.open()) {
          for (int i = 0; i < 40; i++) {
            if (writes) {
              oram.write(random.nextInt(BLOCKS - 4), ByteBuffer.allocate(4 * BLOCK_BYTES));
            } else {
              oram.read(7, 4);
            }
          }
        }
        own.backUp(to, 5, bytes -> {});
      }
      try (Stream<Path> files = Files.walk(place)) {
        seen.add(
            files
                .filter(Files::isRegularFile)
                .filter(file -> !file.endsWith("point"))
                .map(
                    file ->
                        place.relativize(file).toString().replaceAll("-[0-9a-f-]{36}$", "")
                            + " "
                            + file.toFile().length())
                .sorted()
                .toList());
      }
    }
    assertThat(seen.get(0)).isEqualTo(seen.get(1)).hasSizeGreaterThan(20);
  }
}
