package io.github.roram.jmh;

import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
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
 * How long an access takes to its answer, with evictions before or after it, when it comes after a
 * pause that lets the earlier ones finish, and when it does not. rORAM on 2^16 blocks with classes
 * 0, 4 and 8, a read and a write in turn.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
@NullUnmarked // JMH fills the fields
public class AnswerBenchmark {

  private static final int BLOCKS = 1 << 16;

  /** Blocks of an access. */
  @Param({"1", "256"})
  public int rangeBlocks;

  /** Where the store is: {@code mem} or {@code file}. */
  @Param({"mem", "file"})
  public String store;

  /** Whether evictions follow the answer. */
  @Param({"false", "true"})
  public boolean background;

  /** Pause before each access. */
  @Param({"0", "50"})
  public int pauseMillis;

  /** The public write share. */
  @Param({"1"})
  public double writeShare;

  private BenchStore target;
  private RandomAccesses accesses;

  /** Creates and fills the store. */
  @Setup
  public void open() throws IOException {
    OramConfig config =
        BenchStore.config(BenchStore.RORAM, BLOCKS).toBuilder().writeShare(writeShare).build();
    OpenOptions options =
        BenchStore.options(BenchStore.RORAM, 0).withBackgroundEvictions(background);
    target = new BenchStore(store, config, options, false);
    target.fill();
    accesses = new RandomAccesses(target.oram(), rangeBlocks);
  }

  /** Deletes the store. */
  @TearDown
  public void close() throws IOException {
    target.close();
  }

  /** Lets time pass. */
  @Setup(Level.Invocation)
  public void pause() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(pauseMillis);
  }

  /** One access. */
  @Benchmark
  public ByteBuffer access() throws IOException {
    return accesses.next();
  }
}
