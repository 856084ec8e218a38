package io.github.roram.auditor.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.roram.auditor.judge.Chance.TwoSamples;
import io.github.roram.auditor.judge.LabelChecks.SingleUse;
import io.github.roram.auditor.judge.LabelChecks.SingleUse.Pairs;
import io.github.roram.auditor.judge.ShownPaths.ShownLabels.Label;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
  void equalPairsOfFewLabelsArePoisson() {
    assertThat(Chance.equalPairs(2, 3, 1)).isEqualTo(1);
    for (double squares : new double[] {1e-9, 1e-6}) {
      assertThat(Chance.equalPairs(1, 0.5, squares)).isCloseTo(1 - Math.exp(-0.5), within(1e-5));
    }
    assertThat(Chance.equalPairs(17, 1.59, 0.1)).isLessThan(Chance.LEVEL);
  }

  /** A leaf that happens to come often makes many pairs at once. */
  @ParameterizedTest
  @ValueSource(ints = {4, 16, 64})
  void equalPairsOfFewLeavesAreNoWonder(int leaves) {
    Random random = new Random(leaves);
    int runs = 20_000;
    int rare = 0;
    for (int run = 0; run < runs; run++) {
      List<Label> labels = new ArrayList<>();
      for (int read = 0; read < 60; read++) {
        labels.add(new Label(read, read, random.nextInt(leaves), leaves, leaves, 0));
      }
      Pairs pairs = new Pairs();
      SingleUse.all(labels, pairs);
      rare += pairs.probability() < 1e-3 ? 1 : 0;
    }
    assertThat(rare).isLessThanOrEqualTo(runs / 1000);
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

  /** However many others there are: here every value comes five times on either side. */
  @Test
  void anOddValueAmongManyIsFound() {
    for (int odd = 1000; odd < 1010; odd++) {
      TwoSamples samples = new TwoSamples();
      for (int i = 0; i < 10_000; i++) {
        samples.add(0, i % 2000);
        samples.add(1, i % 100 == 0 ? odd : i % 2000);
      }
      assertThat(samples.test().probability()).isLessThan(Chance.LEVEL);
      assertThat(samples.test().evidence()).startsWith(odd + ": 5 of 10000");
    }
  }
}
