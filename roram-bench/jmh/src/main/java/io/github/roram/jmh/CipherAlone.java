package io.github.roram.jmh;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
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
}
