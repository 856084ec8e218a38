package io.github.roram.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import io.github.roram.bench.plan.Plan.PlanOptions;
import io.github.roram.bench.plan.Plan.Prediction;
import io.github.roram.bench.replay.LoadProfile;
import io.github.roram.bench.trace.Trace.BundledTraces;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.storage.device.DeviceModel;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Plans keep to what they are given, and say why. */
class PlanTest {

  private static final long BLOCKS = 1 << 11;
  private static final LoadProfile LOAD =
      new LoadProfile(100, 64, 2900, 300, Map.of(1, 60L, 16, 25L, 64, 40L));

  private static final Plan ON_DISK = plan(DeviceModel.HDD, 64 << 20, 8, 17, 1);

  private static Plan plan(
      DeviceModel device, long memory, double space, int classes, double share) {
    return Plan.of(
        new PlanOptions(BLOCKS, 4096, device, memory, space, classes, share, false), LOAD, 64);
  }

  @Test
  void whatWasAskedForIsKept() {
    Plan plan = plan(DeviceModel.HDD, 24 << 20, 4.2, 3, 1);
    for (Prediction candidate : plan.candidates()) {
      assertThat(Plan.memory(candidate.config())).isLessThanOrEqualTo(24 << 20);
      assertThat(Plan.space(candidate.config())).isLessThanOrEqualTo(4.2);
      if (candidate.config().parameters() instanceof TreeParameters parameters) {
        assertThat(parameters.sizeClasses().length).isLessThanOrEqualTo(3);
      }
    }
    assertThat(plan.candidates())
        .isSortedAccordingTo(
            (one, other) ->
                Double.compare(one.seconds(DeviceModel.HDD), other.seconds(DeviceModel.HDD)));
  }

  @Test
  void classesThatTheLoadHasNoUseForAreNotShown() {
    OramConfig proposal = ON_DISK.proposal().config();
    assertThat(proposal.scheme()).isEqualTo("roram");
    assertThat(TreeParameters.of(proposal).sizeClasses()).hasSizeLessThanOrEqualTo(3);
  }

  @Test
  void aSeekIsWorthATreeAndAByteIsNot() {
    assertThat(TreeParameters.of(ON_DISK.proposal().config()).trees().length).isGreaterThan(1);
    Plan overLine = plan(DeviceModel.WIDE_AREA, 64 << 20, 8, 17, 1);
    int[] trees =
        overLine.candidates().stream()
            .filter(candidate -> candidate.config().scheme().equals("roram"))
            .findFirst()
            .map(candidate -> TreeParameters.of(candidate.config()).trees())
            .orElseThrow();
    assertThat(trees).containsExactly(0);
  }

  /** The ring moves fewest bytes, for more seeks. */
  @Test
  void theRingIsForDevicesThatSeekForLittle() {
    for (DeviceModel device :
        List.of(DeviceModel.SSD, DeviceModel.NETWORK, DeviceModel.WIDE_AREA)) {
      assertThat(proposed(device, 1)).as("%s", device).isEqualTo("ring");
    }
    assertThat(proposed(DeviceModel.HDD, 16)).isNotEqualTo("ring");
    assertThat(proposed(DeviceModel.HDD, 256)).isNotEqualTo("ring");
  }

  /** The scheme for 2^20 blocks with 64 MiB, accessed in ranges of so many. */
  private static String proposed(DeviceModel device, int range) {
    LoadProfile load = new LoadProfile(100, range, 100L * range, 300, Map.of(range, 100L));
    PlanOptions options = new PlanOptions(1 << 20, 4096, device, 64 << 20, 8, 17, 1, false);
    return Plan.of(options, load, Math.max(range, 16)).proposal().config().scheme();
  }

  /** What labels do not take is a larger treetop's. */
  @Test
  void aDiskOfTheClientsMakesAccessesCheaper() {
    LoadProfile load = new LoadProfile(100, 64, 6400, 300, Map.of(64, 100L));
    PlanOptions without =
        new PlanOptions(1 << 20, 4096, DeviceModel.HDD, 32 << 20, 8, 17, 1, false);
    PlanOptions with = new PlanOptions(1 << 20, 4096, DeviceModel.HDD, 32 << 20, 8, 17, 1, true);
    Prediction local = Plan.of(without, load, 64).proposal();
    Prediction inFile = Plan.of(with, load, 64).proposal();
    assertThat(inFile.seconds(DeviceModel.HDD)).isLessThan(local.seconds(DeviceModel.HDD));
    assertThat(TreeParameters.of(inFile.config()).mapForm().isInFile()).isTrue();
    assertThat(TreeParameters.of(local.config()).mapForm().isInFile()).isFalse();
    assertThat(PlanText.createLine(inFile.config()))
        .contains("--position-map file --map-directory DIR");
    assertThat(PlanText.shortly(inFile.config())).contains("map file");
  }

  @Test
  void aWriteShareIsDeclaredOnlyIfItMay() {
    Plan declared = plan(DeviceModel.HDD, 64 << 20, 8, 17, 0.25);
    assertThat(TreeParameters.of(ON_DISK.proposal().config()).writeShare()).isEqualTo(1);
    assertThat(TreeParameters.of(declared.proposal().config()).writeShare()).isEqualTo(0.25);
  }

  @Test
  void whatFitsNothingIsRefused() {
    assertThatThrownBy(() -> plan(DeviceModel.HDD, 1 << 20, 8, 17, 1))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("1048576");
    assertThatThrownBy(() -> plan(DeviceModel.HDD, 64 << 20, 8, 1, 1))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("classesAtMost is 1");
  }

  @Test
  void theCreateLineMakesTheProposal() {
    Plan plan = plan(DeviceModel.HDD, 24 << 20, 8, 3, 0.5);
    String line = PlanText.createLine(plan.proposal().config());
    assertThat(line).startsWith("roram create STORE --blocks 2048 ").contains("--write-share 0.5");
    assertThat(PlanText.reasons(plan)).hasSizeGreaterThan(4).allMatch(text -> text.endsWith("."));
    List<List<String>> table = PlanText.table(plan, 4);
    assertThat(table).hasSize(6).allMatch(row -> row.size() == table.get(0).size());
  }

  @Test
  void aProfileCountsTheAccessesThatAReplayMakes() throws IOException {
    LoadProfile load =
        LoadProfile.of(BundledTraces.open("seq-1g"), BLOCKS, 4096, 64, Long.MAX_VALUE);
    assertThat(load.requests()).isEqualTo(6000);
    assertThat(load.mostBlocks()).isEqualTo(256);
    long blocks =
        load.accesses().entrySet().stream()
            .mapToLong(entry -> entry.getKey() * entry.getValue())
            .sum();
    assertThat(blocks).isEqualTo(load.blocks());
    assertThat(load.accesses().keySet()).allMatch(size -> size <= 64);
  }
}
