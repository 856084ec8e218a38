package io.github.roram.suites;

import io.github.roram.OramConfig;
import java.util.List;

/** TaORAM keeps the contract of schemes. */
final class TaoContractTest extends BuiltInContract {

  @Override
  protected List<OramConfig> configurations() {
    return List.of(builder(90, "tao").chunkPaths(4).build());
  }

  @Override
  protected boolean writesWhatWasRead() {
    return true;
  }
}
