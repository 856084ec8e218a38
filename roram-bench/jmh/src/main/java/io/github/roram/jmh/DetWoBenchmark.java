package io.github.roram.jmh;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.cipher.BucketCipher;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.EpochSalts;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.UUID;
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

  private static final int BLOCK_BYTES = 4096;
  private static final int PAGE_BYTES = BLOCK_BYTES + BucketCipher.TAG_BYTES;
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
  private final ByteBuffer page = ByteBuffer.allocate(BLOCK_BYTES);
  private final byte[] plain = new byte[BLOCK_BYTES];
  private final byte[] sealed = new byte[PAGE_BYTES];
  private final byte[] nonce = new byte[BucketCipher.NONCE_BYTES];
  private final byte[] associated = new byte[32];
  private final ExtentBatch batch = new ExtentBatch();
  private BenchStore target;
  private MasterKey key;
  private BucketKeys keys;
  private BucketCipher alone;
  private long seals;

  /** Creates and fills the store. */
  @Setup
  public void open() throws IOException {
    OramConfig config =
        OramConfig.builder(blocks)
            .scheme("detwo")
            .set("overhead", overhead)
            .set("form", form)
            .set("cipher", cipher)
            .build();
    OpenOptions options = OpenOptions.defaults().withDurability(durability).withThreads(threads);
    target = new BenchStore(store, config, options, false);
    target.fill();
    for (int i = 0; i < 2 * blocks / overhead + 1; i++) {
      write();
    }
    key = MasterKey.generate();
    keys = new BucketKeys(key.duplicate(), new UUID(1, 2), 1, EpochSalts.upTo(1));
    alone =
        new BucketCipher(
            cipher.equals("aes")
                ? BucketCipher.Algorithm.AES_256_GCM
                : BucketCipher.Algorithm.CHACHA20_POLY1305);
    seal();
  }

  /** Deletes the store. */
  @TearDown
  public void close() throws IOException {
    target.close();
    keys.close();
    key.close();
  }

  /** One random page. */
  @Benchmark
  public void write() throws IOException {
    target.oram().write(random.nextInt(blocks), page.clear());
  }

  /** One random page. */
  @Benchmark
  public void read() throws IOException {
    target.oram().read(random.nextInt(blocks), 1, page.clear());
  }

  /** A page out, another in. */
  @Benchmark
  public void fault() throws IOException {
    write();
    read();
  }

  /** The opens and seals of a fault, on arrays: K + 1 of each. */
  @Benchmark
  public boolean ciphersOfAFault() {
    boolean authentic = true;
    for (int i = 0; i <= overhead; i++) {
      authentic &= alone.open(keys, 1, nonce, associated, sealed, 0, PAGE_BYTES, plain);
      seal();
    }
    return authentic;
  }

  private void seal() {
    ByteBuffer.wrap(nonce).putLong(4, ++seals);
    alone.seal(keys, 1, nonce, associated, plain, BLOCK_BYTES, sealed, 0);
  }

  /** A sealed page at a random place, without an ORAM, whose pages it overwrites. */
  @Benchmark
  public void rawWrite() throws IOException {
    seal();
    target.store().write(anywhere(IoPhase.EVICT_WRITE), (unit, bytes) -> bytes.put(sealed));
  }

  /** A page from a random place, opened, without an ORAM. */
  @Benchmark
  public boolean rawRead() throws IOException {
    byte[] found = new byte[PAGE_BYTES];
    target.store().read(anywhere(IoPhase.READ), (unit, bytes) -> bytes.get(found));
    // Any page costs as much; the one that was sealed last is authentic.
    return alone.open(keys, 1, nonce, associated, sealed, 0, PAGE_BYTES, plain);
  }

  private ExtentBatch anywhere(IoPhase phase) {
    batch.reset(phase, 0, PAGE_BYTES);
    batch.add(SUPERBLOCK_BYTES + (long) random.nextInt(blocks) * PAGE_BYTES, 1);
    return batch;
  }
}
