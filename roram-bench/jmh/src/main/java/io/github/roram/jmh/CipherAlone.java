package io.github.roram.jmh;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.SplittableRandom;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-256-GCM as the JDK has it, over two heap arrays of the size of a bucket that stay in the
 * processor's cache: what an access would cost if it did nothing else. For one thread.
 */
final class CipherAlone {

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

  /** For buckets of this many bytes before sealing; seals one to open. */
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

  /** How many buckets were sealed so far. */
  long sealedBuckets() {
    return sealedBuckets;
  }

  /** The array for the sealed bucket. */
  byte[] sealed() {
    return sealed;
  }

  private GCMParameterSpec parameters() {
    return new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce.array());
  }

  /**
   * The cipher over buckets that lie in memory, far more of them than the processor's caches hold:
   * what opening and sealing the buckets of a store in memory costs at the least, for they have to
   * come from memory and go back there. For one thread.
   */
  static final class CipherOnMemory {

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
}
