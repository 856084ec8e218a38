package io.github.roram.jmh;

import io.github.roram.jmh.BenchStore.RandomAccesses;
import java.io.IOException;
import java.nio.ByteBuffer;
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
 * Accesses of random ranges, a read and a write in turn, on a filled store of 4 KB blocks (rORAM
 * with size classes 0, 4 and 8), in steady state.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
@NullUnmarked // JMH fills the fields
public class AccessBenchmark {

  /** Blocks of the store; 2^18 take 6.5 GB of it for rORAM. */
  @Param({"65536"})
  public int blocks;

  /** Threads that open and seal buckets; 0 for one a processor. */
  @Param({"0"})
  public int threads;

  /** The scheme. */
  @Param({"path", "path-batched", "roram"})
  public String scheme;

  /** Blocks of an access. */
  @Param({"1", "16", "256"})
  public int rangeBlocks;

  /** Where the store is: {@code mem} or {@code file}. */
  @Param({"mem", "file"})
  public String store;

  private BenchStore target;
  private RandomAccesses accesses;
  private long movedBefore;

  /** Creates and fills the store. */
  @Setup
  public void open() throws IOException {
    target = new BenchStore(store, scheme, blocks, threads);
    target.fill();
    movedBefore = target.bytesMoved();
    accesses = new RandomAccesses(target.oram(), rangeBlocks);
  }

  /** Deletes the store. */
  @TearDown
  public void close() throws IOException {
    target.close();
  }

  /** Makes one access. */
  @Benchmark
  public ByteBuffer access(MovedBytes moved) throws IOException {
    ByteBuffer buffer = accesses.next();
    long movedNow = target.bytesMoved();
    moved.bytes += movedNow - movedBefore;
    movedBefore = movedNow;
    return buffer;
  }

  /** Bytes that operations moved; JMH reports them per second and sets them to zero. */
  @State(Scope.Thread)
  @AuxCounters
  public static class MovedBytes {

    /** Since the iteration started. */
    public long bytes;
  }
}
