package io.github.roram.detwo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.detwo.Areas.Area;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A power failure may take a store back to the last state that was synced, with whatever was
 * written since: until the next sync, no page of that state may be overwritten.
 */
final class SlackTest {

  private static final int ACCESSES = 4_000;

  @ParameterizedTest
  @CsvSource({"200, 160, 4, 1", "90, 90, 8, 2", "300, 100, 6, 3", "1000, 130, 16, 4"})
  void noPageIsOverwrittenThatMayBeNeeded(int blocks, int holding, int longest, int seed) {
    OramConfig config =
        Subject.builder(blocks).set("holdingBlocks", holding).maxRangeBlocks(longest).build();
    Areas areas = new Areas(config);
    assertThat(overwritten(areas, areas.mostUnsynced(), longest, seed)).isZero();
  }

  /** With longer ranges: the slack is as long as it must be, but for a few pages. */
  @ParameterizedTest
  @CsvSource({"90, 90, 8, 2", "1000, 130, 16, 4"})
  void aRangeLessIsTooShort(int blocks, int holding, int longest, int seed) {
    OramConfig config =
        Subject.builder(blocks).set("holdingBlocks", holding).maxRangeBlocks(longest).build();
    int unsynced = new Areas(config).mostUnsynced();
    Areas shorter = new Areas(config, unsynced - longest);
    assertThat(overwritten(shorter, unsynced, longest, seed)).isPositive();
  }

  /** How many pages of synced states were overwritten before the next sync. */
  private static int overwritten(Areas areas, int unsynced, int longest, int seed) {
    Random random = new Random(seed);
    PageTable table = new PageTable(areas);
    Set<Long> needed = Set.of();
    long synced = 0;
    int overwritten = 0;
    for (int access = 0; access < ACCESSES; access++) {
      if (table.writes() - synced >= unsynced) {
        synced = table.writes();
        needed = places(areas, table);
      }
      int count = random.nextInt(3) == 0 ? 1 + random.nextInt(longest) : longest;
      long end = table.writes() + count;
      for (long write = table.writes(); write < end; write++) {
        overwritten += needed.contains(areas.offset(Area.HOLDING, write)) ? 1 : 0;
      }
      for (long refresh = table.refreshes(); refresh < areas.refreshes(end); refresh++) {
        overwritten += needed.contains(areas.offset(Area.MAIN, refresh)) ? 1 : 0;
      }
      // Often what the same access refreshes, as it was before: it stays in the holding area.
      int near = (int) (table.refreshes() % areas.blocks());
      int block = random.nextBoolean() ? near : random.nextInt(areas.blocks());
      table.written(Math.min(block, areas.blocks() - count), count, 1);
    }
    return overwritten;
  }

  /** Where the newest page of each block is. */
  private static Set<Long> places(Areas areas, PageTable table) {
    Set<Long> places = new HashSet<>();
    Page page = new Page();
    for (int block = 0; block < areas.blocks(); block++) {
      if (table.locate(block, page).exists()) {
        places.add(areas.offset(page.area(), page.number()));
      }
    }
    return places;
  }
}
