package io.github.roram.jmh;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.SplittableRandom;

/**
 * The cipher over buckets that lie in memory, far more of them than the processor's caches hold:
 * what opening and sealing the buckets of a store in memory costs at the least, for they have to
 * come from memory and go back there. For one thread.
 */
final class CipherOnMemory {

  /** Consecutive buckets, as in a run of a level. */
  private static final int RUN_BUCKETS = 64;

  private final CipherAlone cipher;
  private final ByteBuffer memory;
  private final long[] numbers;
  private final SplittableRandom random = new SplittableRandom(2);
  private int next;

  /** Fills so many bytes outside of the heap with sealed buckets. */
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
