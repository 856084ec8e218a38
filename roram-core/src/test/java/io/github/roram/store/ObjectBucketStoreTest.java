package io.github.roram.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Immutable objects keep the contract, too; and they are gone once they were discarded. */
final class ObjectBucketStoreTest extends BucketStoreContract {

  @Override
  protected BucketStore open(int mostAhead) {
    return new ObjectBucketStore(mostAhead);
  }

  @Test
  void discardedObjectsAreGone() throws IOException {
    ObjectBucketStore store = new ObjectBucketStore(100);
    BucketRuns runs = new BucketRuns().reset(IoPhase.EVICT_WRITE, 0, 8);
    runs.add(3, 64, 20, 1);
    store.write(runs, (firstUnit, units) -> units.position(units.limit()));
    store.discardOlder(0, 80);
    assertThat(store.objects(0, 3)).isEqualTo(12);
    BucketRuns gone = new BucketRuns().reset(IoPhase.READ, 0, 8);
    gone.add(3, 71, 1, 1);
    assertThatThrownBy(() -> store.read(gone, (firstUnit, units) -> {}))
        .hasMessageContaining("eviction=71");
  }
}
