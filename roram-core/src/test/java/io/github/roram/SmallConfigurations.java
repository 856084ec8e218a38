package io.github.roram;

import java.util.List;
import java.util.stream.Stream;

/** Configurations of all schemes, as small as maps in trees of their own allow. */
public final class SmallConfigurations {

  static final int BLOCK_BYTES = 512;

  private SmallConfigurations() {}

  /** Each scheme with each preset: at the defaults, or with sizes of its own, in turn. */
  static Stream<OramConfig> ofEachPreset() {
    Stream.Builder<OramConfig> all = Stream.builder();
    int number = 0;
    for (String scheme : List.of("path", "path-batched", "roram", "tao")) {
      for (Preset preset : Preset.values()) {
        OramConfig.Builder b = builder(scheme).preset(preset);
        if (number++ % 2 == 1) {
          b.treetopBytes(16 * BLOCK_BYTES).chunkPaths(5).windowBlocks(7);
          b.recursivePositionMap("path".equals(scheme));
        }
        all.add(b.build());
      }
    }
    all.add(recursive(builder("roram").chunkPaths(5).windowBlocks(7)).build());
    all.add(recursive(builder("path-batched").preset(Preset.PROVEN)).build());
    return all.build();
  }

  /** One of each scheme, and those with a map in trees. */
  static Stream<OramConfig> ofEachScheme() {
    return Stream.of(
        builder("roram").sizeClasses(0, 2, 4).treetopBytes(0).chunkPaths(9).build(),
        builder("path-batched").treetopBytes(0).chunkPaths(9).build(),
        builder("path").build(),
        builder("path").recursivePositionMap(true).build(),
        recursive(builder("roram").sizeClasses(0, 2, 4).treetopBytes(0).chunkPaths(9)).build(),
        recursive(builder("roram").trees(0, 3).treetopBytes(0).chunkPaths(9)).build());
  }

  /** With the position map in trees: three for these sizes. */
  public static OramConfig.Builder recursive(OramConfig.Builder builder) {
    return builder.positionMap("recursive").set("blocksPerMapBlock", 8).set("clientLabels", 8);
  }

  static OramConfig.Builder builder(String scheme) {
    return OramConfig.builder(1300).scheme(scheme).blockBytes(BLOCK_BYTES).maxRangeBlocks(16);
  }
}
