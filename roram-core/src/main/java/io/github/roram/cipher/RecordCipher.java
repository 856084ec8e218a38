package io.github.roram.cipher;

import io.github.roram.crypto.MasterKey;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Seals numbered records under a key of their own: AES-256-GCM whose nonce is the record's number.
 * Not thread safe.
 */
public final class RecordCipher implements AutoCloseable {

  private final AesKey key;
  private final Cipher cipher;
  private final byte[] nonce = new byte[BucketCipher.NONCE_BYTES];

  /**
   * A cipher whose key is derived for this purpose and salt.
   *
   * @param salt fresh for every sequence of records, since their numbers start anew
   */
  public RecordCipher(MasterKey master, String purpose, byte[] salt) {
    byte[] secret = master.derive(purpose, salt, AesKey.BYTES);
    try {
      key = new AesKey(secret);
      cipher = Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES/GCM/NoPadding", e);
    } finally {
      Arrays.fill(secret, (byte) 0);
    }
  }

  /** Seals {@code count} bytes of {@code plain} into {@code sealed} from {@code offset} on. */
  public void seal(
      long number, byte[] associated, byte[] plain, int count, byte[] sealed, int offset) {
    try {
      cipher.init(Cipher.ENCRYPT_MODE, key, parameters(number));
      cipher.updateAAD(associated);
      cipher.doFinal(plain, 0, count, sealed, offset);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("sealing failed", e);
    }
  }

  /** Opens {@code count} bytes, tag included; whether they are authentic. */
  public boolean open(
      long number, byte[] associated, byte[] sealed, int offset, int count, byte[] plain) {
    try {
      cipher.init(Cipher.DECRYPT_MODE, key, parameters(number));
      cipher.updateAAD(associated);
      cipher.doFinal(sealed, offset, count, plain, 0);
      return true;
    } catch (AEADBadTagException e) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("opening failed", e);
    }
  }

  private GCMParameterSpec parameters(long number) {
    ByteBuffer.wrap(nonce).putLong(4, number);
    return new GCMParameterSpec(8 * BucketCipher.TAG_BYTES, nonce);
  }

  @Override
  public void close() {
    key.destroy();
  }
}
