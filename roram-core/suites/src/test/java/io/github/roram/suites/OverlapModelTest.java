package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.Rings;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads, writes, updates and trims of ranges that overlap in part, many under way at a time, on
 * stores that answer when they like and fail at times: each answer is one that the order of the
 * calls allows. So the history is linearizable, with that order.
 *
 * <p>The long run makes a million accesses:
 *
 * <pre>
 * mvn verify -pl roram-core/suites -am -Dtest=OverlapModelTest -Droram.overlap.accesses=1000000
 * </pre>
 */
final class OverlapModelTest {

  /** Accesses of all cases together. */
  private static final int ACCESSES = Integer.getInteger("roram.overlap.accesses", 1500);

  private static final int BLOCK_BYTES = 512;
  private static final int CELLS = 2;
  private static final int CELL_BYTES = BLOCK_BYTES / CELLS;
  private static final int RANGE = 8;

  static Stream<Arguments> cases() {
    return Stream.of(
        Arguments.of(small(60, "roram").sizeClasses(0, 3).chunkPaths(3).windowBlocks(0), "SYNC", 0),
        Arguments.of(small(70, "roram").trees(0, 1).chunkPaths(4).windowBlocks(10), "FLUSH", 50),
        Arguments.of(small(300, "roram").chunkPaths(50).treetopBytes(20_000), "OS", 0),
        Arguments.of(readAhead(small(300, "roram").trees(0, 2).chunkPaths(4)), "SYNC", 0),
        Arguments.of(readAhead(small(200, "path-batched").chunkPaths(3)), "OS", 60),
        Arguments.of(small(40, "roram").preset(Preset.PAPER).sizeClasses(0, 1, 3), "SYNC", 30),
        Arguments.of(small(90, "roram").sizeClasses(0, 3).set("writeShare", "0.25"), "OS", 40),
        Arguments.of(small(80, "roram").sizeClasses(0, 1, 3).revealOperationType(true), "OS", 30),
        Arguments.of(small(60, "path-batched").chunkPaths(2).windowBlocks(0), "NONE", 0),
        Arguments.of(small(200, "path-batched").chunkPaths(7).windowBlocks(20), "SYNC", 60),
        Arguments.of(recursive(small(60, "roram").trees(0, 2).chunkPaths(3)), "SYNC", 0),
        Arguments.of(recursive(small(200, "roram").treetopBytes(20_000)), "FLUSH", 40),
        Arguments.of(recursive(small(90, "path-batched").windowBlocks(6)), "OS", 60),
        Arguments.of(small(60, "path"), "NONE", 0),
        Arguments.of(small(200, "path").treetopBytes(20_000), "NONE", 60),
        Arguments.of(small(60, "tao").chunkPaths(2), "SYNC", 0),
        Arguments.of(small(90, "tao").chunkPaths(3), "FLUSH", 40),
        Arguments.of(small(200, "tao").chunkPaths(9).treetopBytes(20_000), "OS", 60),
        Arguments.of(ring(60, 4, 2, 4, 2), "SYNC", 0),
        Arguments.of(ring(90, 4, 4, 4, 0), "FLUSH", 40),
        Arguments.of(ring(200, 9, 2, 5, 1), "OS", 60),
        Arguments.of(ring(120, 4, 2, 5, 0), "NONE", 0));
  }

  private static OramConfig.Builder ring(int blocks, int rate, int fanOut, int height, int top) {
    return Rings.of(blocks, BLOCK_BYTES, RANGE, rate, fanOut, height, top).toBuilder();
  }

  private static OramConfig.Builder recursive(OramConfig.Builder builder) {
    return builder.positionMap("recursive").set("blocksPerMapBlock", 4).set("clientLabels", 4);
  }

  /** A treetop that leaves chunks apart, and much owed: most are read ahead. */
  private static OramConfig.Builder readAhead(OramConfig.Builder builder) {
    return builder.windowBlocks(0).treetopBytes(40_000);
  }

  private static OramConfig.Builder small(int blocks, String scheme) {
    return OramConfig.builder(blocks)
        .scheme(scheme)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(RANGE)
        .treetopBytes(0);
  }

  /** Some requests are late, and one in so many fails, with those after it; 0 for none. */
  private static final class UnsteadyStore extends FilterBlockStore {
    private final int oneIn;
    private final Random random = new Random(3);
    private int failing;

    UnsteadyStore(BlockStore delegate, int oneIn) {
      super(delegate);
      this.oneIn = oneIn;
    }

    private void suffer() throws IOException {
      boolean fails;
      synchronized (random) {
        if (oneIn > 0 && failing == 0 && random.nextInt(oneIn) == 0) {
          failing = 1 + random.nextInt(8);
        }
        fails = failing > 0;
        failing -= fails ? 1 : 0;
        if (random.nextInt(7) == 0) {
          LockSupport.parkNanos(1000);
        }
      }
      if (fails) {
        throw new IOException("injected");
      }
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      if (batch.phase() != IoPhase.META) {
        suffer();
      }
      super.read(batch, sink);
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      super.write(batch, source);
      suffer();
    }

    @Override
    public void sync() throws IOException {
      suffer();
      super.sync();
    }
  }

