package io.github.roram.suites;

import io.github.roram.OramConfig;
import io.github.roram.engine.BulkLoadable;
import io.github.roram.engine.Scannable;
import io.github.roram.engine.Verifiable;
import io.github.roram.store.BlockStore;
import io.github.roram.testkit.OramContract;
import java.io.IOException;
import java.util.Set;

/** The contract of schemes, for those of roram-core: they do all that there is to do. */
abstract class BuiltInContract extends OramContract {

  static OramConfig.Builder builder(int blocks, String scheme) {
    return OramConfig.builder(blocks)
        .scheme(scheme)
        .blockBytes(512)
        .maxRangeBlocks(8)
        .treetopBytes(0);
  }

  @Override
  protected Set<Class<?>> capabilities() {
    return Set.of(Verifiable.class, Scannable.class, BulkLoadable.class);
  }

  @Override
  protected BlockStore newStore(long capacityBytes) throws IOException {
    return TestStores.create(capacityBytes);
  }
}
