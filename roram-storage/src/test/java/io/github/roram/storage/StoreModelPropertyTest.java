package io.github.roram.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.file.SegmentFileStore;
import io.github.roram.storage.file.SlowChannels;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Random batches against a plain array. */
final class StoreModelPropertyTest {

  private static final int MAX_EXTENTS = 12;

  @Property(tries = 30)
  void memoryIsAnArray(@ForAll long seed) throws IOException {
    int capacityBytes = (4 << 20) + 30_000;
    try (BlockStore store = new MemoryStore(capacityBytes)) {
      new Run(seed, capacityBytes).batches(store, 30);
    }
  }

  @Property(tries = 12)
  void segmentFilesAreAnArray(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int segmentGranules)
      throws IOException {
    checkFiles(
        seed, FileOptions.defaults().withSegmentBytes(segmentGranules * 4096L).withDirectIo(false));
  }

  @Property(tries = 8)
  void directSegmentFilesAreAnArray(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int segmentGranules)
      throws IOException {
    if (directIoWorks()) {
      checkFiles(
          seed,
          FileOptions.defaults().withSegmentBytes(segmentGranules * 4096L).withDirectIo(true));
    }
  }

  @Property(tries = 8)
  void slowSegmentFilesAreAnArray(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 40) int segmentGranules,
      @ForAll @IntRange(min = 2, max = 16) int readDepth,
      @ForAll boolean directIo)
      throws IOException {
    if (directIo && !directIoWorks()) {
      return;
    }
    int capacityBytes = capacityBytes(seed);
    FileOptions options =
        FileOptions.defaults()
            .withSegmentBytes(segmentGranules * 4096L)
            .withDirectIo(directIo)
            .withReadDepth(readDepth);
    Path directory = Files.createTempDirectory("segments");
    try {
      SegmentFileStore.create(directory, capacityBytes, options).close();
      try (BlockStore store = SlowChannels.open(directory, options)) {
        new Run(seed, capacityBytes).batches(store, 15);
      }
    } finally {
      SegmentFileStore.delete(directory);
    }
  }

  private static int capacityBytes(long seed) {
    return 150_000 + (int) Math.floorMod(seed, 50_000L);
  }

  private static boolean directIoWorks() throws IOException {
    Path directory = Files.createTempDirectory("probe");
    try (BlockStore store =
        SegmentFileStore.create(directory, 1, FileOptions.defaults().withDirectIo(true))) {
      return store.capacityBytes() == 1;
    } catch (ConfigurationException e) {
      return false;
    } finally {
      if (SegmentFileStore.exists(directory)) {
        SegmentFileStore.delete(directory);
      }
    }
  }

  private static void checkFiles(long seed, FileOptions options) throws IOException {
    int capacityBytes = capacityBytes(seed);
    Path directory = Files.createTempDirectory("segments");
    Run run = new Run(seed, capacityBytes);
    try {
      try (BlockStore store = SegmentFileStore.create(directory, capacityBytes, options)) {
        run.batches(store, 15);
      }
      FileOptions other = FileOptions.defaults().withDirectIo(options.directIo());
      try (BlockStore store = SegmentFileStore.open(directory, other)) {
        run.batches(store, 15);
      }
    } finally {
      SegmentFileStore.delete(directory);
    }
    assertThat(directory).doesNotExist();
  }

  /** Steps of one seed. */
  private static final class Run {
    private final SplittableRandom random;
    private final byte[] model;
    private final ExtentBatch batch = new ExtentBatch();

    Run(long seed, int capacityBytes) {
      random = new SplittableRandom(seed);
      model = new byte[capacityBytes];
    }

    void batches(BlockStore store, int count) throws IOException {
      for (int i = 0; i < count; i++) {
        nextBatch();
        if (random.nextInt(3) > 0) {
          byte[] content = Batches.noise((int) batch.bytes(), random.nextLong());
          Batches.write(store, batch, content);
          writeToModel(content);
        }
        assertThat(Arrays.equals(Batches.read(store, batch), readFromModel())).isTrue();
        if (random.nextInt(5) == 0) {
          store.sync();
        }
      }
      assertThat(Arrays.equals(Batches.read(store, Batches.of(model.length, 0, 1)), model))
          .isTrue();
    }

    /** Unordered, unaligned, possibly touching or overlapping extents. */
    private void nextBatch() {
      int unitBytes = 1 + random.nextInt(random.nextBoolean() ? 20_000 : 600);
      batch.reset(IoPhase.READ, 0, unitBytes);
      for (int i = random.nextInt(MAX_EXTENTS); i >= 0; i--) {
        int maxUnits = Math.min(40, model.length / unitBytes);
        int units = 1 + random.nextInt(maxUnits);
        int room = model.length - units * unitBytes;
        batch.add(random.nextInt(8) == 0 ? room : random.nextInt(room + 1), units);
      }
    }

    private void writeToModel(byte[] content) {
      int from = 0;
      for (int i = 0; i < batch.extents(); i++) {
        int bytes = (int) batch.bytes(i);
        System.arraycopy(content, from, model, (int) batch.offset(i), bytes);
        from += bytes;
      }
    }

    private byte[] readFromModel() {
      byte[] content = new byte[(int) batch.bytes()];
      int from = 0;
      for (int i = 0; i < batch.extents(); i++) {
        int bytes = (int) batch.bytes(i);
        System.arraycopy(model, (int) batch.offset(i), content, from, bytes);
        from += bytes;
      }
      return content;
    }
  }
}
