package io.github.roram.bench.jmh;

import io.github.roram.bucket.BucketDescriptor;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
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
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;

  /** Z, blocks of 4 KB in a bucket. */
  @Param({"4", "8"})
  public int bucketSlots;

  private final SecretKeySpec key = new SecretKeySpec(new byte[KEY_BYTES], "AES");
  private final ByteBuffer nonce = ByteBuffer.allocate(NONCE_BYTES);
  private final byte[] associated = new byte[KEY_BYTES];
  private Cipher sealing;
  private Cipher opening;
  private byte[] plain;
  private byte[] sealed;

  /** Seals a bucket to open. */
  @Setup
  public void prepare() throws GeneralSecurityException {
    sealing = Cipher.getInstance("AES/GCM/NoPadding");
    opening = Cipher.getInstance("AES/GCM/NoPadding");
    plain = new byte[new BucketDescriptor(bucketSlots, BLOCK_BYTES, 0).plainBytes()];
    sealed = new byte[plain.length + TAG_BYTES];
    seal(new MovedBytes());
  }

  /** Seals one bucket, with a new nonce as it must be. */
  @Benchmark
  public byte[] seal(MovedBytes moved) throws GeneralSecurityException {
    nonce.putLong(0, nonce.getLong(0) + 1);
    sealing.init(Cipher.ENCRYPT_MODE, key, parameters());
    sealing.updateAAD(associated);
    sealing.doFinal(plain, 0, plain.length, sealed, 0);
    moved.bytes += sealed.length;
    return sealed;
  }

  /** Opens one bucket. */
  @Benchmark
  public byte[] open(MovedBytes moved) throws GeneralSecurityException {
    opening.init(Cipher.DECRYPT_MODE, key, parameters());
    opening.updateAAD(associated);
    opening.doFinal(sealed, 0, sealed.length, plain, 0);
    moved.bytes += sealed.length;
    return plain;
  }

  private GCMParameterSpec parameters() {
    return new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce.array());
  }
}
