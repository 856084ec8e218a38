package io.github.roram.jmh;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.cipher.BucketCipher;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.EpochSalts;
import io.github.roram.crypto.MasterKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * Ratios of scheme detwo, each of things that take turns every millisecond or so, so that whatever
 * else the machine does slows both: {@code plainMillis} / {@code formMillis}, how many times as
 * fast as the plain form another one writes; and {@code faultMillis} / {@code cipherMillis}, what a
 * fault takes, a write and a read, of what its ciphers alone take: K + 1 opens and as many seals,
 * on arrays that stay in the processor's cache. {@code oneMillis} / {@code twoMillis} is no ratio
 * of the scheme's: how many times as fast two threads do the ciphers of writes as one, which the
 * parallel form cannot exceed.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
@NullUnmarked // JMH fills the fields
public class DetWoRatiosBenchmark {

  private static final int BLOCK_BYTES = 4096;
  private static final int PAGE_BYTES = BLOCK_BYTES + BucketCipher.TAG_BYTES;

  /** In one turn. */
  private static final int TURN = 256;

  /** Blocks of the store. */
  @Param({"1024"})
  public int blocks;

  /** The longest range; the areas have slack for two of them. */
  @Param({"1"})
  public int maxRangeBlocks;

  /** K. */
  @Param({"3", "15"})
  public int overhead;

  /** The form that is compared with plain: eager, parallel or eager-parallel. */
  @Param({"parallel"})
  public String form;

  /** Threads of the parallel forms. */
  @Param({"2"})
  public int threads;

  /** What seals pages: aes or chacha, the paper's. */
  @Param({"aes"})
  public String cipher;

  private final Random random = new Random(1);
  private final ByteBuffer page = ByteBuffer.allocate(BLOCK_BYTES);
  private final ExecutorService other = Executors.newSingleThreadExecutor();
  private BenchStore inPlain;
  private BenchStore inForm;
  private MasterKey key;
  private BucketKeys keys;
  private Ciphers mine;
  private Ciphers others;

  /** Opens and seals of one thread, on its own arrays. */
  private static final class Ciphers {
    private final BucketKeys keys;
    private final BucketCipher cipher;
    private final byte[] plain = new byte[BLOCK_BYTES];
    private final byte[] sealed = new byte[PAGE_BYTES];
    private final byte[] nonce = new byte[BucketCipher.NONCE_BYTES];
    private final byte[] associated = new byte[32];
    private long seals;

    Ciphers(BucketKeys keys, BucketCipher.Algorithm algorithm, int thread) {
      this.keys = keys;
      cipher = new BucketCipher(algorithm);
      nonce[0] = (byte) thread;
      seal();
    }

    private void seal() {
      ByteBuffer.wrap(nonce).putLong(4, ++seals);
      cipher.seal(keys, 1, nonce, associated, plain, BLOCK_BYTES, sealed, 0);
    }

    /** Opens a page and seals it anew, so many times; whether all were authentic. */
    boolean run(int pages) {
      boolean authentic = true;
      for (int i = 0; i < pages; i++) {
        authentic &= cipher.open(keys, 1, nonce, associated, sealed, 0, PAGE_BYTES, plain);
        seal();
      }
      return authentic;
    }
  }

  /** What each took, summed over the measured iterations. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Cost {

    private static final double NANOS_PER_MILLI = 1e6;

    private long plainNanos;
    private long formNanos;
    private long faultNanos;
    private long cipherNanos;
    private long oneNanos;
    private long twoNanos;

    /** Starts over. */
    @Setup(Level.Iteration)
    public void reset() {
      plainNanos = 0;
      formNanos = 0;
      faultNanos = 0;
      cipherNanos = 0;
      oneNanos = 0;
      twoNanos = 0;
    }

    /** Time of writes in the plain form. */
    public double plainMillis() {
      return plainNanos / NANOS_PER_MILLI;
    }

