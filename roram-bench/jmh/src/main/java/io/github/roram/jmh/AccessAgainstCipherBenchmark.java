package io.github.roram.jmh;

import com.sun.management.OperatingSystemMXBean;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.jmh.AccessAgainstCipherBenchmark.CipherAlone.CipherOnMemory;
import io.github.roram.jmh.BenchStore.RandomAccesses;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
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
 * Compares the access path with the cipher alone: accesses of 2^8 blocks, and after each one the
 * same number of buckets opened and sealed by {@link CipherAlone} on all processors. The two
 * alternate every few milliseconds, so that other work of the machine slows both; {@code
 * cipherMillis} / {@code accessMillis} is their ratio, and {@code cipherCpuMillis} / {@code
 * accessCpuMillis} is what it would be if every thread always had a processor of its own. {@code
 * memoryMillis} is the same work by {@link CipherOnMemory}, on buckets that are not in the
 * processor's caches, as those of a store never are. {@code storeMillis} is the same requests to a
 * second store without any work on the bytes. The scheme is rORAM with classes 0, 4 and 8, reads
 * and writes in turn, in steady state.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 4)
@Measurement(iterations = 7, time = 3)
@NullUnmarked // JMH fills the fields
public class AccessAgainstCipherBenchmark {

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double BYTES_PER_MEGABYTE = 1e6;
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private static final int RANGE_BLOCKS = 256;

  /** Buckets that a thread of the yardstick takes at a time. */
  private static final int BATCH_BUCKETS = 16;

  /** Where the store is: {@code mem}, {@code file}, or {@code direct} for files on the disk. */
  @Param({"mem", "file"})
  public String store;

  /** Blocks of the store; 2^18 take 6.5 GB of it, and the second store as much. */
  @Param({"65536"})
  public int blocks;

  /** Bytes of a block: its four to a bucket are what the cipher seals at a time. */
  @Param({"4096"})
  public int blockBytes;

  /** Memory with buckets for each thread of the yardstick. */
  private static final int YARDSTICK_BYTES = 512 << 20;

  /** Threads of the access path; 0 for one a processor. */
  @Param({"1", "0"})
  public int threads;

  private final List<Work> ciphers = new ArrayList<>();
  private final List<Work> ciphersOnMemory = new ArrayList<>();
  private ExecutorService executor;
  private BenchStore target;
  private BenchStore second;
  private RandomAccesses accesses;
  private long readBefore;
  private long writtenBefore;

  /** What one thread does with one bucket. */
  private record Work(Step open, Step seal) {

    interface Step {
      void run() throws GeneralSecurityException;
    }
  }

  /** What each of the four took, summed over the measured iterations. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Cost {
    /** Time of the accesses. */
    public double accessMillis;

    /** Time of their buckets through the cipher alone. */
    public double cipherMillis;

    /** Processor time of the accesses, on all threads of the process. */
    public double accessCpuMillis;

    /** Processor time of their buckets through the cipher alone. */
    public double cipherCpuMillis;

    /** Time of the same on buckets that come from memory and go there. */
    public double memoryMillis;

    /** Time of their requests of a store alone. */
    public double storeMillis;