  /** A call and what it was to do. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Made(
      CompletableFuture<?> answer, int first, int cells, byte value, byte @Nullable [] read) {}

  @ParameterizedTest
  @MethodSource("cases")
  void answersInTheOrderOfTheCalls(OramConfig.Builder builder, String durability, int oneIn)
      throws IOException {
    OramConfig config = builder.build();
    OpenOptions options =
        OpenOptions.defaults()
            .withDurability(Durability.valueOf(durability))
            .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES)
            .withInFlight(12);
    try (MasterKey key = MasterKey.generate();
        MemoryStore memory = new MemoryStore(Orams.storeBytes(config))) {
      ClientVault vault = ClientVault.inMemory();
      Orams.create(memory, vault, config, key, options).close();
      BlockStore store = new UnsteadyStore(memory, oneIn);
      Run run = new Run(config);
      int accesses = ACCESSES / (int) cases().count();
      // Whether a failure is more than its repetitions bear, and takes trims with it, is chance.
      for (int done = 0;
          done < accesses || run.lacksFailure(oneIn) || run.trimmed == 0;
          done += accesses / 3 + 1) {
        run.trims = done > 0;
        AsyncOram oram = Orams.open(store, vault, key, options.withTrims(run.trims)).async();
        run.access(oram, accesses / 3 + 1);
        flush(oram);
        close(oram);
      }
      try (Oram oram = Orams.open(memory, vault, key, options)) {
        run.check(oram);
        assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
      }
      assertThat(run.failed > 0).as("calls failed").isEqualTo(oneIn > 0);
      assertThat(run.trimmed).isPositive();
    }
  }

  /**
   * Trims are recorded by the next access or flush, so that a close which fails cannot lose them.
   */
  private static void flush(AsyncOram oram) {
    for (int tries = 1; ; tries++) {
      try {
        oram.flush().join();
        return;
      } catch (CompletionException e) {
        assertThat(tries).isLessThan(20);
      }
    }
  }

  /** A store that fails may fail to be closed, too. */
  private static void close(AsyncOram oram) throws IOException {
    for (int tries = 1; ; tries++) {
      try {
        oram.close();
        return;
      } catch (IOException e) {
        assertThat(tries).isLessThan(20);
      }
    }
  }

  private static final class Run {
    private final int cells;
    private final CellModel model;
    private final Random random = new Random(5);
    private final List<Made> made = new ArrayList<>();
    private boolean trims;
    private int trimmed;
    private int failed;

    Run(OramConfig config) {
      cells = (int) config.blocks() * CELLS;
      model = new CellModel(cells);
    }

    /** Whether calls are still to fail. */
    boolean lacksFailure(int oneIn) {
      return oneIn > 0 && failed == 0;
    }

    void access(AsyncOram oram, int count) {
      for (int i = 0; i < count; i++) {
        access(oram);
        if (random.nextInt(40) == 0) {
          settle();
        }
      }
      settle();
    }

    private void access(AsyncOram oram) {
      int hot = random.nextBoolean() ? cells / 4 : cells;
      int count = 1 + random.nextInt(random.nextBoolean() ? CELLS : RANGE * CELLS - CELLS + 1);
      int first = random.nextInt(Math.max(1, hot - count));
      ByteBuffer buffer = ByteBuffer.allocate(count * CELL_BYTES);
      long offset = (long) first * CELL_BYTES;
      switch (random.nextInt(30)) {
        case 0 -> made.add(new Made(oram.flush(), 0, 0, (byte) 0, null));
        case 15, 16, 17 -> {
          if (trims) {
            trim(oram, first / CELLS, 1 + random.nextInt(RANGE));
          }
        }
        case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 ->
            made.add(
                new Made(
                    oram.readBytes(offset, 1, buffer), first, count, (byte) 0, buffer.array()));
        default -> {
          byte value = (byte) random.nextInt();
          Arrays.fill(buffer.array(), value);
          made.add(new Made(oram.update(offset, buffer), first, count, value, null));
        }
      }
    }

    /** What had no room did nothing. */
    private void trim(AsyncOram oram, int block, int wanted) {
      int count = Math.min(wanted, cells / CELLS - block);
      made.add(new Made(oram.trim(block, count), block * CELLS, count * CELLS, (byte) 0, null));
    }

    /** Waits for all, and checks them one after another. */
    private void settle() {
      for (Made call : made) {
        boolean succeeded = succeeded(call);
        if (succeeded && Boolean.FALSE.equals(call.answer().join())) {
          continue;
        }
        if (call.read() == null) {
          model.wrote(call.first(), call.cells(), call.value(), succeeded);
        } else if (succeeded) {
          for (int cell = 0; cell < call.cells(); cell++) {
            byte found = call.read()[cell * CELL_BYTES];
            assertThat(call.read()[(cell + 1) * CELL_BYTES - 1]).isEqualTo(found);
            model.read(call.first() + cell, found);
          }
        }
      }
      made.clear();
    }

    private boolean succeeded(Made call) {
      try {
        trimmed += Boolean.TRUE.equals(call.answer().join()) ? 1 : 0;
        return true;
      } catch (CompletionException e) {
        assertThat(e).hasStackTraceContaining("injected");
        failed++;
        return false;
      }
    }

    void check(Oram oram) throws IOException {
      for (int block = 0; block < cells / CELLS; block++) {
        ByteBuffer found = oram.read(block, 1);
        for (int cell = 0; cell < CELLS; cell++) {
          model.read(block * CELLS + cell, found.get(cell * CELL_BYTES));
        }
      }
    }
  }
}
