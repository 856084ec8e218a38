package io.github.roram.bench.paging;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PaperComparisonTest {

  @ParameterizedTest
  @CsvSource({
    "1.449, 1.4, true",
    "1.451, 1.4, false",
    "2.04, 2.0, true",
    "2.06, 2.0, false",
    "3.244, 3.24, true",
    "3.246, 3.24, false",
    "1.1, 1.2, true"
  })
  void slowdownsAreRoundedAsThePaperRounds(double ours, double paper, boolean reached) {
    assertThat(PaperComparison.isReached(ours, paper)).isEqualTo(reached);
  }
}
