package io.github.roram.jmh;

import io.github.roram.bucket.BucketDescriptor;
import java.security.GeneralSecurityException;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * AES-256-GCM alone, as the JDK has it, over heap arrays of the size of a bucket: what {@link
 * AccessBenchmark} would reach if an access did nothing else.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@NullUnmarked // JMH fills the fields
public class SealBenchmark {

  private static final int BLOCK_BYTES = 4096;

  /** Z, blocks of 4 KB in a bucket. */
  @Param({"4", "8"})
  public int bucketSlots;

  private CipherAlone cipher;

  /** Seals a bucket to open. */
  @Setup
  public void prepare() throws GeneralSecurityException {
    cipher = new CipherAlone(new BucketDescriptor(bucketSlots, BLOCK_BYTES, 0).plainBytes());
  }

  /** Seals one bucket, with a new nonce as it must be. */
  @Benchmark
  public byte[] seal(MovedBytes moved) throws GeneralSecurityException {
    byte[] sealed = cipher.seal();
    moved.bytes += sealed.length;
    return sealed;
  }

  /** Opens one bucket. */
  @Benchmark
  public byte[] open(MovedBytes moved) throws GeneralSecurityException {
    byte[] plain = cipher.open();
    moved.bytes += plain.length;
    return plain;
  }
}
