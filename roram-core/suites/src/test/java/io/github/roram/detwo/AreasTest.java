package io.github.roram.detwo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.detwo.Areas.Area;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** The ring has every page that a state of the last writes may need. */
final class AreasTest {

  private record Name(Area area, long number) {}

  private static Areas areas(int blocks, int holding, int range) {
    int least = Math.min(holding, blocks);
    OramConfig config =
        Subject.builder(blocks)
            .set("holdingBlocks", least)
            .maxRangeBlocks(Math.min(range, least))
            .build();
    return new Areas(config);
  }

  @RepeatedTest(100)
  void aRefreshBelongsToTheWriteThatIsToldByItsNumber(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    Areas areas = areas(1 + random.nextInt(60), 1 + random.nextInt(60), 1);
    for (long write = 0; write < 200; write++) {
      for (long refresh = areas.refreshes(write); refresh < areas.refreshes(write + 1); refresh++) {
        assertThat(areas.writeOf(refresh)).isEqualTo(write);
      }
    }
    long far = 1L << 40;
    assertThat(areas.refreshes(areas.writeOf(far))).isLessThanOrEqualTo(far);
    assertThat(areas.refreshes(areas.writeOf(far) + 1)).isGreaterThan(far);
  }

  @RepeatedTest(100)
  void nothingIsOverwrittenBeforeItsTime(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    int range = 1 + random.nextInt(4);
    Areas areas = areas(1 + random.nextInt(40), 1 + random.nextInt(40), range);
    int slack = areas.heldWrites() - areas.holding();
    assertNoStateIsOverwritten(areas, Math.min(range, areas.holding()));
    Map<Long, Name> ring = new HashMap<>();
    long end = areas.offset(Area.HOLDING, 0);
    for (long write = 0; write < 5L * areas.heldWrites(); write++) {
      assertThat(areas.offset(Area.HOLDING, write)).isIn(end, areas.offset(Area.HOLDING, 0));
      put(ring, areas, new Name(Area.HOLDING, write), write - areas.holding() - slack);
      end = areas.offset(Area.HOLDING, write) + areas.pageBytes();
      for (long refresh = areas.refreshes(write); refresh < areas.refreshes(write + 1); refresh++) {
        put(ring, areas, new Name(Area.MAIN, refresh), write - areas.holding() - slack);
        end = areas.offset(Area.MAIN, refresh) + areas.pageBytes();
      }
    }
  }

  /**
   * A range may be begun while one write less than the most is not secured. A power failure then
   * takes all of them back, to a state that needs pages of M writes and a range before it.
   */
  private static void assertNoStateIsOverwritten(Areas areas, int longest) {
    long secured = 1000;
    long written = secured + areas.mostUnsynced() - 1 + longest;
    assertThat(written - areas.firstHeld(secured)).isLessThanOrEqualTo(areas.heldWrites());
  }

  /** Puts a page; what was there belonged to a write no later than that one. */
  private static void put(Map<Long, Name> ring, Areas areas, Name page, long latest) {
    long offset = areas.offset(page.area(), page.number());
    assertThat(offset).isBetween(4096L, areas.bytes() - areas.pageBytes());
    Name before = ring.put(offset, page);
    if (before != null) {
      long write = before.area() == Area.MAIN ? areas.writeOf(before.number()) : before.number();
      assertThat(write).isLessThanOrEqualTo(latest);
    }
  }
}
