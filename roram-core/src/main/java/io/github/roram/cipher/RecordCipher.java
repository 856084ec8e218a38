package io.github.roram.cipher;

import io.github.roram.crypto.MasterKey;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/** Seals records under a separate key: AES-256-GCM. Not thread safe. */
public final class RecordCipher implements AutoCloseable {

  private final AesKey key;
  private final Cipher cipher;

  /**
   * Creates a cipher whose key is derived for a purpose and a salt.
   *
   * @param salt salt, drawn anew for every sequence of records
   */
  public RecordCipher(MasterKey master, String purpose, byte[] salt) {
    key = AesKey.derive(master, purpose, salt);
    try {
      cipher = Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES/GCM/NoPadding", e);
    }
  }

  /**
   * Seals {@code count} bytes of {@code plain} into {@code sealed} from {@code offset} on.
   *
   * @param nonce a {@linkplain Nonces fresh} nonce, or any one if the key seals only one record
   */
  public void seal(
      byte[] nonce, byte[] associated, byte[] plain, int count, byte[] sealed, int offset) {
    try {
      cipher.init(Cipher.ENCRYPT_MODE, key, parameters(nonce));
      cipher.updateAAD(associated);
      cipher.doFinal(plain, 0, count, sealed, offset);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("sealing failed", e);
    }
  }

  /** Opens {@code count} bytes, tag included; returns whether they are authentic. */
  public boolean open(
      byte[] nonce, byte[] associated, byte[] sealed, int offset, int count, byte[] plain) {
    try {
      cipher.init(Cipher.DECRYPT_MODE, key, parameters(nonce));
      cipher.updateAAD(associated);
      cipher.doFinal(sealed, offset, count, plain, 0);
      return true;
    } catch (AEADBadTagException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("opening failed", e);
    }
  }

  private static GCMParameterSpec parameters(byte[] nonce) {
    return new GCMParameterSpec(8 * BucketCipher.TAG_BYTES, nonce);
  }

  @Override
  public void close() {
    key.destroy();
  }
}
