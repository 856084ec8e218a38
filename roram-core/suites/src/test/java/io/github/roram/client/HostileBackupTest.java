package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What someone who has the place of backups learns, and what becomes of what he changes there. */
final class HostileBackupTest extends BackupFixture {

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

  /** Older points may be of an older key: which of them are genuine the client cannot tell. */
  @Test
  void pointsThatSomeonePutThereBeforeTheFirstOfANewKeyDisplaceNone() throws IOException {
    create("local");
    write(20);
    take(2);
    take(2);
    rekey();
    Path points = directory.resolve("backup").resolve("points");
    Path planted = Files.createDirectory(points.resolve("000003"));
    String text = Files.readString(points.resolve("000002").resolve("point"));
    Files.writeString(planted.resolve("point"), text.replace("point 2", "point 3"));
    assertThat(take(2).number()).isEqualTo(4);
    for (int point : new int[] {1, 2, 4}) {
      backup.verify(point, Key.of(secret), bytes -> {});
    }
    take(2);
    assertThat(backup.points().keySet()).containsExactly(4, 5);
    restore(5);
    assertThat(all()).isEqualTo(model);
  }

  private void rekey() throws IOException {
    String uri = "file:" + directory.resolve("store");
    try (OpenedStore opened = Stores.open(uri, StoreOptions.defaults());
        WrappedKey.Keys held = Key.of(secret).unlock(opened.vault(), uri);
        MasterKey next = MasterKey.generate()) {
      Orams.rekey(opened.store(), opened.vault(), held.current(), next, bytes -> {});
      WrappedKey wrapped = WrappedKey.of(opened.vault(), uri);
      wrapped.replaceKeys(new WrappedKey.Keys(next, null), secret).save(opened.vault());
    }
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
