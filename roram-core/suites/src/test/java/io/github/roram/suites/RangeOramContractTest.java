package io.github.roram.suites;

import io.github.roram.OramConfig;
import io.github.roram.Preset;
import java.util.List;

/** rORAM keeps the contract of schemes. */
final class RangeOramContractTest extends BuiltInContract {

  @Override
  protected List<OramConfig> configurations() {
    return List.of(
        builder(90, "roram").chunkPaths(3).windowBlocks(5).build(),
        builder(90, "roram").preset(Preset.PAPER).build(),
        builder(90, "roram")
            .chunkPaths(3)
            .positionMap("recursive")
            .set("blocksPerMapBlock", 4)
            .set("clientLabels", 4)
            .build());
  }

  /** A write draws labels of other trees, too. LabelViewTest holds the paths to them. */
  @Override
  protected boolean drawsLabelsAlike() {
    return false;
  }
}
