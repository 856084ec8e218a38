package io.github.roram.cipher;

import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * AES-256-GCM over heap arrays, the fastest form of it in the JDK. Holds one cipher for each
 * direction, so it is not thread safe.
 */
public final class BucketCipher {

  /** Bytes that sealing adds. */
  public static final int TAG_BYTES = 16;

  /** Bytes of a nonce. */
  public static final int NONCE_BYTES = 12;

  private final Cipher sealing;
  private final Cipher opening;

  /** A cipher of the platform's preferred provider. */
  public BucketCipher() {
    try {
      sealing = Cipher.getInstance("AES/GCM/NoPadding");
      opening = Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES/GCM/NoPadding", e);
    }
  }

  /**
   * Seals {@code bytes} bytes of {@code plain} into {@code sealed} from {@code offset} on, tag
   * last.
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
    try {
      sealing.init(
          Cipher.ENCRYPT_MODE, keys.forEpoch(epoch), new GCMParameterSpec(8 * TAG_BYTES, nonce));
      sealing.updateAAD(associated);
      sealing.doFinal(plain, 0, bytes, sealed, offset);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("sealing failed", e);
    }
  }

  /**
   * Opens what {@link #seal} made; {@code bytes} counts the tag.
   *
   * @return whether it is authentic; if not, {@code plain} holds nothing of it
   */
  public boolean open(
      BucketKeys keys,
      int epoch,
      byte[] nonce,
      byte[] associated,
      byte[] sealed,
      int offset,
      int bytes,
      byte[] plain) {
    try {
      opening.init(
          Cipher.DECRYPT_MODE, keys.forEpoch(epoch), new GCMParameterSpec(8 * TAG_BYTES, nonce));
      opening.updateAAD(associated);
      opening.doFinal(sealed, offset, bytes, plain, 0);
      return true;
    } catch (AEADBadTagException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("opening failed", e);
    }
  }
}
