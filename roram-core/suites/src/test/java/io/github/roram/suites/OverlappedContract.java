package io.github.roram.suites;

import io.github.roram.AsyncOram;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.AsyncOramContract;
import java.io.IOException;

/** The contract of asynchronous ORAMs, for those of roram-core whose accesses overlap. */
abstract class OverlappedContract extends AsyncOramContract {

  @Override
  protected BlockStore newStore(long capacityBytes) throws IOException {
    return TestStores.create(capacityBytes);
  }

  @Override
  protected AsyncOram open(
      BlockStore store, ClientVault vault, OramConfig config, MasterKey key, boolean create)
      throws IOException {
    OpenOptions options = OpenOptions.defaults().withInFlight(UNDER_WAY);
    return create
        ? Orams.create(store, vault, config, key, options).async()
        : Orams.open(store, vault, key, options).async();
  }

  @Override
  protected boolean repeatsReads() {
    return true;
  }
}
