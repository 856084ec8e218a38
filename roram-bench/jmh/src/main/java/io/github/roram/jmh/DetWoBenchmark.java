package io.github.roram.jmh;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Scheme detwo, page by page, against what its ciphers alone take, and against a store of sealed
 * pages without any ORAM. A fault, as of demand paging, is a write and a read.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@NullUnmarked // JMH fills the fields
public class DetWoBenchmark {

  private static final int SUPERBLOCK_BYTES = 4096;

  /** Blocks of the store; 1024 are cache-warm. */
  @Param({"1024"})
  public int blocks;

  /** K. */
  @Param({"1", "3", "7", "15"})
  public int overhead;

  /** plain, eager, parallel or eager-parallel. */
  @Param({"plain"})
  public String form;

  /** Threads of the parallel forms. */
  @Param({"2"})
  public int threads;

  /** aes or chacha. */
  @Param({"aes"})
  public String cipher;

  /** Where the store is: {@code mem}, {@code file} or {@code direct}. */
  @Param({"mem"})
  public String store;

  /** none, os, flush or sync. */
  @Param({"NONE"})
  public Durability durability;

  private final Random random = new Random(1);
  private final ByteBuffer page = ByteBuffer.allocate(DetWoPages.BLOCK_BYTES);
  private final ExtentBatch batch = new ExtentBatch();
  private BenchStore target;
  private DetWoPages alone;

  /** Creates and fills the store. */
  @Setup
  public void open() throws IOException {
    OpenOptions options = OpenOptions.defaults().withDurability(durability).withThreads(threads);
    target = DetWoPages.store(store, OramConfig.builder(blocks), overhead, form, cipher, options);
    alone = new DetWoPages(cipher);
  }

  /** Deletes the store. */
  @TearDown
  public void close() throws IOException {
    target.close();
    alone.close();
  }

  /** Writes a random page. */
  @Benchmark
  public void write() throws IOException {
    target.oram().write(random.nextInt(blocks), page.clear());
  }

  /** Reads a random page. */
  @Benchmark
  public void read() throws IOException {
    target.oram().read(random.nextInt(blocks), 1, page.clear());
  }

  /** Writes a page and reads another. */
  @Benchmark
  public void fault() throws IOException {
    write();
    read();
  }

  /** Does the opens and seals of a fault on arrays: K + 1 of each. */
  @Benchmark
  public boolean ciphersOfAFault() {
    return alone.openAndSeal(overhead + 1);
  }

  /**
   * Does what the paper's parallel form does at each access, and ours once: creates K threads,
   * which do nothing here, and waits for their end.
   */
  @Benchmark
  public void createThreads() throws InterruptedException {
    Thread[] made = new Thread[overhead];
    for (int i = 0; i < made.length; i++) {
      made[i] = new Thread(() -> {});
      made[i].start();
    }
    for (Thread each : made) {
      each.join();
    }
  }

  /** Writes a sealed page at a random place without an ORAM, overwriting pages of the one there. */
  @Benchmark
  public void rawWrite() throws IOException {
    byte[] sealed = alone.seal();
    target.store().write(anywhere(IoPhase.EVICT_WRITE), (unit, bytes) -> bytes.put(sealed));
  }

  /** Reads a page from a random place without an ORAM, and opens it. */
  @Benchmark
  public boolean rawRead() throws IOException {
    byte[] found = new byte[DetWoPages.PAGE_BYTES];
    target.store().read(anywhere(IoPhase.READ), (unit, bytes) -> bytes.get(found));
    // Any page costs as much; the one that was sealed last is authentic.
    return alone.open();
  }

  private ExtentBatch anywhere(IoPhase phase) {
    batch.reset(phase, 0, DetWoPages.PAGE_BYTES);
    batch.add(SUPERBLOCK_BYTES + (long) random.nextInt(blocks) * DetWoPages.PAGE_BYTES, 1);
    return batch;
  }
}
