package io.github.roram.storage;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.file.SegmentFileStore;
import io.github.roram.storage.file.SlowChannels;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.storage.view.RecordedStore;
import io.github.roram.storage.view.ViewRecorder;
import io.github.roram.store.BlockStore;
import io.github.roram.testkit.BlockStoreContract;
import io.github.roram.testkit.FaultyStore;
import io.github.roram.testkit.RecordingStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The contract, for every store and decorator. */
final class StoresKeepTheContractTest {

  @TempDir Path directory;

  private BlockStore segments(long segmentBytes, boolean directIo) throws IOException {
    try {
      return SegmentFileStore.create(
          directory.resolve("store"),
          BlockStoreContract.CAPACITY_BYTES,
          FileOptions.defaults().withSegmentBytes(segmentBytes).withDirectIo(directIo));
    } catch (ConfigurationException e) {
      return Assumptions.abort("no direct I/O here: " + e.getMessage());
    }
  }

  /** Segments on a medium so slow that reads are made ahead. */
  private BlockStore slowSegments(boolean directIo, int readDepth) throws IOException {
    segments(1 << 20, directIo).close();
    FileOptions options = FileOptions.defaults().withDirectIo(directIo).withReadDepth(readDepth);
    return SlowChannels.open(directory.resolve("store"), options);
  }

  private BlockStore reopened(boolean directIo) throws IOException {
    return SegmentFileStore.open(
        directory.resolve("store"), FileOptions.defaults().withDirectIo(directIo));
  }

  private static BlockStore memory() {
    return new MemoryStore(BlockStoreContract.CAPACITY_BYTES);
  }

  @Nested
  final class Memory extends BlockStoreContract {
    @Override
    protected BlockStore newStore() {
      return memory();
    }
  }

  @Nested
  final class SmallSegments extends BlockStoreContract {
    @Override
    protected BlockStore newStore() throws IOException {
      return segments(1 << 16, false);
    }

    @Override
    protected Optional<BlockStore> reopen() throws IOException {
      return Optional.of(reopened(false));
    }
  }

  @Nested
  final class LargeSegments extends BlockStoreContract {
    @Override
    protected BlockStore newStore() throws IOException {
      return segments(1 << 22, false);
    }
  }

  @Nested
  final class DirectSegments extends BlockStoreContract {
    @Override
    protected BlockStore newStore() throws IOException {
      return segments(1 << 20, true);
    }

    @Override
    protected Optional<BlockStore> reopen() throws IOException {
      return Optional.of(reopened(true));
    }
  }

  @Nested
  final class SlowSegments extends BlockStoreContract {
    @Override
    protected BlockStore newStore() throws IOException {
      return slowSegments(false, 8);
    }
  }

  @Nested
  final class SlowDirectSegments extends BlockStoreContract {
    @Override
    protected BlockStore newStore() throws IOException {
      return slowSegments(true, 3);
    }
  }

  @Nested
  final class Counting extends BlockStoreContract {
    @Override
    protected BlockStore newStore() {
      return new CountingStore(memory());
    }
  }

  @Nested
  final class Recording extends BlockStoreContract {
    @Override
    protected BlockStore newStore() {
      return new RecordingStore(memory());
    }
  }

  @Nested
  final class Recorded extends BlockStoreContract {
    @Override
    protected BlockStore newStore() {
      return new RecordedStore(memory(), new ViewRecorder());
    }
  }

  @Nested
  final class Faulty extends BlockStoreContract {
    @Override
    protected BlockStore newStore() {
      return new FaultyStore(memory());
    }
  }
}