    /** Megabytes that each of the four moved. */
    public double megabytes;
  }

  /** Creates and fills the store. */
  @Setup
  public void open() throws IOException, GeneralSecurityException {
    target = newStore(true);
    second = newStore(false);
    target.fill();
    target.requests().replayOn(second.store());
    accesses = new RandomAccesses(target.oram(), RANGE_BLOCKS);
    BucketDescriptor descriptor = descriptor();
    int processors = Runtime.getRuntime().availableProcessors();
    for (int i = 0; i < processors; i++) {
      CipherAlone alone = new CipherAlone(descriptor.plainBytes());
      ciphers.add(new Work(alone::open, alone::seal));
      CipherOnMemory memory = new CipherOnMemory(descriptor.plainBytes(), YARDSTICK_BYTES);
      ciphersOnMemory.add(new Work(memory::open, memory::seal));
    }
    executor = Executors.newFixedThreadPool(processors);
    readBefore = read();
    writtenBefore = written();
  }

  private BenchStore newStore(boolean replayed) throws IOException {
    OramConfig config = BenchStore.config(BenchStore.RORAM, blocks, blockBytes);
    OpenOptions options = BenchStore.options(BenchStore.RORAM, threads);
    return new BenchStore(store, config, options, replayed);
  }

  private BucketDescriptor descriptor() {
    return new BucketDescriptor(
        TreeParameters.of(target.oram().config()).bucketSlots(),
        target.oram().config().blockBytes(),
        0);
  }

  private long read() {
    return target.bytes(IoPhase.READ) + target.bytes(IoPhase.EVICT_READ);
  }

  private long written() {
    return target.bytes(IoPhase.EVICT_WRITE);
  }

  /** Deletes the store. */
  @TearDown
  public void close() throws IOException {
    executor.shutdown();
    target.close();
    second.close();
  }

  /** Makes one access, then passes its buckets through the cipher alone. */
  @Benchmark
  public ByteBuffer access(Cost cost) throws IOException, InterruptedException, ExecutionException {
    long cpuStart = SYSTEM.getProcessCpuTime();
    long start = System.nanoTime();
    ByteBuffer moved = accesses.next();
    long middle = System.nanoTime();
    cost.accessCpuMillis += (SYSTEM.getProcessCpuTime() - cpuStart) / NANOS_PER_MILLI;
    long opened = read() - readBefore;
    long sealed = written() - writtenBefore;
    readBefore += opened;
    writtenBefore += sealed;
    int sealedBytes = descriptor().sealedBytes();
    long cipherCpuStart = SYSTEM.getProcessCpuTime();
    long cipherStart = System.nanoTime();
    int openedBuckets = (int) (opened / sealedBytes);
    int sealedBuckets = (int) (sealed / sealedBytes);
    work(ciphers, openedBuckets, sealedBuckets);
    cost.cipherMillis += (System.nanoTime() - cipherStart) / NANOS_PER_MILLI;
    cost.cipherCpuMillis += (SYSTEM.getProcessCpuTime() - cipherCpuStart) / NANOS_PER_MILLI;
    long memoryStart = System.nanoTime();
    work(ciphersOnMemory, openedBuckets, sealedBuckets);
    cost.memoryMillis += (System.nanoTime() - memoryStart) / NANOS_PER_MILLI;
    long storeStart = System.nanoTime();
    target.requests().replayOn(second.store());
    cost.storeMillis += (System.nanoTime() - storeStart) / NANOS_PER_MILLI;
    cost.accessMillis += (middle - start) / NANOS_PER_MILLI;
    cost.megabytes += (opened + sealed) / BYTES_PER_MEGABYTE;
    return moved;
  }

  private void work(List<Work> threads, int opened, int sealed)
      throws InterruptedException, ExecutionException {
    AtomicInteger next = new AtomicInteger();
    List<Callable<Void>> work = new ArrayList<>();
    for (Work thread : threads) {
      work.add(
          () -> {
            for (int at = take(next); at < opened + sealed; at = take(next)) {
              int end = Math.min(at + BATCH_BUCKETS, opened + sealed);
              for (int i = at; i < end; i++) {
                if (i < opened) {
                  thread.open().run();
                } else {
                  thread.seal().run();
                }
              }
            }
            return null;
          });
    }
    for (Future<Void> done : executor.invokeAll(work)) {
      done.get();
    }
  }

  private static int take(AtomicInteger next) {
    return next.getAndAdd(BATCH_BUCKETS);
  }

  /**
   * AES-256-GCM as the JDK has it, over two heap arrays of the size of a bucket that stay in the
   * processor's cache: what an access would cost if it did nothing else. For one thread.
   */
  static final class CipherAlone {

    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;

    private final SecretKeySpec key = new SecretKeySpec(new byte[KEY_BYTES], "AES");
    private final ByteBuffer nonce = ByteBuffer.allocate(NONCE_BYTES);
    private final byte[] associated = new byte[KEY_BYTES];
    private final Cipher sealing;
    private final Cipher opening;
    private final byte[] plain;
    private final byte[] sealed;
    private long sealedBuckets;

    /** Prepares buckets of this many bytes before sealing; seals one to open. */
    CipherAlone(int plainBytes) throws GeneralSecurityException {
      sealing = Cipher.getInstance("AES/GCM/NoPadding");
      opening = Cipher.getInstance("AES/GCM/NoPadding");
      plain = new byte[plainBytes];
      sealed = new byte[plainBytes + TAG_BYTES];
      seal();
    }

    /** Seals one bucket, with a new nonce as it must be; returns the bytes. */
    byte[] seal() throws GeneralSecurityException {
      nonce.putLong(0, ++sealedBuckets);
      sealing.init(Cipher.ENCRYPT_MODE, key, parameters());
      sealing.updateAAD(associated);
      sealing.doFinal(plain, 0, plain.length, sealed, 0);
      return sealed;
    }

    /** Opens the bucket that was sealed last; returns the plaintext. */
    byte[] open() throws GeneralSecurityException {
      return open(sealedBuckets);
    }

    /** Opens what {@link #sealed} holds, which was the n-th that {@link #seal} made. */
    byte[] open(long number) throws GeneralSecurityException {
      nonce.putLong(0, number);
      opening.init(Cipher.DECRYPT_MODE, key, parameters());
      opening.updateAAD(associated);
      opening.doFinal(sealed, 0, sealed.length, plain, 0);
      return plain;
    }

    /** Returns the number of buckets sealed so far. */
    long sealedBuckets() {
      return sealedBuckets;
    }

    /** Returns the array for the sealed bucket. */
    byte[] sealed() {
      return sealed;
    }

    private GCMParameterSpec parameters() {
      return new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce.array());
    }

    /**
     * The cipher over buckets that lie in memory, far more of them than the processor's caches
     * hold: what opening and sealing the buckets of a store in memory costs at the least, for they
     * have to come from memory and go back there. For one thread.
     */
    static final class CipherOnMemory {

      /** Consecutive buckets, as in a run of a level. */
      private static final int RUN_BUCKETS = 64;

      private final CipherAlone cipher;
      private final ByteBuffer memory;
      private final long[] numbers;
      private final SplittableRandom random = new SplittableRandom(2);
      private int next;

      /** Fills this many bytes outside of the heap with sealed buckets. */
      CipherOnMemory(int plainBytes, int memoryBytes) throws GeneralSecurityException {
        cipher = new CipherAlone(plainBytes);
        memory = ByteBuffer.allocateDirect(memoryBytes);
        numbers = new long[memoryBytes / cipher.sealed().length / RUN_BUCKETS * RUN_BUCKETS];
        for (int bucket = 0; bucket < numbers.length; bucket++) {
          put(bucket);
        }
      }

      /** Opens one. */
      void open() throws GeneralSecurityException {
        int bucket = nextBucket();
        byte[] sealed = cipher.sealed();
        memory.get(bucket * sealed.length, sealed);
        cipher.open(numbers[bucket]);
      }

      /** Seals one anew. */
      void seal() throws GeneralSecurityException {
        put(nextBucket());
      }

      private void put(int bucket) throws GeneralSecurityException {
        byte[] sealed = cipher.seal();
        memory.put(bucket * sealed.length, sealed);
        numbers[bucket] = cipher.sealedBuckets();
      }

      private int nextBucket() {
        if (next % RUN_BUCKETS == 0) {
          next = random.nextInt(numbers.length / RUN_BUCKETS) * RUN_BUCKETS;
        }
        return next++;
      }
    }
  }
}
