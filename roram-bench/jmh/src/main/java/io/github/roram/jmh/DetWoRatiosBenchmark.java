package io.github.roram.jmh;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
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
 * Measures ratios of scheme detwo. The compared operations alternate every millisecond or so, so
 * that other work of the machine slows both. {@code plainMillis} / {@code formMillis} tells how
 * many times as fast as the plain form another one writes. {@code faultMillis} / {@code
 * cipherMillis} compares a fault, which is a write and a read, with its ciphers alone: K + 1 opens
 * and as many seals, on arrays that stay in the processor's cache. {@code oneMillis} / {@code
 * twoMillis} is not a ratio of the scheme: it tells how many times as fast two threads run the
 * ciphers of writes as one, which the parallel form cannot exceed.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
@NullUnmarked // JMH fills the fields
public class DetWoRatiosBenchmark {

  private static final double NANOS_PER_MILLI = 1e6;

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
  private final ByteBuffer page = ByteBuffer.allocate(DetWoPages.BLOCK_BYTES);
  private final ExecutorService other = Executors.newSingleThreadExecutor();
  private BenchStore inPlain;
  private BenchStore inForm;
  private DetWoPages mine;
  private DetWoPages others;

  /** What each took, summed over the measured iterations. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Cost {
    /** Time of writes in the plain form. */
    public double plainMillis;

    /** Time of as many in the other. */
    public double formMillis;

    /** Time of faults in the plain form. */
    public double faultMillis;

    /** Time of their opens and seals alone. */
    public double cipherMillis;

    /** Time of the ciphers of writes by one thread. */
    public double oneMillis;

    /** Time of as many by two threads. */
    public double twoMillis;
  }

  /** Creates and fills the stores. */
  @Setup
  public void open() throws IOException {
    inPlain = filled("plain");
    inForm = filled(form);
    mine = new DetWoPages(cipher);
    others = new DetWoPages(cipher);
  }

  private BenchStore filled(String of) throws IOException {
    OpenOptions options =
        OpenOptions.defaults().withDurability(Durability.NONE).withThreads(threads);
    OramConfig.Builder device = OramConfig.builder(blocks).maxRangeBlocks(maxRangeBlocks);
    return DetWoPages.store("mem", device, overhead, of, cipher, options);
  }

  /** Deletes the stores. */
  @TearDown
  public void close() throws IOException {
    other.shutdown();
    inPlain.close();
    inForm.close();
    mine.close();
    others.close();
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
    cost.formMillis += (System.nanoTime() - middle) / NANOS_PER_MILLI;
    cost.plainMillis += (middle - start) / NANOS_PER_MILLI;
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
    boolean authentic = mine.openAndSeal(TURN * (overhead + 1));
    cost.cipherMillis += (System.nanoTime() - middle) / NANOS_PER_MILLI;
    cost.faultMillis += (middle - start) / NANOS_PER_MILLI;
    return authentic;
  }

  /** Runs the ciphers of writes on one thread, then on two. */
  @Benchmark
  public boolean twoThreadsAgainstOne(Cost cost) throws ExecutionException, InterruptedException {
    int half = TURN * (overhead + 1) / 2;
    long start = System.nanoTime();
    boolean authentic = mine.openAndSeal(2 * half);
    long middle = System.nanoTime();
    Future<Boolean> othersHalf = other.submit(() -> others.openAndSeal(half));
    authentic &= mine.openAndSeal(half);
    authentic &= othersHalf.get();
    cost.twoMillis += (System.nanoTime() - middle) / NANOS_PER_MILLI;
    cost.oneMillis += (middle - start) / NANOS_PER_MILLI;
    return authentic;
  }

  private void write(Oram oram) throws IOException {
    oram.write(random.nextInt(blocks), page.clear());
  }
}
