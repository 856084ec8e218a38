package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several threads, each with several calls under way, on few blocks: the history of each block is
 * linearizable. The order of the calls of one thread is for {@link OverlapModelTest}.
 *
 * <p>Long: {@code -Droram.overlap.accesses=1000000}.
 */
final class OverlapThreadsTest {

  private static final int ACCESSES = Integer.getInteger("roram.overlap.accesses", 3000);
  private static final int THREADS = 4;
  private static final int UNDER_WAY = 3;
  private static final int BLOCK_BYTES = 512;
  private static final int BLOCKS = 48;
  private static final int HOT_BLOCKS = 12;
  private static final int RANGE = 4;

  /** A call of a thread: a write of one value, or a read of values. */
  private static final class Call {
    private final int block;
    private final int count;
    private final long written;
    private final ByteBuffer buffer;
    private final long begins = System.nanoTime();
    private CompletableFuture<Long> ends = new CompletableFuture<>();

    Call(int block, int count, long written) {
      this.block = block;
      this.count = count;
      this.written = written;
      buffer = ByteBuffer.allocate(count * BLOCK_BYTES);
      for (int i = 0; i < count; i++) {
        buffer.putLong(i * BLOCK_BYTES, written);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched", "tao"})
  void everyBlockIsLinearizable(String scheme) throws Exception {
    OramConfig config =
        OramConfig.builder(BLOCKS)
            .scheme(scheme)
            .blockBytes(BLOCK_BYTES)
            .maxRangeBlocks(RANGE)
            .chunkPaths(4)
            .windowBlocks(0)
            .treetopBytes(0)
            .build();
    OpenOptions options =
        OpenOptions.defaults().withDurability(Durability.SYNC).withInFlight(THREADS * UNDER_WAY);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Call> calls = new ArrayList<>();
    try (MasterKey key = MasterKey.generate();
        MemoryStore store = new MemoryStore(Orams.storeBytes(config));
        AsyncOram oram =
            Orams.create(store, ClientVault.inMemory(), config, key, options).async()) {
      List<Future<List<Call>>> ends = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int number = thread;
        ends.add(threads.submit(() -> access(oram, number)));
      }
      for (Future<List<Call>> end : ends) {
        calls.addAll(end.get());
      }
    } finally {
      threads.shutdown();
    }
    RegisterHistory[] histories = histories(calls);
    for (int block = 0; block < HOT_BLOCKS; block++) {
      assertThat(histories[block].isLinearizable()).as("block %d", block).isTrue();
    }
  }

  private static List<Call> access(AsyncOram oram, int thread) {
    Random random = new Random(thread);
    List<Call> calls = new ArrayList<>();
    Deque<Call> underWay = new ArrayDeque<>();
    for (int i = 0; i < ACCESSES / 2 / THREADS; i++) {
      int count = 1 + random.nextInt(RANGE);
      int block = random.nextInt(HOT_BLOCKS - count + 1);
      long value = random.nextBoolean() ? 1L + (long) i * THREADS + thread : 0;
      Call call = new Call(block, count, value);
      call.ends =
          (value == 0 ? oram.read(block, count, call.buffer) : oram.write(block, call.buffer))
              .thenApply(nothing -> System.nanoTime());
      calls.add(call);
      underWay.add(call);
      if (underWay.size() == UNDER_WAY) {
        underWay.remove().ends.join();
      }
    }
    underWay.forEach(call -> call.ends.join());
    return calls;
  }

  private static RegisterHistory[] histories(List<Call> calls) {
    RegisterHistory[] histories = new RegisterHistory[HOT_BLOCKS];
    for (int block = 0; block < HOT_BLOCKS; block++) {
      histories[block] = new RegisterHistory();
    }
    for (Call call : calls) {
      for (int i = 0; i < call.count; i++) {
        RegisterHistory history = histories[call.block + i];
        if (call.written != 0) {
          history.wrote(call.written, call.begins, call.ends.join());
        } else {
          history.read(call.buffer.getLong(i * BLOCK_BYTES), call.begins, call.ends.join());
        }
      }
    }
    return histories;
  }

  /** The checker itself. */
  @Test
  void historiesThatNoOrderExplains() {
    RegisterHistory stale = new RegisterHistory();
    stale.wrote(1, 0, 1);
    stale.wrote(2, 2, 3);
    stale.read(1, 4, 5);
    assertThat(stale.isLinearizable()).isFalse();
    RegisterHistory early = new RegisterHistory();
    early.read(1, 0, 1);
    early.wrote(1, 2, 3);
    assertThat(early.isLinearizable()).isFalse();
    RegisterHistory lost = new RegisterHistory();
    lost.wrote(1, 0, 1);
    lost.read(RegisterHistory.FIRST, 2, 3);
    assertThat(lost.isLinearizable()).isFalse();
    RegisterHistory torn = new RegisterHistory();
    torn.wrote(1, 0, 9);
    torn.wrote(2, 0, 9);
    torn.read(1, 1, 2);
    torn.read(2, 3, 4);
    torn.read(1, 5, 6);
    assertThat(torn.isLinearizable()).isFalse();
    RegisterHistory within = new RegisterHistory();
    within.wrote(1, 0, 1);
    within.wrote(2, 3, 4);
    within.read(1, 5, 6);
    assertThat(within.isLinearizable()).isFalse();
    RegisterHistory right = new RegisterHistory();
    right.wrote(1, 0, 9);
    right.wrote(2, 0, 9);
    right.read(1, 1, 2);
    right.read(2, 3, 4);
    right.read(2, 5, 6);
    assertThat(right.isLinearizable()).isTrue();
  }
}
