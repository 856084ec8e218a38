package io.github.roram.suites;

import io.github.roram.OramConfig;

/** An rORAM whose accesses overlap keeps the contract of asynchronous ones. */
final class OverlappedOramContractTest extends OverlappedContract {

  @Override
  protected OramConfig configuration() {
    return BuiltInContract.builder(90, "roram").chunkPaths(3).windowBlocks(5).build();
  }
}
