package io.github.roram.suites;

import io.github.roram.OramConfig;
import java.util.List;

/** Path ORAM keeps the contract of schemes. */
final class PathContractTest extends BuiltInContract {

  @Override
  protected List<OramConfig> configurations() {
    return List.of(
        builder(90, "path").build(), builder(1100, "path").recursivePositionMap(true).build());
  }
}
