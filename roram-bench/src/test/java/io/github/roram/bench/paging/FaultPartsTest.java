package io.github.roram.bench.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.roram.bench.paging.PaperComparison.FaultParts;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FaultPartsTest {

  @Test
  void partsAreReadOffStraightLines() {
    FaultParts parts =
        FaultParts.of(Map.of(3, 14.0, 7, 26.0, 15, 50.0), Map.of(3, 12.0, 7, 20.0, 15, 36.0));
    assertThat(parts.once()).isCloseTo(5, within(1e-9));
    assertThat(parts.page()).isCloseTo(3, within(1e-9));
    assertThat(parts.handing()).isCloseTo(1, within(1e-9));
    assertThat(parts.speedUp(7)).isCloseTo(26.0 / 9, within(1e-9));
  }

  @Test
  void handingOutTakesNoLessThanNothing() {
    FaultParts parts = FaultParts.of(Map.of(1, 5.0, 2, 6.0), Map.of(1, 4.0, 2, 4.5));
    assertThat(parts.handing()).isZero();
    assertThat(parts.speedUp(1)).isCloseTo(1, within(1e-9));
  }
}
