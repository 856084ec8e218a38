package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three doublings while callers of both kinds access blocks of their own, and every answer. */
final class GrowUnderCallersTest {

  private static final int CALLERS = 16;
  private static final int BLOCKS = 256;
  private static final int DOUBLINGS = 3;

  /** Between two, at least. */
  private static final int ACCESSES = Integer.getInteger("roram.grow.accesses", 110);

  @ParameterizedTest
  @CsvSource({
    "roram, local, SYNC, 1",
    "roram, local, FLUSH, 8",
    "path-batched, local, OS, 4",
    "roram, recursive, FLUSH, 1",
    "path-batched, recursive, OS, 1"
  })
  void everyAnswerIsRight(String scheme, String map, Durability durability, int inFlight)
      throws Exception {
    OramConfig config =
        BuiltInContract.builder(BLOCKS, scheme)
            .chunkPaths(4)
            .windowBlocks(9)
            .positionMap(map)
            .build();
    OpenOptions options = OpenOptions.defaults().withDurability(durability).withInFlight(inFlight);
    ClientVault vault = ClientVault.inMemory();
    try (MasterKey key = MasterKey.generate();
        BlockStore store = new MemoryStore(Orams.storeBytes(config))) {
      List<int[]> models = new ArrayList<>();
      try (Oram oram = Orams.create(store, vault, config, key, options)) {
        underCallers(oram, models);
        assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
      }
      try (Oram oram = Orams.open(store, vault, key, options)) {
        for (int caller = 0; caller < CALLERS; caller++) {
          int[] model = models.get(caller);
          for (int i = 0; i < model.length; i++) {
            assertThat(oram.read((long) i * CALLERS + caller, 1).getInt(0)).isEqualTo(model[i]);
          }
        }
      }
    }
  }

  private static void underCallers(Oram oram, List<int[]> models) throws Exception {
    AsyncOram async = oram.async();
    AtomicBoolean stop = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    try {
      List<CompletableFuture<Void>> callers = new ArrayList<>();
      for (int caller = 0; caller < CALLERS; caller++) {
        int number = caller;
        int[] model = new int[(BLOCKS << DOUBLINGS) / CALLERS];
        models.add(model);
        callers.add(
            CompletableFuture.runAsync(() -> call(oram, async, number, model, stop), threads));
      }
      for (int doubling = 1; doubling <= DOUBLINGS; doubling++) {
        long target = oram.stats().accesses() + ACCESSES;
        while (oram.stats().accesses() < target && !stop.get()) {
          Thread.sleep(1);
        }
        oram.grow((long) BLOCKS << doubling);
      }
      long target = oram.stats().accesses() + ACCESSES;
      while (oram.stats().accesses() < target && !stop.get()) {
        Thread.sleep(1);
      }
      stop.set(true);
      CompletableFuture.allOf(callers.toArray(new CompletableFuture<?>[0])).join();
    } finally {
      stop.set(true);
      threads.shutdown();
    }
  }

  /**
   * Blocks number, number + 16 and so on are this caller's: what it wrote last is what it reads.
   */
  private static void call(
      Oram oram, AsyncOram async, int number, int[] model, AtomicBoolean stop) {
    Random random = new Random(number);
    int bytes = oram.config().blockBytes();
    try {
      while (!stop.get()) {
        int mine = random.nextInt((int) oram.config().blocks() / CALLERS);
        long block = (long) mine * CALLERS + number;
        ByteBuffer data = ByteBuffer.allocate(bytes);
        if (random.nextBoolean()) {
          model[mine] = random.nextInt();
          data.putInt(0, model[mine]);
          if (number % 2 == 0) {
            async.write(block, data).join();
          } else {
            oram.write(block, data);
          }
        } else {
          if (number % 2 == 0) {
            async.read(block, 1, data).join();
          } else {
            oram.read(block, 1, data);
          }
          assertThat(data.getInt(0)).as("block %s", block).isEqualTo(model[mine]);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } finally {
      stop.set(true);
    }
  }
}
