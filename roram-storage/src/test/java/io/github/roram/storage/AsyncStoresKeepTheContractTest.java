package io.github.roram.storage;

import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.file.SegmentFileStore;
import io.github.roram.storage.file.SlowChannels;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.testkit.AsyncBlockStoreContract;
import io.github.roram.testkit.FaultyStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The contract, for the pool of threads over stores of this module. */
final class AsyncStoresKeepTheContractTest {

  @TempDir Path directory;

  /** A pool over a store. */
  abstract static class Pooled extends AsyncBlockStoreContract {
    private final List<BlockStore> below = new ArrayList<>();

    abstract BlockStore open() throws IOException;

    @Override
    protected final AsyncBlockStore newStore(int requests) throws IOException {
      if (below.isEmpty()) {
        below.add(open());
      }
      return below.get(0).async(requests);
    }

    @Override
    protected final void closeBelow() throws IOException {
      for (BlockStore store : below) {
        store.close();
      }
    }
  }

  @Nested
  final class Memory extends Pooled {
    @Override
    BlockStore open() {
      return new MemoryStore(AsyncBlockStoreContract.CAPACITY_BYTES);
    }
  }

  @Nested
  final class Files extends Pooled {
    @Override
    BlockStore open() throws IOException {
      return SegmentFileStore.create(
          directory.resolve("store"),
          AsyncBlockStoreContract.CAPACITY_BYTES,
          FileOptions.defaults().withSegmentBytes(1 << 20));
    }
  }

  @Nested
  final class SlowFiles extends Pooled {
    @Override
    BlockStore open() throws IOException {
      SegmentFileStore.create(
              directory.resolve("store"),
              AsyncBlockStoreContract.CAPACITY_BYTES,
              FileOptions.defaults().withSegmentBytes(1 << 20))
          .close();
      return SlowChannels.open(directory.resolve("store"), FileOptions.defaults().withReadDepth(4));
    }
  }

  /** Whose calls come one after another. */
  @Nested
  final class OneAtATime extends Pooled {
    @Override
    BlockStore open() {
      return new FaultyStore(new MemoryStore(AsyncBlockStoreContract.CAPACITY_BYTES));
    }
  }
}
