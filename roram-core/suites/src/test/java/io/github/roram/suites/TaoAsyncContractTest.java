package io.github.roram.suites;

import io.github.roram.OramConfig;

/** A TaORAM whose accesses overlap keeps the contract of asynchronous ones. */
final class TaoAsyncContractTest extends OverlappedContract {

  @Override
  protected OramConfig configuration() {
    return BuiltInContract.builder(90, "tao").chunkPaths(3).build();
  }
}
