package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.UncleanShutdownException;
import io.github.roram.storage.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process that takes points, or restores them, is killed again and again: every point that it
 * said is there, all that there are are whole, and what was broken off is gone on with. A store on
 * which a restore was broken off opens only once it is restored. The long run kills as often as
 * {@code roram.kills} says, of each.
 */
final class KilledBackupTest {

  private static final int LONG_KILLS = Integer.getInteger("roram.kills", 200);

  /** A point is restored and read after so many kills. */
  private static final int RESTORED_EVERY = 10;

  @TempDir Path directory;

  private final Random random = new Random(21);

  @Tag("gate")
  @ParameterizedTest
  @ValueSource(strings = {"", "objects:"})
  void aFewKills(String kind) throws Exception {
    kill(kind, 2);
  }

  @Tag("crash")
  @ParameterizedTest
  @ValueSource(strings = {"", "objects:"})
  void manyKills(String kind) throws Exception {
    kill(kind, LONG_KILLS);
  }

  private void kill(String kind, int kills) throws Exception {
    Path keyFile = directory.resolve("key");
    String uri = "file:" + directory.resolve("store");
    String target = kind + directory.resolve("backup");
    Roram.at(uri).key(Key.newFile(keyFile)).create(KilledBackupMain.config()).close();
    Roram roram = KilledBackupMain.at(uri, keyFile.toString());
    List<String> arguments = List.of(uri, keyFile.toString(), target);
    int acknowledged = 0;
    for (int i = 0; i < kills || acknowledged == 0; i++) {
      String said = last(killed("backup", arguments), "point");
      acknowledged = said.isEmpty() ? acknowledged : Integer.parseInt(said.split(" ", -1)[1]);
      checkPoints(target, acknowledged);
      if (i % RESTORED_EVERY == 0 && acknowledged > 0) {
        restored(roram, target, said);
      }
    }
    restored(roram, target, "");
    int refused = 0;
    int restored = 0;
    for (int i = 0; i < kills || restored == 0; i++) {
      restored += last(killed("restore", arguments), "restored").isEmpty() ? 0 : 1;
      try (Oram oram = roram.open()) {
        check(oram);
      } catch (UncleanShutdownException e) {
        assertThat(e).hasMessageContaining("roram restore");
        refused++;
      }
      if (i % RESTORED_EVERY == 0) {
        restored(roram, target, "");
      }
    }
    restored(roram, target, "");
    System.out.printf(
        "%s: %d kills of backups, %d points; as many of restores, %d of them while the store was"
            + " of no one moment; nothing lost%n",
        kind.isEmpty() ? "directory" : kind, kills, acknowledged, refused);
  }

  private void checkPoints(String target, int acknowledged) throws IOException {
    try (Backup backup = Backup.at(target, StoreOptions.defaults())) {
      List<Integer> points = new ArrayList<>(backup.points().keySet());
      assertThat(points).hasSizeLessThanOrEqualTo(KilledBackupMain.KEEP + 1);
      if (acknowledged > 0) {
        assertThat(points.get(points.size() - 1)).isGreaterThanOrEqualTo(acknowledged);
      }
      for (int point : points) {
        backup.verify(point, key(), bytes -> {});
      }
    }
  }

  private Key key() {
    return Key.file(directory.resolve("key"));
  }

  /** A point, the one that was said last or any, comes back. */
  private void restored(Roram roram, String target, String said) throws IOException {
    try (Backup backup = Backup.at(target, StoreOptions.defaults())) {
      List<Integer> points = new ArrayList<>(backup.points().keySet());
      String[] words = said.split(" ", -1);
      boolean any = words.length < 3;
      int point = any ? points.get(random.nextInt(points.size())) : Integer.parseInt(words[1]);
      roram.restore(backup, point, true, bytes -> {});
      try (Oram oram = roram.open()) {
        int round = check(oram);
        if (!any) {
          assertThat(round).isEqualTo(Integer.parseInt(words[2]));
        }
      }
    }
  }

  /** Whether it holds what it must after the round that it names. */
  private int check(Oram oram) throws IOException {
    byte[] all = oram.readBytes(0, KilledBackupMain.BLOCKS * KilledBackupMain.BLOCK_BYTES);
    int round = KilledBackupMain.round(all);
    assertThat(all).as("round %d", round).isEqualTo(KilledBackupMain.content(round));
    return round;
  }

  /** The last line of those that begin so. */
  private static String last(List<String> lines, String word) {
    return lines.stream().filter(line -> line.startsWith(word)).reduce("", (one, next) -> next);
  }

  private List<String> killed(String what, List<String> arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(what));
    all.addAll(arguments);
    return KilledProcess.said(
        KilledBackupMain.class, all, 1 + random.nextInt(4), directory, random);
  }
}
