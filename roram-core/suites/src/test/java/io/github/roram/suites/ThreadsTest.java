package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.Rings;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One ORAM used by many threads at once. */
final class ThreadsTest {

  private static final int THREADS = 8;
  private static final int BLOCK_BYTES = 512;
  private static final int BLOCKS = 64;
  private static final int COUNT = 4;

  private static OramConfig config(String scheme) {
    if ("ring".equals(scheme)) {
      return Rings.small(BLOCKS, BLOCK_BYTES, COUNT);
    }
    return OramConfig.builder(BLOCKS)
        .scheme(scheme)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(COUNT)
        .treetopBytes(0)
        .build();
  }

  /** What a thread does. */
  private interface Work {
    void run(Oram oram, int thread) throws IOException;
  }

  private static void inThreads(String scheme, Work work)
      throws IOException, InterruptedException, ExecutionException {
    OramConfig config = config(scheme);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (MasterKey key = MasterKey.generate();
        MemoryStore store = new MemoryStore(Orams.storeBytes(config));
        Oram oram = Orams.create(store, ClientVault.inMemory(), config, key)) {
      List<Callable<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        all.add(
            () -> {
              work.run(oram, thread);
              return true;
            });
      }
      for (Future<Boolean> done : threads.invokeAll(all)) {
        assertThat(done.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Each thread finds in its own blocks what it wrote last. */
  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao", "ring"})
  void ownRangesAreTheirOwners(String scheme) throws Exception {
    inThreads(
        scheme,
        (oram, thread) -> {
          int own = BLOCKS / THREADS;
          byte[] model = new byte[own * BLOCK_BYTES];
          Random random = new Random(thread);
          for (int i = 0; i < 150; i++) {
            int count = 1 + random.nextInt(COUNT);
            int block = random.nextInt(own - count + 1);
            byte[] content = new byte[count * BLOCK_BYTES];
            if (random.nextBoolean()) {
              random.nextBytes(content);
              oram.write((long) thread * own + block, ByteBuffer.wrap(content));
              System.arraycopy(content, 0, model, block * BLOCK_BYTES, content.length);
            } else {
              oram.read((long) thread * own + block, count).get(content);
              assertThat(content)
                  .containsExactly(
                      Arrays.copyOfRange(
                          model, block * BLOCK_BYTES, (block + count) * BLOCK_BYTES));
            }
          }
        });
  }

  /**
   * All threads write and read the same blocks: each block holds one write whole, its stamps never
   * go back for a reader, and a range that rORAM writes at once is read at once.
   */
  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao", "ring"})
  void commonRangesAreWrittenWhole(String scheme) throws Exception {
    inThreads(
        scheme,
        (oram, thread) -> {
          long[] seen = new long[THREADS];
          for (int i = 1; i <= 150; i++) {
            if (i % 2 == 0) {
              oram.write(8, stamped(thread, i));
              continue;
            }
            ByteBuffer found = oram.read(8, COUNT);
            long first = found.getLong(0);
            for (int at = 0; at < found.capacity(); at += Long.BYTES) {
              int inBlock = at % BLOCK_BYTES;
              assertThat(found.getLong(at))
                  .isEqualTo("roram".equals(scheme) ? first : found.getLong(at - inBlock));
            }
            int writer = (int) (first >>> 32);
            int stamp = (int) first;
            assertThat(stamp).isGreaterThanOrEqualTo((int) seen[writer]);
            seen[writer] = stamp;
          }
        });
  }

  private static ByteBuffer stamped(int thread, int stamp) {
    ByteBuffer content = ByteBuffer.allocate(COUNT * BLOCK_BYTES);
    while (content.hasRemaining()) {
      content.putLong((long) thread << 32 | stamp);
    }
    return content.flip();
  }

  /**
   * Threads update bytes of their own in blocks that they share, and lose nothing of each other.
   */
  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao", "ring"})
  void updatesShareBlocks(String scheme) throws Exception {
    inThreads(
        scheme,
        (oram, thread) -> {
          int bytes = 100;
          // In the first two blocks, across their border too, and nowhere with another's.
          long own = (long) thread * 2 * BLOCK_BYTES / THREADS + 14;
          int block = (int) (own / BLOCK_BYTES);
          int count = (int) ((own + bytes - 1) / BLOCK_BYTES) - block + 1;
          for (byte i = 1; i < 60; i++) {
            byte[] content = new byte[bytes];
            Arrays.fill(content, i);
            oram.update(own, ByteBuffer.wrap(content));
            byte[] found = new byte[bytes];
            oram.read(block, count).position((int) (own % BLOCK_BYTES)).get(found);
            assertThat(found).isEqualTo(content);
          }
        });
  }

  /** Byte views write parts of a block without undoing each other's. */
  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao", "ring"})
  void byteViewsShareABlock(String scheme) throws Exception {
    inThreads(
        scheme,
        (oram, thread) -> {
          SeekableByteChannel channel = oram.channel();
          for (byte i = 1; i < 60; i++) {
            byte[] content = {i, i, i};
            channel.position(100 + 3L * thread).write(ByteBuffer.wrap(content));
            byte[] found = new byte[3];
            channel.position(100 + 3L * thread).read(ByteBuffer.wrap(found));
            assertThat(found).isEqualTo(content);
          }
        });
  }
}
