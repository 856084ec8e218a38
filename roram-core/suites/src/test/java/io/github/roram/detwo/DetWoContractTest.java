package io.github.roram.detwo;

import io.github.roram.OramConfig;
import io.github.roram.engine.BulkLoadable;
import io.github.roram.engine.Scannable;
import io.github.roram.engine.Verifiable;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.testkit.OramContract;
import java.util.List;
import java.util.Set;

/** DetWoORAM keeps the contract of schemes, in every form. */
final class DetWoContractTest extends OramContract {

  @Override
  protected List<OramConfig> configurations() {
    return List.of(
        builder(90).build(),
        builder(50).set("overhead", "2.3").set("form", "eager").build(),
        builder(97).set("overhead", 7).set("form", "parallel").set("cipher", "chacha").build(),
        builder(60).set("overhead", 1).set("form", "eager-parallel").build());
  }

  private static OramConfig.Builder builder(int blocks) {
    return OramConfig.builder(blocks).scheme("detwo").blockBytes(512).maxRangeBlocks(8);
  }

  @Override
  protected Set<Class<?>> capabilities() {
    return Set.of(Verifiable.class, Scannable.class, BulkLoadable.class);
  }

  @Override
  protected BlockStore newStore(long capacityBytes) {
    return new MemoryStore(capacityBytes);
  }
}
