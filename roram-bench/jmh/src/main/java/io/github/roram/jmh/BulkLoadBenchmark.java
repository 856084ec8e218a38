package io.github.roram.jmh;

import java.io.IOException;
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

/** Bulk loads of a device of 256 MB into a new store. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2)
@Measurement(iterations = 3)
@NullUnmarked // JMH fills the fields
public class BulkLoadBenchmark {

  private static final int BLOCKS = 1 << 16;

  /** The scheme; rORAM has size classes 0, 4 and 8, so three trees to write. */
  @Param({"path", "path-batched", "roram"})
  public String scheme;

  /** Where the store is: {@code mem} or {@code file}. */
  @Param({"mem", "file"})
  public String store;

  private BenchStore target;

  /** Creates the store. */
  @Setup(Level.Invocation)
  public void open() throws IOException {
    target = new BenchStore(store, scheme, BLOCKS, 0);
  }

  /** Deletes it. */
  @TearDown(Level.Invocation)
  public void close() throws IOException {
    target.close();
  }

  /** One load; returns the bytes written to the store. */
  @Benchmark
  public long load() throws IOException {
    return target.fill();
  }
}