    /** Time of as many in the other. */
    public double formMillis() {
      return formNanos / NANOS_PER_MILLI;
    }

    /** Time of faults in the plain form. */
    public double faultMillis() {
      return faultNanos / NANOS_PER_MILLI;
    }

    /** Time of their opens and seals alone. */
    public double cipherMillis() {
      return cipherNanos / NANOS_PER_MILLI;
    }

    /** Time of the ciphers of writes by one thread. */
    public double oneMillis() {
      return oneNanos / NANOS_PER_MILLI;
    }

    /** Time of as many by two threads. */
    public double twoMillis() {
      return twoNanos / NANOS_PER_MILLI;
    }
  }

  /** Creates and fills the stores. */
  @Setup
  public void open() throws IOException {
    inPlain = filled("plain");
    inForm = filled(form);
    key = MasterKey.generate();
    keys = new BucketKeys(key.duplicate(), new UUID(1, 2), 1, EpochSalts.upTo(1));
    BucketCipher.Algorithm algorithm =
        "aes".equals(cipher)
            ? BucketCipher.Algorithm.AES_256_GCM
            : BucketCipher.Algorithm.CHACHA20_POLY1305;
    mine = new Ciphers(keys, algorithm, 1);
    others = new Ciphers(keys, algorithm, 2);
  }

  private BenchStore filled(String of) throws IOException {
    OramConfig config =
        OramConfig.builder(blocks)
            .scheme("detwo")
            .maxRangeBlocks(maxRangeBlocks)
            .set("overhead", overhead)
            .set("form", of)
            .set("cipher", cipher)
            .build();
    OpenOptions options =
        OpenOptions.defaults().withDurability(Durability.NONE).withThreads(threads);
    BenchStore store = new BenchStore("mem", config, options, false);
    store.fill();
    for (int i = 0; i < 2 * blocks / overhead + 1; i++) {
      write(store.oram());
    }
    return store;
  }

  /** Deletes the stores. */
  @TearDown
  public void close() throws IOException {
    other.shutdown();
    inPlain.close();
    inForm.close();
    keys.close();
    key.close();
  }

  /** Writes in the plain form, then in the other. */
  @Benchmark
  public void formAgainstPlain(Cost cost) throws IOException {
    long start = System.nanoTime();
    for (int i = 0; i < TURN; i++) {
      write(inPlain.oram());
    }
    long middle = System.nanoTime();
    for (int i = 0; i < TURN; i++) {
      write(inForm.oram());
    }
    cost.formNanos += System.nanoTime() - middle;
    cost.plainNanos += middle - start;
  }

  /** Faults in the plain form, then their ciphers. */
  @Benchmark
  public boolean faultAgainstCiphers(Cost cost) throws IOException {
    long start = System.nanoTime();
    for (int i = 0; i < TURN; i++) {
      write(inPlain.oram());
      inPlain.oram().read(random.nextInt(blocks), 1, page.clear());
    }
    long middle = System.nanoTime();
    boolean authentic = mine.run(TURN * (overhead + 1));
    cost.cipherNanos += System.nanoTime() - middle;
    cost.faultNanos += middle - start;
    return authentic;
  }

  /** The ciphers of writes by one thread, then by two. */
  @Benchmark
  public boolean twoThreadsAgainstOne(Cost cost) throws ExecutionException, InterruptedException {
    int half = TURN * (overhead + 1) / 2;
    long start = System.nanoTime();
    boolean authentic = mine.run(2 * half);
    long middle = System.nanoTime();
    Future<Boolean> othersHalf = other.submit(() -> others.run(half));
    authentic &= mine.run(half);
    authentic &= othersHalf.get();
    cost.twoNanos += System.nanoTime() - middle;
    cost.oneNanos += middle - start;
    return authentic;
  }

  private void write(Oram oram) throws IOException {
    oram.write(random.nextInt(blocks), page.clear());
  }
}
