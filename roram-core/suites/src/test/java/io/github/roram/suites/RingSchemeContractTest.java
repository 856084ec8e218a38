package io.github.roram.suites;

import io.github.roram.OramConfig;
import io.github.roram.storage.Rings;
import java.util.List;

/** The ring of large buckets keeps the contract of schemes. */
final class RingSchemeContractTest extends BuiltInContract {

  @Override
  protected List<OramConfig> configurations() {
    return List.of(Rings.small(90, 512, 8), Rings.of(90, 512, 8, 7, 4, 4, 0));
  }

  /** Slots are drawn with the labels, and which are left follows from the blocks that were read. */
  @Override
  protected boolean drawsLabelsAlike() {
    return false;
  }

  /** A bucket that was read often is closed, and then left out. */
  @Override
  protected boolean readsMoreByLabels() {
    return true;
  }
}
