package io.github.roram.storage.striped;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.store.StoreParts;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PlacementTest {

  /** Two trees of three and two levels. */
  private static final StoreParts PARTS =
      new StoreParts(List.of(List.of(100L, 200L, 400L), List.of(800L, 900L)));

  @Test
  void neighbouringLevelsAndTheLowestOfAllTreesAreOnDifferentStripes() {
    StripePlacement two = new StripePlacement(PARTS, 2);
    assertThat(List.of(two.stripe(100), two.stripe(200), two.stripe(400))).containsExactly(0, 1, 0);
    assertThat(List.of(two.stripe(800), two.stripe(900))).containsExactly(0, 1);
    StripePlacement three = new StripePlacement(PARTS, 3);
    assertThat(List.of(three.stripe(100), three.stripe(200), three.stripe(400)))
        .containsExactly(2, 1, 0);
  }

  @Test
  void theFirstStripeHasTheTopLevelsThatFit() {
    // In order: 100 to 200, 800 to 900, 200 to 400, 900 to 1,000, 400 to 800.
    StripePlacement all = StripePlacement.withTop(PARTS, 3, 100 + 100 + 200 + 100, 1000);
    assertThat(List.of(all.stripe(100), all.stripe(200), all.stripe(400))).containsExactly(0, 0, 1);
    assertThat(List.of(all.stripe(800), all.stripe(900))).containsExactly(0, 0);
    StripePlacement two = StripePlacement.withTop(PARTS, 3, 399, 1000);
    assertThat(List.of(two.stripe(100), two.stripe(200), two.stripe(400))).containsExactly(0, 2, 1);
    assertThat(List.of(two.stripe(800), two.stripe(900))).containsExactly(0, 2);
    assertThat(two.on(0, 7))
        .isEqualTo(
            new StoreParts(List.of(List.of(107L), List.of(807L)), List.of(207L, 407L, 907L)));
  }

  @Test
  void whereNoLevelFitsTheOthersHaveAll() {
    StripePlacement none = StripePlacement.withTop(PARTS, 2, 99, 1000);
    assertThat(none.lacksTop()).isTrue();
    assertThat(StripePlacement.withTop(PARTS, 2, 100, 1000).lacksTop()).isFalse();
    assertThat(List.of(none.stripe(100), none.stripe(400), none.stripe(900))).containsOnly(1);
  }

  @Test
  void aPartHasItsBytesAndNoOthers() {
    StripePlacement placement = new StripePlacement(PARTS, 2);
    assertThat(placement.stripe(199)).isEqualTo(placement.stripe(100));
    assertThat(placement.end(100)).isEqualTo(200);
    assertThat(placement.end(199)).isEqualTo(200);
    assertThat(placement.end(900)).isEqualTo(Long.MAX_VALUE);
    assertThat(placement.stripe(1L << 60)).isEqualTo(placement.stripe(900));
  }

  @Test
  void whatComesBeforeAllPartsIsOnTheFirstStripe() {
    StripePlacement placement = new StripePlacement(PARTS, 2);
    assertThat(placement.stripe(0)).isZero();
    assertThat(placement.stripe(99)).isZero();
    assertThat(placement.end(0)).isEqualTo(100);
    assertThat(new StripePlacement().stripe(12345)).isZero();
    assertThat(new StripePlacement().end(12345)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aStripeIsToldOfItsOwnPartsAndWhereTheOthersAre() {
    StripePlacement two = new StripePlacement(PARTS, 2);
    assertThat(two.on(0, 7))
        .isEqualTo(
            new StoreParts(List.of(List.of(107L, 407L), List.of(807L)), List.of(207L, 907L)));
    assertThat(two.on(1, 7))
        .isEqualTo(
            new StoreParts(List.of(List.of(207L), List.of(907L)), List.of(107L, 407L, 807L)));
  }
}
