package io.github.roram.auditor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OpenOptions;
import io.github.roram.auditor.Audit.AuditReport;
import io.github.roram.auditor.TimeAudit.Samples;
import io.github.roram.auditor.workload.RunSettings;
import io.github.roram.bench.ProgressListener;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The statistics, on times that were made up: which they find, and which they do not. */
final class SamplesTest {

  private static Samples samples(double shift, double oneIn) {
    Random random = new Random(1);
    Samples samples = new Samples(20_000);
    while (!samples.isFull()) {
      int side = random.nextInt(2);
      boolean pause = random.nextDouble() < oneIn;
      double time = 50_000 + 5_000 * random.nextGaussian() + (pause ? 1e7 : 0);
      samples.add(side, Math.round(time + (side == 1 ? shift : 0)));
    }
    return samples;
  }

  @Test
  void timesOfOneDistributionAreAlike() {
    Samples alike = samples(0, 0);
    assertThat(Math.abs(alike.welch())).isLessThan(4.5);
    assertThat(Math.abs(alike.croppedWelch())).isLessThan(4.5);
    assertThat(alike.kolmogorovSmirnov()[1]).isGreaterThan(7e-6);
  }

  /** Half a percent: 250 ns, where 20,000 of each side deviate by 50 ns. */
  @Test
  void aSmallShiftIsFound() {
    assertThat(Math.abs(samples(500, 0).welch())).isGreaterThan(4.5);
    assertThat(samples(1000, 0).kolmogorovSmirnov()[1]).isLessThan(7e-6);
  }

  /** What else the machine does hides a shift from the mean of all, and not from the others. */
  @Test
  void pausesDoNotHideIt() {
    Samples noisy = samples(500, 0.01);
    assertThat(Math.abs(noisy.welch())).isLessThan(4.5);
    assertThat(Math.abs(noisy.croppedWelch())).isGreaterThan(4.5);
  }

  @Test
  void everyPairIsTimed() throws IOException {
    AuditReport report =
        TimeAudit.run(
            RunSettings.smallConfig("roram", Map.of()),
            OpenOptions.defaults(),
            List.of("reads-writes", "load-idle"),
            100,
            ProgressListener.NONE);
    assertThat(report.findings().list()).hasSize(3).allMatch(f -> f.evidence().contains("100 a"));
  }
}
