package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.ArrayChannel;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In steady state nothing of a block's size is allocated: what there is, the cipher's objects for
 * each message, is a fraction of the 16 KB bucket that it moves.
 */
final class AllocationTest {

  /**
   * A journal in memory is an array that grows; what an access itself allocates is the question,
   * and the bean counts the thread that asks.
   */
  private static final OpenOptions NO_JOURNAL =
      OpenOptions.defaults().withDurability(Durability.NONE).withThreads(1);

  private static final int BLOCKS = 1024;
  private static final int BLOCK_BYTES = 4096;
  private static final int RANGE = 16;
  private static final int MOST_BYTES_A_BUCKET = 2048;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final ByteBuffer buffer = ByteBuffer.allocate(RANGE * BLOCK_BYTES);
  private final Random random = new Random(1);

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao"})
  void littleIsAllocatedForABucket(String scheme) throws IOException {
    OramConfig config =
        OramConfig.builder(BLOCKS)
            .scheme(scheme)
            .blockBytes(BLOCK_BYTES)
            .maxRangeBlocks(RANGE)
            .treetopBytes(1 << 19)
            .build();
    try (MasterKey key = MasterKey.generate();
        CountingStore store = new CountingStore(new MemoryStore(Orams.storeBytes(config)));
        Oram oram = Orams.create(store, ClientVault.inMemory(), config, key, NO_JOURNAL)) {
      byte[] content = new byte[BLOCKS * BLOCK_BYTES];
      oram.bulkLoad(new ArrayChannel(content), content.length, bytes -> {});
      access(oram, 150);
      store.reset();
      long before = threads.getCurrentThreadAllocatedBytes();
      access(oram, 60);
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      int bucketBytes = 28 + 4 * (8 + BLOCK_BYTES) + 16;
      long buckets = store.total().bytes() / bucketBytes;
      assertThat(buckets).isGreaterThan(1000);
      assertThat(allocated / buckets)
          .as("bytes allocated for each of %d buckets", buckets)
          .isLessThan(MOST_BYTES_A_BUCKET);
    }
  }

  private void access(Oram oram, int accesses) throws IOException {
    for (int i = 0; i < accesses; i++) {
      int block = random.nextInt(BLOCKS - RANGE + 1);
      if (i % 2 == 0) {
        oram.read(block, RANGE, buffer.clear());
      } else {
        oram.write(block, buffer.clear());
      }
    }
  }
}
