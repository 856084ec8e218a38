package io.github.roram.auditor.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.roram.auditor.judge.Chance.TwoSamples;
import org.junit.jupiter.api.Test;

/** Probabilities, where they are known. */
class ChanceTest {

  @Test
  void exactlyWhatIsExpectedOfFewBinsIsNoWonder() {
    assertThat(Chance.chiSquared(0, 1)).isEqualTo(1);
    assertThat(Chance.chiSquared(0, 255)).isLessThan(Chance.LEVEL);
  }

  @Test
  void poissonTailIsTheSumOfItsTerms() {
    assertThat(Chance.poissonTail(1, 0.5)).isCloseTo(1 - Math.exp(-0.5), within(1e-12));
    assertThat(Chance.poissonTail(0, 3)).isEqualTo(1);
    assertThat(Chance.poissonTail(17, 1.59)).isLessThan(Chance.LEVEL);
  }

  @Test
  void howManyRunsOfTwoSidesHaveIt() {
    // Of C(8, 4) choices of four runs of eight two are all of one side.
    assertThat(Chance.inRuns(new int[] {4, 0}, 4)).isCloseTo(2 / 70.0, within(1e-12));
    assertThat(Chance.inRuns(new int[] {0, 4}, 4)).isCloseTo(2 / 70.0, within(1e-12));
    assertThat(Chance.inRuns(new int[] {3, 3}, 4)).isEqualTo(1);
  }

  @Test
  void thirtyOddValuesOnOneSideAloneAreNoAccident() {
    TwoSamples samples = new TwoSamples();
    for (int i = 0; i < 4000; i++) {
      samples.add(0, i % 7);
      samples.add(1, i % 100 == 0 ? 9 : i % 7);
    }
    assertThat(samples.test().probability()).isLessThan(Chance.LEVEL);
    assertThat(samples.test().evidence()).contains("9: 0 of 4000", "40 of 4000");
  }
}
