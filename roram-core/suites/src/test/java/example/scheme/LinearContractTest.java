package example.scheme;

import io.github.roram.OramConfig;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.testkit.OramContract;
import java.util.List;
import java.util.Set;

/** A scheme that does only what all must keeps the contract of all. */
final class LinearContractTest extends OramContract {

  @Override
  protected List<OramConfig> configurations() {
    return List.of(
        OramConfig.builder(40).scheme("linear").blockBytes(512).set("longest", 8).build(),
        OramConfig.builder(100).scheme("linear").blockBytes(1024).build());
  }

  @Override
  protected Set<Class<?>> capabilities() {
    return Set.of();
  }

  @Override
  protected BlockStore newStore(long capacityBytes) {
    return new MemoryStore(capacityBytes);
  }
}
