package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.parameters.TreeParameters;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class OramConfigTest {

  @Test
  void presetsAreThoseOfTheConstruction() {
    OramConfig compact = OramConfig.builder(1 << 18).maxRangeBlocks(256).build();
    assertThat(compact.toString())
        .isEqualTo(
            "scheme=roram blocks=262144 blockBytes=4096 preset=compact maxRangeBlocks=256"
                + " bucketSlots=4 evictionRate=3 blocksPerLeaf=4 treetopBytes=67108864"
                + " chunkPaths=256 windowBlocks=768 stashLimitBlocks=1024"
                + " sizeClasses=0,1,2,3,4,5,6,7,8 trees=0,5");
    OramConfig paper = OramConfig.builder(1 << 18).preset(Preset.PAPER).maxRangeBlocks(256).build();
    assertThat(TreeParameters.of(paper).fullDebt()).isTrue();
    assertThat(TreeParameters.of(paper).treetopBytes()).isZero();
    assertThat(TreeParameters.of(paper).windowBlocks()).isZero();
    assertThat(TreeParameters.of(paper).chunkPaths()).as("whole batches").isEqualTo(512);
    assertThat(TreeParameters.of(paper).leaves()).isEqualTo(1 << 18);
    OramConfig proven = OramConfig.builder(1 << 18).preset(Preset.PROVEN).build();
    double z = TreeParameters.of(proven).bucketSlots();
    double a = TreeParameters.of(proven).evictionRate();
    // Ring ORAM's condition for an exponentially bounded stash.
    assertThat(z * Math.log(2 * z / a) + a / 2 - z - Math.log(4)).isPositive();
    assertThat(TreeParameters.of(proven).evictionRate() * TreeParameters.of(proven).leaves() / 2)
        .isGreaterThanOrEqualTo((double) proven.blocks());
  }

  @Property
  void everyTreeHasAtLeastTwoSlotsABlock(
      @ForAll @LongRange(min = 1, max = OramConfig.MAX_BLOCKS) long blocks,
      @ForAll Preset preset,
      @ForAll @IntRange(min = 1, max = 128) int halfKilobytes) {
    OramConfig config =
        OramConfig.builder(blocks).preset(preset).blockBytes(512 * halfKilobytes).build();
    assertThat(2L * TreeParameters.of(config).leaves() * TreeParameters.of(config).bucketSlots())
        .isGreaterThanOrEqualTo(2 * blocks);
    assertThat(config.toBuilder().build()).isEqualTo(config);
  }

  @Test
  void treesAreTwoUnlessTold() {
    OramConfig.Builder plain = OramConfig.builder(1000);
    assertThat(trees(plain.maxRangeBlocks(64))).containsExactly(0, 5);
    assertThat(trees(plain.maxRangeBlocks(32))).containsExactly(0, 5);
    assertThat(trees(plain.maxRangeBlocks(16))).containsExactly(0, 1, 2, 3, 4);
    OramConfig named = plain.sizeClasses(0, 2, 4).build();
    assertThat(TreeParameters.of(named).trees()).containsExactly(0, 2, 4);
    assertThat(TreeParameters.of(named).hasTreeForEachClass()).isTrue();
    assertThat(named.toBuilder().build()).isEqualTo(named);
    OramConfig paper = OramConfig.builder(1000).preset(Preset.PAPER).maxRangeBlocks(64).build();
    assertThat(TreeParameters.of(paper).trees()).containsExactly(0, 1, 2, 3, 4, 5, 6);
    OramConfig few = plain.sizeClasses(0, 1, 2, 3, 4).trees(0, 3).build();
    assertThat(TreeParameters.of(few).trees()).containsExactly(0, 3);
    assertThat(TreeParameters.of(few).sizeClasses()).containsExactly(0, 1, 2, 3, 4);
    assertThat(few.toString()).endsWith(" sizeClasses=0,1,2,3,4 trees=0,3");
    assertThat(few.toBuilder().build()).isEqualTo(few);
  }

  @Test
  void refusesTheImpossibleAndSaysWhatIsPossible() {
    refused(() -> OramConfig.builder(0), "blocks is 0", "1 to 1073741824");
    refused(() -> OramConfig.builder((1L << 30) + 1), "larger blocks");
    refused(() -> OramConfig.builder(10).blockBytes(256), "blockBytes is 256", "512 to 65536");
    refused(() -> OramConfig.builder(10).blockBytes(1000), "multiple of 512");
    refused(() -> OramConfig.builder(10).maxRangeBlocks(17), "maxRangeBlocks is 17", "1 to 16");
    refused(() -> OramConfig.builder(100).sizeClasses(1, 6), "start with 0");
    refused(() -> OramConfig.builder(100).maxRangeBlocks(64).sizeClasses(0, 5), "end with 6");
    refused(() -> OramConfig.builder(100).sizeClasses(0, 3, 3), "increase");
    refused(() -> OramConfig.builder(1000).trees(1, 3), "trees [1, 3]", "start with 0");
    refused(() -> OramConfig.builder(1000).trees(0, 9), "at most 8");
    refused(() -> OramConfig.builder(1000).trees(0, 3, 3), "increase");
    refused(() -> OramConfig.builder(1000).preset(Preset.PAPER).trees(0, 3), "compact or proven");
    refused(() -> OramConfig.builder(100).scheme("path").trees(0), "scheme roram");
    refused(() -> OramConfig.builder(100).scheme("path").sizeClasses(0), "scheme roram");
    refused(() -> OramConfig.builder(100).evictionRate(5), "must not exceed bucketSlots");
    refused(() -> OramConfig.builder(100).blocksPerLeaf(8), "2N slots");
    refused(() -> OramConfig.builder(100).recursivePositionMap(true), "scheme path");
    refused(() -> OramConfig.builder(100).chunkPaths(0), "chunkPaths (K) is 0");
    refused(() -> OramConfig.builder(100).windowBlocks(-1), "windowBlocks (W) is -1");
  }

  /** What was not asked for stands in no superblock: stores of before open as they did. */
  @Test
  void positionMapIsLocalUnlessAskedFor() {
    OramConfig local = OramConfig.builder(1 << 12).build();
    assertThat(OramConfig.builder(1 << 12).positionMap("local").build()).isEqualTo(local);
    assertThat(local.parameters().settings()).doesNotContainKey("positionMap");
    OramConfig recursive = OramConfig.builder(1 << 12).positionMap("recursive").build();
    assertThat(recursive).isNotEqualTo(local);
    assertThat(recursive.parameters().settings())
        .containsEntry("positionMap", "recursive")
        .containsEntry("blocksPerMapBlock", "64")
        .containsEntry("clientLabels", "1024");
    refused(
        () -> OramConfig.builder(100).positionMap("none"),
        "'none', must be local, file or recursive");
    refused(
        () -> OramConfig.builder(100).set("clientLabels", 5), "leave it out, or set positionMap");
    assertThat(OramConfig.of(1 << 12, 4096, recursive.parameters())).isEqualTo(recursive);
    refused(
        () -> OramConfig.builder(100).positionMap("recursive").set("blocksPerMapBlock", 48),
        "is 48, must be a power of two");
    refused(
        () -> OramConfig.builder(100).scheme("path").positionMap("recursive"),
        "path-batched, ring, roram");
  }

  @Test
  void evictionRateIsAMultipleOfAHalf() {
    OramConfig config = OramConfig.builder(1 << 12).evictionRate(3.5).build();
    TreeParameters parameters = TreeParameters.of(config);
    assertThat(parameters.evictionRate()).isEqualTo(3.5);
    assertThat(parameters.evictionHalfBlocks()).isEqualTo(7);
    // A window takes a whole chunk of 256 paths.
    assertThat(parameters.windowBlocks()).isEqualTo(7 * parameters.chunkPaths() / 2);
    assertThat(parameters.settings()).containsEntry("evictionRate", "3.5");
    assertThat(OramConfig.builder(1 << 12).set("evictionRate", "3.50").build()).isEqualTo(config);
    assertThat(OramConfig.builder(1 << 12).evictionRate(3).build())
        .isEqualTo(OramConfig.builder(1 << 12).build())
        .asString()
        .contains("evictionRate=3 ");
    refused(() -> OramConfig.builder(100).evictionRate(4.5), "(A) is 4.5", "bucketSlots");
    refused(() -> OramConfig.builder(100).evictionRate(0.5), "is 0.5, must be 1 to 64");
    refused(() -> OramConfig.builder(100).evictionRate(3.3), "is 3.3", "in steps of 0.5");
    refused(() -> OramConfig.builder(100).set("evictionRate", "x"), "is 'x'", "as in 3 or 3.5");
    refused(() -> OramConfig.builder(100).evictionRate(Double.NaN), "is 'NaN'");
  }

  private static int[] trees(OramConfig.Builder builder) {
    return TreeParameters.of(builder.build()).trees();
  }

  private static void refused(Supplier<OramConfig.Builder> builder, String... parts) {
    assertThatThrownBy(() -> builder.get().build())
        .isInstanceOf(ConfigurationException.class)
        .satisfies(e -> assertThat(e.getMessage()).contains(parts));
  }
}
