package io.github.roram.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.plan.Plan.PlanOptions;
import io.github.roram.bench.plan.Plan.Prediction;
import io.github.roram.bench.replay.LoadProfile;
import io.github.roram.bench.replay.Replayer.ReplayOptions;
import io.github.roram.bench.replay.Target;
import io.github.roram.bench.trace.Trace;
import io.github.roram.bench.trace.Trace.BundledTraces;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.device.IoCounts;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a plan proposes is the best of what it compares, or nearly, when the trace is replayed and
 * counted; and costs what it says.
 *
 * <p>The whole grid, larger: {@code -Droram.plan.exponent=16 -Droram.plan.requests=1000
 * -Droram.plan.every=1}.
 */
class PlanCountsTest {

  private static final int EXPONENT = Integer.getInteger("roram.plan.exponent", 13);
  private static final int REQUESTS = Integer.getInteger("roram.plan.requests", 250);

  /** Of all candidates every n-th is counted, and the best three. */
  private static final int EVERY = Integer.getInteger("roram.plan.every", 160);

  private static final long CLIENT_BYTES = Long.getLong("roram.plan.memory", 24L << 20);
  private static final double AS_GOOD = 1.05;

  private final Map<OramConfig, IoCounts> counted = new HashMap<>();

  static List<String> traces() {
    return EVERY == 1 ? BundledTraces.names() : List.of("fileserver-1g");
  }

  private static List<DeviceModel> devices() {
    return EVERY == 1 ? DeviceModel.ALL : List.of(DeviceModel.HDD, DeviceModel.NETWORK);
  }

  @ParameterizedTest
  @MethodSource("traces")
  void theProposalIsAsGoodAsAnyAndCostsWhatItSays(String name) throws IOException {
    Trace trace = BundledTraces.open(name);
    long blocks = 1L << EXPONENT;
    int longest = Plan.longestAccess(load(trace, 1).mostBlocks(), blocks);
    for (DeviceModel device : devices()) {
      PlanOptions options = new PlanOptions(blocks, 4096, device, CLIENT_BYTES, 8, 17, 1, false);
      Plan plan = Plan.of(options, load(trace, longest), longest);
      IoCounts proposal = counts(trace, plan.proposal().config());
      double best = Double.POSITIVE_INFINITY;
      for (int i = 0; i < plan.candidates().size(); i++) {
        if (i < 3 || i % EVERY == 0) {
          OramConfig config = plan.candidates().get(i).config();
          best = Math.min(best, device.seconds(counts(trace, config)));
        }
      }
      double usual = device.seconds(counts(trace, plan.usual().config()));
      System.out.printf(
          Locale.ROOT,
          "%s on %s: %s is %.4f of the best of %d counted; the usual is %.2f of it%n",
          name,
          device.id(),
          PlanText.shortly(plan.proposal().config()),
          device.seconds(proposal) / best,
          counted.size(),
          usual / device.seconds(proposal));
      // The usual trees are the device's already, so they may be as good.
      assertThat(device.seconds(proposal))
          .as("%s on %s", name, device.id())
          .isLessThanOrEqualTo(AS_GOOD * usual);
      assertThat(device.seconds(proposal))
          .as("%s on %s", name, device.id())
          .isLessThanOrEqualTo(AS_GOOD * best);
      checkPrediction(plan.proposal(), proposal);
    }
  }

  private static void checkPrediction(Prediction said, IoCounts counted) {
    Percentage tenth = Percentage.withPercentage(10);
    String what = said.config().toString();
    assertThat(said.counts().bytes()).as(what).isCloseTo(counted.bytes(), tenth);
    assertThat(said.counts().seeks()).as(what).isCloseTo(counted.seeks(), tenth);
    assertThat(said.counts().roundTrips()).as(what).isCloseTo(counted.roundTrips(), tenth);
  }

  private static LoadProfile load(Trace trace, int longest) throws IOException {
    return LoadProfile.of(trace, 1L << EXPONENT, 4096, longest, REQUESTS);
  }

  private IoCounts counts(Trace trace, OramConfig config) throws IOException {
    IoCounts known = counted.get(config);
    if (known == null) {
      ReplayOptions options = new ReplayOptions(REQUESTS, 0, false, true);
      try (Target target = Target.pattern(config, Target.Start.FULL, ProgressListener.NONE)) {
        known = target.replay(trace, options, ProgressListener.NONE).io();
      }
      counted.put(config, known);
    }
    return known;
  }
}
