package io.github.roram.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StatisticsTest {

  /** Five values, t(0.975, 4) = 2.776, s = sqrt(2.5). */
  @Test
  void intervalIsStudents() {
    Statistics.Estimate estimate = Statistics.estimate(1, 2, 3, 4, 5);
    assertThat(estimate.mean()).isEqualTo(3);
    assertThat(estimate.halfWidth()).isEqualTo(2.7764 * Math.sqrt(2.5 / 5), within(1e-3));
    assertThat(estimate.low()).isEqualTo(3 - estimate.halfWidth());
    assertThat(estimate.samples()).isEqualTo(5);
  }

  @Test
  void oneSampleHasNoInterval() {
    assertThat(Statistics.estimate(7).mean()).isEqualTo(7);
    assertThat(Statistics.estimate(7).halfWidth()).isNaN();
  }

  @Test
  void ratioAddsRelativeErrors() {
    Statistics.Estimate ratio =
        new Statistics.Estimate(10, 0.3, 5).dividedBy(new Statistics.Estimate(2, 0.08, 6));
    assertThat(ratio.mean()).isEqualTo(5);
    assertThat(ratio.halfWidth()).isEqualTo(5 * 0.05, within(1e-12));
    assertThat(ratio.samples()).isEqualTo(5);
  }

  @Test
  void exponentIsFound() {
    double[] x = {8, 10, 12, 16, 20};
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      y[i] = 3.5 * Math.pow(x[i], 1.75);
    }
    Statistics.Fit fit = Statistics.fit(x, y);
    assertThat(fit.exponent()).isEqualTo(1.75, within(1e-9));
    assertThat(fit.determination()).isEqualTo(1, within(1e-9));
    y[2] *= 1.3;
    assertThat(Statistics.fit(x, y).halfWidth()).isGreaterThan(0.1);
  }
}
