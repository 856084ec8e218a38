package io.github.roram.cipher;

import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * An authenticated cipher over heap arrays, which are its fastest form in the JDK. Holds one cipher
 * for each direction. Not thread safe.
 */
public final class BucketCipher {

  /** Bytes that sealing adds. */
  public static final int TAG_BYTES = 16;

  /** Bytes of a nonce. */
  public static final int NONCE_BYTES = 12;

  /** The algorithms; the keys of a store are used with one of them. */
  public enum Algorithm {
    /** AES-256 in Galois/Counter Mode, the default. */
    AES_256_GCM("AES/GCM/NoPadding"),
    /** ChaCha20 with Poly1305 (RFC 8439): fast where the processor has no AES instructions. */
    CHACHA20_POLY1305("ChaCha20-Poly1305");

    private final String transformation;

    Algorithm(String transformation) {
      this.transformation = transformation;
    }

    private Cipher cipher() {
      try {
        return Cipher.getInstance(transformation);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("this Java has no " + transformation, e);
      }
    }

    private AlgorithmParameterSpec parameters(byte[] nonce) {
      return this == AES_256_GCM
          ? new GCMParameterSpec(8 * TAG_BYTES, nonce)
          : new IvParameterSpec(nonce);
    }
  }

  private final Algorithm algorithm;
  private final Cipher sealing;
  private Cipher opening;

  /** The last message opened with ChaCha20: the JDK's cipher opens nothing twice in a row. */
  private final Latest opened = new Latest();

  private @Nullable Cipher sealingAgain;

  /** The last message that was sealed again: the JDK's ciphers seal nothing twice in a row. */
  private final Latest sealedAgain = new Latest();

  /** Creates AES-256-GCM of the platform's preferred provider. */
  public BucketCipher() {
    this(Algorithm.AES_256_GCM);
  }

  /** Creates a cipher of the platform's preferred provider. */
  public BucketCipher(Algorithm algorithm) {
    this.algorithm = algorithm;
    sealing = algorithm.cipher();
    opening = algorithm.cipher();
  }

  /**
   * Seals {@code bytes} bytes of {@code plain} into {@code sealed} from {@code offset} on, with the
   * tag last.
   *
   * @param nonce never used before with the key of this epoch
   */
  public void seal(
      BucketKeys keys,
      int epoch,
      byte[] nonce,
      byte[] associated,
      byte[] plain,
      int bytes,
      byte[] sealed,
      int offset) {
    seal(keys, epoch, nonce, associated, plain, 0, bytes, sealed, offset);
  }

  /** Seals {@code bytes} bytes of {@code plain} from {@code plainOffset} on. */
  public void seal(
      BucketKeys keys,
      int epoch,
      byte[] nonce,
      byte[] associated,
      byte[] plain,
      int plainOffset,
      int bytes,
      byte[] sealed,
      int offset) {
    seal(sealing, keys, epoch, nonce, associated, plain, plainOffset, bytes, sealed, offset);
  }

  /**
   * Seals as {@link #seal} does, but possibly not for the first time, to compare with what was
   * sealed before. The result must not leave this process.
   */
  public void sealAgain(
      BucketKeys keys,
      int epoch,
      byte[] nonce,
      byte[] associated,
      byte[] plain,
      int bytes,
      byte[] sealed,
      int offset) {
    Cipher cipher = sealingAgain;
    if (sealedAgain.repeats(epoch, nonce) || cipher == null) {
      cipher = algorithm.cipher();
      sealingAgain = cipher;
    }
    seal(cipher, keys, epoch, nonce, associated, plain, 0, bytes, sealed, offset);
  }

  private void seal(
      Cipher cipher,
      BucketKeys keys,
      int epoch,
      byte[] nonce,
      byte[] associated,
      byte[] plain,
      int plainOffset,
      int bytes,
      byte[] sealed,
      int offset) {
    try {
      cipher.init(Cipher.ENCRYPT_MODE, keys.forEpoch(epoch), algorithm.parameters(nonce));
      cipher.updateAAD(associated);
      cipher.doFinal(plain, plainOffset, bytes, sealed, offset);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("sealing failed", e);
    }
  }

  /** Opens a message to the start of {@code plain}. */
  public boolean open(
      BucketKeys keys,
      int epoch,
      byte[] nonce,
      byte[] associated,
      byte[] sealed,
      int offset,
      int bytes,
      byte[] plain) {
    return open(keys, epoch, nonce, associated, sealed, offset, bytes, plain, 0);
  }

  /**
   * Opens what {@link #seal} made; {@code bytes} counts the tag.
   *
   * @param plainOffset where the opened bytes begin in {@code plain}
   * @return whether the message is authentic; if not, {@code plain} holds nothing of it
   */
  public boolean open(
      BucketKeys keys,
      int epoch,
      byte[] nonce,
      byte[] associated,
      byte[] sealed,
      int offset,
      int bytes,
      byte[] plain,
      int plainOffset) {
    if (algorithm == Algorithm.CHACHA20_POLY1305 && opened.repeats(epoch, nonce)) {
      opening = algorithm.cipher();
    }
    try {
      opening.init(Cipher.DECRYPT_MODE, keys.forEpoch(epoch), algorithm.parameters(nonce));
      opening.updateAAD(associated);
      opening.doFinal(sealed, offset, bytes, plain, plainOffset);
      return true;
    } catch (AEADBadTagException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("opening failed", e);
    }
  }

  /** Key and nonce of the previous message, which the JDK refuses even for the same message. */
  private static final class Latest {
    private final byte[] nonce = new byte[NONCE_BYTES];
    private int epoch;

    /** Sets key and nonce of the next message; returns whether the previous one had the same. */
    boolean repeats(int newEpoch, byte[] newNonce) {
      boolean same = newEpoch == epoch && Arrays.equals(newNonce, nonce);
      epoch = newEpoch;
      System.arraycopy(newNonce, 0, nonce, 0, NONCE_BYTES);
      return same;
    }
  }
}
