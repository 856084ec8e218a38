package io.github.roram.suites;

import io.github.roram.OramConfig;
import java.util.List;

/** The ring of large buckets keeps the contract of schemes. */
final class RingSchemeContractTest extends BuiltInContract {

  @Override
  protected List<OramConfig> configurations() {
    return List.of(Rings.small(90, 512, 8), Rings.of(90, 512, 8, 7, 4, 4, 0));
  }
}
