package io.github.roram.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.github.roram.OramConfig;
import io.github.roram.bench.plan.Plan.PlanOptions;
import io.github.roram.bench.plan.Plan.Prediction;
import io.github.roram.bench.replay.LoadProfile;
import io.github.roram.object.ObjectTraits.Prices;
import io.github.roram.storage.device.DeviceModel;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PricesTest {

  private static final Prices S3 = new Prices(0.40, 5, 0, 0, 0, 0);

  /** Of a program of its own, which draws labels and counters and counts objects. */
  @ParameterizedTest
  @CsvSource({
    "'0', 0, 32, 3.65", "'0', 0, 256, 3.26", "'0', 5, 32, 117", "'0', 8, 256, 834",
    "'0,5', 0, 32, 4.61", "'0,5', 0, 1024, 3.63", "'0,5', 5, 32, 63", "'0,5', 5, 256, 14",
    "'0,5', 8, 256, 70", "'0,8', 8, 32, 454", "'0,8', 8, 1024, 21"
  })
  void aMillionAccessesCostWhatTheModelSays(
      String trees, int sizeClass, int chunk, double dollars) {
    OramConfig config =
        OramConfig.builder(1L << 22)
            .maxRangeBlocks(256)
            .treetopBytes(64 << 20)
            .chunkPaths(chunk)
            .windowBlocks(3 * chunk)
            .set("trees", trees)
            .build();
    PlanOptions options =
        new PlanOptions(1L << 22, 4096, DeviceModel.S3, S3, 64 << 20, 8, 17, 1, false);
    double cost = 1e6 * options.price(config, 1 << sizeClass);
    assertThat(cost).isCloseTo(dollars, withinPercentage(5));
  }

  /** Long ranges: requests cost more than bytes, so chunks are longer and there are more trees. */
  @Test
  void aPlanByCostProposesWhatCostsLeast() {
    LoadProfile load = new LoadProfile(100, 64, 3200, 1600, Map.of(64, 50L));
    PlanOptions options =
        new PlanOptions(1 << 20, 4096, DeviceModel.S3, S3, 64 << 20, 8, 17, 1, false);
    Plan plan = Plan.of(options, load, 64);
    double least = options.price(plan.proposal());
    assertThat(plan.candidates())
        .allSatisfy(
            each -> {
              assertThat(each.objects().puts()).isPositive();
              assertThat(options.price(each)).isGreaterThanOrEqualTo(least);
            });
    assertThat(plan.candidates())
        .extracting(each -> each.config().scheme())
        .contains("roram", "path-batched", "ring");
    assertThat(plan.gain()).isGreaterThan(2);
    PlanOptions byTime = new PlanOptions(1 << 20, 4096, DeviceModel.S3, 64 << 20, 8, 17, 1, false);
    Prediction fastest = Plan.of(byTime, load, 64).proposal();
    assertThat(plan.proposal().seconds(DeviceModel.S3))
        .isGreaterThanOrEqualTo(fastest.seconds(DeviceModel.S3));
    assertThat(PlanText.table(plan, 1).get(0)).contains("$/million requests");
  }
}
