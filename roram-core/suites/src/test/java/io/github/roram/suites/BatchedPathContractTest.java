package io.github.roram.suites;

import io.github.roram.OramConfig;
import java.util.List;

/** Batched Path ORAM keeps the contract of schemes. */
final class BatchedPathContractTest extends BuiltInContract {

  @Override
  protected List<OramConfig> configurations() {
    return List.of(builder(90, "path-batched").chunkPaths(4).windowBlocks(9).build());
  }
}
