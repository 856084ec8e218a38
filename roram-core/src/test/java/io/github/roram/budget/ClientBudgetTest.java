package io.github.roram.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.AccessCost;
import io.github.roram.ClientBudget;
import io.github.roram.ClientMemory;
import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.parameters.TreeParameters;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parameters that are chosen for a budget of client memory. */
class ClientBudgetTest {

  private static final int MEBI = 1 << 20;

  private static OramConfig within(String scheme, int exponent, long bytes) {
    return OramConfig.builder(1L << exponent).scheme(scheme).clientMemory(bytes).build();
  }

  private static long most(OramConfig config, int threads) {
    return most(config, threads, 1);
  }

  private static long most(OramConfig config, int threads, int inFlight) {
    OpenOptions options = OpenOptions.defaults().withThreads(threads).withInFlight(inFlight);
    return Scheme.of(config.scheme())
        .clientMemory(config, options)
        .map(ClientMemory::bytes)
        .orElseThrow();
  }

  private static double bytes(OramConfig config) {
    return Scheme.of(config.scheme()).accessCost(config, 1).map(AccessCost::bytes).orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched", "path", "tao"})
  void whatIsChosenFitsOnAnyMachineAndMoreMemoryIsUsed(String scheme) {
    double before = Double.POSITIVE_INFINITY;
    for (int mebi : new int[] {16, 64, 256}) {
      OramConfig config = within(scheme, 20, mebi * (long) MEBI);
      assertThat(most(config, 256)).isLessThanOrEqualTo(mebi * (long) MEBI);
      assertThat(most(config, 1)).isLessThanOrEqualTo(most(config, 256));
      assertThat(bytes(config)).isLessThan(before);
      before = bytes(config);
    }
  }

  @Test
  void littleMemoryPutsTheMapOnTheStoreAndMuchDoesNot() {
    assertThat(TreeParameters.of(within("roram", 22, 16 * MEBI)).mapForm().isRecursive()).isTrue();
    assertThat(TreeParameters.of(within("roram", 22, 128 * MEBI)).mapForm().isRecursive())
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched", "tao"})
  void aBudgetOfAccessesThatOverlapHoldsForAsMany(String scheme) {
    long bytes = 96L * MEBI;
    OramConfig config =
        OramConfig.builder(1 << 20)
            .scheme(scheme)
            .clientMemory(new ClientBudget(bytes, OpenOptions.defaults().withInFlight(8)))
            .build();
    assertThat(TreeParameters.of(config).mapForm().isRecursive()).isFalse();
    assertThat(most(config, 256, 8)).isLessThanOrEqualTo(bytes);
    assertThat(most(config, 256, 9)).isGreaterThan(most(config, 256, 8));
    assertThat(most(config, 256, 2)).isGreaterThan(most(config, 256));
    assertThatThrownBy(
            () ->
                OramConfig.builder(1 << 20)
                    .scheme(scheme)
                    .clientMemory(
                        new ClientBudget(10L * MEBI, OpenOptions.defaults().withInFlight(256)))
                    .build())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("for 256 accesses that overlap");
  }

  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched", "tao", "ring"})
  void aDirectoryLeavesMemoryForWhatSavesBytes(String scheme, @TempDir Path directory) {
    long bytes = 32L * MEBI;
    ClientBudget budget =
        new ClientBudget(bytes, OpenOptions.defaults().withMapDirectory(directory));
    OramConfig config = OramConfig.builder(1 << 20).scheme(scheme).clientMemory(budget).build();
    OpenOptions options = budget.opening().withThreads(256);
    long most = Scheme.of(scheme).clientMemory(config, options).orElseThrow().bytes();
    assertThat(most).isLessThanOrEqualTo(bytes);
    assertThat(bytes(config)).isLessThan(bytes(within(scheme, 20, bytes)));
  }

  @Test
  void theRingIsNotChosenForHardDisks() {
    OpenOptions opening = OpenOptions.defaults().withDurability(Durability.NONE);
    OramConfig config =
        OramConfig.builder(1 << 22)
            .scheme("ring")
            .clientMemory(new ClientBudget(64_000_000, opening))
            .build();
    // Were an extent as dear as in other schemes, it would be 30.3.
    assertThat(bytes(config) / config.blockBytes()).isLessThan(28.5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched", "tao", "ring"})
  void whatIsNotKeptLeavesMemoryForWhatSavesBytes(String scheme) {
    long bytes = 32L * MEBI;
    OpenOptions opening = OpenOptions.defaults().withDurability(Durability.NONE);
    OramConfig config =
        OramConfig.builder(1 << 20)
            .scheme(scheme)
            .clientMemory(new ClientBudget(bytes, opening))
            .build();
    OpenOptions options = opening.withThreads(256);
    long most = Scheme.of(scheme).clientMemory(config, options).orElseThrow().bytes();
    assertThat(most).isLessThanOrEqualTo(bytes);
    assertThat(bytes(config)).isLessThan(bytes(within(scheme, 20, bytes)));
  }

  /** With Path ORAM's own map on the store they cannot overlap. */
  @Test
  void whereAccessesDoNotOverlapThoseInFlightTakeNoMore() {
    OramConfig.Builder path = OramConfig.builder(1 << 22).scheme("path").recursivePositionMap(true);
    assertThat(most(path.build(), 2, 16)).isEqualTo(most(path.build(), 2));
    OramConfig overlapping = OramConfig.builder(1 << 22).positionMap("recursive").build();
    assertThat(most(overlapping, 2, 16)).isGreaterThan(most(overlapping, 2));
  }

  @Test
  void forAccessesThatOverlapABudgetMayChooseAMapOnTheStore() {
    OpenOptions opening = OpenOptions.defaults().withInFlight(4);
    OramConfig config =
        OramConfig.builder(1 << 24)
            .scheme("path-batched")
            .clientMemory(new ClientBudget(24L * MEBI, opening))
            .build();
    assertThat(TreeParameters.of(config).mapForm().isRecursive()).isTrue();
    assertThat(most(config, 2, 4)).isLessThanOrEqualTo(24L * MEBI);
  }

  @Test
  void whatWasSetIsKept() {
    OramConfig config =
        OramConfig.builder(1 << 20)
            .chunkPaths(2)
            .stashLimitBlocks(200)
            .positionMap("recursive")
            .clientMemory(64L * MEBI)
            .build();
    TreeParameters parameters = TreeParameters.of(config);
    assertThat(parameters.chunkPaths()).isEqualTo(2);
    assertThat(parameters.windowBlocks()).isEqualTo(6);
    assertThat(parameters.stashLimitBlocks()).isEqualTo(200);
    assertThat(parameters.mapForm().isRecursive()).isTrue();
    assertThat(parameters.treetopBytes()).isPositive();
  }

  @Test
  void aLocalMapThatWasAskedForStaysOne() {
    OramConfig.Builder builder = OramConfig.builder(1 << 22).positionMap("local");
    assertThatThrownBy(() -> builder.clientMemory(16L * MEBI).build())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("positionMap");
    OramConfig config = builder.clientMemory(64L * MEBI).build();
    assertThat(TreeParameters.of(config).mapForm().isRecursive()).isFalse();
  }

  @Test
  void aTreetopThatWasSetAndLeavesTooLittleIsRefused() {
    OramConfig.Builder builder =
        OramConfig.builder(1 << 20).treetopBytes(64L * MEBI).clientMemory(32L * MEBI);
    assertThatThrownBy(builder::build)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("33554432")
        .hasMessageContaining("treetopBytes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched", "path", "tao"})
  void theLeastThatARefusalNamesIsEnough(String scheme) {
    Pattern least = Pattern.compile("needs at least (\\d+)");
    assertThatThrownBy(() -> within(scheme, 22, MEBI))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("1048576")
        .satisfies(
            refusal -> {
              Matcher found = least.matcher(refusal.getMessage());
              assertThat(found.find()).isTrue();
              long bytes = Long.parseLong(found.group(1));
              assertThat(most(within(scheme, 22, bytes), 256)).isLessThanOrEqualTo(bytes);
              assertThatThrownBy(() -> within(scheme, 22, bytes - 1))
                  .isInstanceOf(ConfigurationException.class);
            });
  }

  @Test
  void aTightTreeKeepsTheUsualStash() {
    OramConfig config =
        OramConfig.builder(1 << 20).evictionRate(3.5).clientMemory(64L * MEBI).build();
    assertThat(TreeParameters.of(config).stashLimitBlocks()).isEqualTo(1024);
  }

  @Test
  void theConfigurationIsTheSameWhenItIsReadAgain() {
    OramConfig config = within("roram", 20, 32L * MEBI);
    assertThat(OramConfig.of(1 << 20, 4096, config.parameters())).isEqualTo(config);
    assertThat(config.toBuilder().build()).isEqualTo(config);
  }
}
