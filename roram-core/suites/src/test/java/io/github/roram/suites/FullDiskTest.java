package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.OramConfig;
import io.github.roram.open.Orams;
import io.github.roram.storage.Rings;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.StoreFullException;
import io.github.roram.testkit.FaultyStore;
import io.github.roram.testkit.ModelledOram;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A medium without room: a clear error, nothing lost, and all goes on once there is room. */
final class FullDiskTest {

  private static final int PATIENCE = 300;

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao", "ring"})
  void accessesFailUntilThereIsRoom(String scheme) throws IOException {
    for (int room = 0; room < 60_000; room += 7_001) {
      OramConfig config = config(scheme);
      FaultyStore store = new FaultyStore(new MemoryStore(Orams.storeBytes(config)));
      try (ModelledOram oram = create(store, config)) {
        Random random = new Random(room);
        writeUntilFull(oram, store, room, random);
        assertThatThrownBy(() -> oram.read(0, 1))
            .isInstanceOf(StoreFullException.class)
            .hasMessageContaining("no room");
        store.addRoom();
        oram.checkAll();
        oram.write(5, 4, random);
        oram.reopen();
        oram.checkAll();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao", "ring"})
  void closingLosesNothingWhereThereIsNoRoom(String scheme) throws IOException {
    OramConfig config = config(scheme);
    FaultyStore store = new FaultyStore(new MemoryStore(Orams.storeBytes(config)));
    try (ModelledOram oram = create(store, config)) {
      writeUntilFull(oram, store, 10_000, new Random(1));
      // The tree engine's state holds the evictions that are owed; a path in memory must be
      // written.
      if ("path".equals(scheme)) {
        for (int i = 0; i < 2; i++) {
          assertThatThrownBy(oram.oram()::close)
              .isInstanceOf(StoreFullException.class)
              .hasMessageContaining("no room");
        }
      } else {
        oram.oram().close();
      }
      store.addRoom();
      oram.reopen();
      oram.checkAll();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao", "ring"})
  void aBulkLoadFailsAndIsDoneAgain(String scheme) throws IOException {
    OramConfig config = config(scheme);
    FaultyStore store = new FaultyStore(new MemoryStore(Orams.storeBytes(config)));
    try (ModelledOram oram = create(store, config)) {
      store.fullAfter(40_000);
      assertThatThrownBy(() -> oram.bulkLoad(50_000, 0, new Random(1)))
          .isInstanceOf(StoreFullException.class);
      store.addRoom();
      oram.checkAll();
    }
    store = new FaultyStore(new MemoryStore(Orams.storeBytes(config)));
    try (ModelledOram oram = create(store, config)) {
      store.fullAfter(40_000);
      assertThatThrownBy(() -> oram.bulkLoad(50_000, 0, new Random(1)))
          .isInstanceOf(StoreFullException.class);
      store.addRoom();
      oram.reopen();
      oram.bulkLoad(50_000, 0, new Random(2));
      oram.checkAll();
    }
  }

  private static OramConfig config(String scheme) {
    if ("ring".equals(scheme)) {
      return Rings.small(120, 512, 8);
    }
    return OramConfig.builder(120)
        .scheme(scheme)
        .blockBytes(512)
        .maxRangeBlocks(8)
        .treetopBytes(0)
        .chunkPaths(4)
        .windowBlocks(6)
        .build();
  }

  private static ModelledOram create(FaultyStore store, OramConfig config) throws IOException {
    return new ModelledOram(
        Medium.memory(1, ignored -> store), config, ModelledOram.seededLabels(1));
  }

  /** Ends with a write that failed, or whose evictions did. */
  private static void writeUntilFull(ModelledOram oram, FaultyStore store, int room, Random random)
      throws IOException {
    store.fullAfter(room);
    for (int i = 0; i < PATIENCE; i++) {
      try {
        oram.write(random.nextInt(112), 1 + random.nextInt(8), random);
      } catch (StoreFullException e) {
        return;
      }
    }
    throw new AssertionError("the store was never full");
  }
}
