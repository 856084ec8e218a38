package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A process that grows a store again and again is killed: the store is as large as it said, or as
 * it was about to be, holds all that was acknowledged, verifies, and grows on. The long run kills
 * as often as {@code roram.kills} says.
 */
final class KilledGrowTest {

  private static final int LONG_KILLS = Integer.getInteger("roram.kills", 200);
  private static final int VERIFIED_EVERY = 10;

  @TempDir Path directory;

  private final Random random = new Random(22);

  /** The stamp of each block that was written. */
  private final Map<Long, Long> acknowledged = new HashMap<>();

  private long blocks;
  private long stamp;

  /** Kills that came while it grew: of such it finished, and did not. */
  private final int[] growths = new int[2];

  @Tag("gate")
  @ParameterizedTest
  @CsvSource({"file:, local", "objects:, local", "file:, recursive"})
  void aFewKills(String kind, String map) throws Exception {
    kill(kind, map, 3);
  }

  @Tag("crash")
  @ParameterizedTest
  @CsvSource({"file:, local", "objects:, local", "file:, recursive"})
  void manyKills(String kind, String map) throws Exception {
    kill(kind, map, LONG_KILLS);
  }

  private void kill(String kind, String map, int kills) throws Exception {
    int stores = 0;
    for (int i = 0; i < kills; i++) {
      String uri = kind + directory.resolve("store-" + stores);
      Roram roram = KilledGrowMain.at(uri, directory);
      if (blocks == 0) {
        roram.create(KilledGrowMain.config(map)).close();
        blocks = KilledGrowMain.BLOCKS;
      }
      List<String> arguments = List.of(uri, directory.toString(), Long.toString(stamp));
      check(
          roram,
          KilledProcess.said(
              KilledGrowMain.class, arguments, 1 + random.nextInt(24), directory, random),
          i % VERIFIED_EVERY == 0 || i == kills - 1);
      if (blocks >= KilledGrowMain.MOST_BLOCKS) {
        blocks = 0;
        acknowledged.clear();
        stores++;
      }
    }
    System.out.printf(
        "%s %s %d kills, %d stores; %d came while one grew, of which %d were finished; nothing lost%n",
        kind, map, kills, stores + 1, growths[0] + growths[1], growths[0]);
  }

  private void check(Roram roram, List<String> said, boolean verifies) throws IOException {
    for (String line : said) {
      String[] words = line.split(" ", -1);
      if (words[0].equals("written")) {
        acknowledged.put(Long.parseLong(words[1]), Long.parseLong(words[2]));
      } else if (words[0].equals("grown")) {
        blocks = Long.parseLong(words[1]);
      }
    }
    String[] last = said.get(said.size() - 1).split(" ", -1);
    try (Oram oram = roram.open()) {
      long now = oram.config().blocks();
      if (last[0].equals("grow")) {
        assertThat(now).isIn(blocks, Long.parseLong(last[1]));
        growths[now == blocks ? 1 : 0]++;
        blocks = now;
      }
      assertThat(now).isEqualTo(blocks);
      if (last[0].equals("write")) {
        settle(oram, Long.parseLong(last[1]), Long.parseLong(last[2]));
      }
      for (long block = 0; block < blocks; block++) {
        assertThat(oram.readBytes(block * KilledGrowMain.BLOCK_BYTES, KilledGrowMain.BLOCK_BYTES))
            .as("block %d", block)
            .isEqualTo(KilledGrowMain.content(acknowledged.getOrDefault(block, 0L)));
      }
      if (verifies) {
        assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
      }
    }
    stamp += 1000;
  }

  /** A write that was not acknowledged is there, or is not. */
  private void settle(Oram oram, long block, long written) throws IOException {
    byte[] found = oram.readBytes(block * KilledGrowMain.BLOCK_BYTES, KilledGrowMain.BLOCK_BYTES);
    if (Arrays.equals(found, KilledGrowMain.content(written))) {
      acknowledged.put(block, written);
    }
  }
}
