package io.github.roram.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.bench.experiment.Claim.Ratios;
import io.github.roram.bench.report.Statistics.Estimate;
import org.junit.jupiter.api.Test;

class RatiosTest {

  @Test
  void verdictMindsTheInterval() {
    assertThat(Ratios.verdict(new Estimate(30.5, 0.4, 5), 30)).isEqualTo("reached");
    assertThat(Ratios.verdict(new Estimate(30.5, 0.6, 5), 30)).isEqualTo("about");
    assertThat(Ratios.verdict(new Estimate(29.5, 0.6, 5), 30)).isEqualTo("about");
    assertThat(Ratios.verdict(new Estimate(29.5, 0.4, 5), 30)).isEqualTo("not reached");
    assertThat(Ratios.verdict(new Estimate(31, Double.NaN, 1), 30)).isEqualTo("reached");
  }
}
