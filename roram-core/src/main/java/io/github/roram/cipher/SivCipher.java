package io.github.roram.cipher;

import io.github.roram.crypto.MasterKey;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;

/**
 * Seals short records without a nonce: AES-256-CTR whose first counter block is the start of an
 * HMAC-SHA-256 of the content, which is the tag. Sealing twice under one key reveals only whether
 * the content is the same. Not thread safe.
 */
public final class SivCipher implements AutoCloseable {

  /** Bytes that sealing adds. */
  public static final int TAG_BYTES = 32;

  private static final int COUNTER_BYTES = 16;

  private final AesKey macKey;
  private final AesKey cipherKey;
  private final Mac mac;
  private final Cipher cipher;

  /** Creates a cipher whose keys are derived for a purpose and a salt. */
  public SivCipher(MasterKey master, String purpose, byte[] salt) {
    byte[] secret = master.derive(purpose, salt, 2 * AesKey.BYTES);
    try {
      macKey = new AesKey(Arrays.copyOf(secret, AesKey.BYTES));
      cipherKey = new AesKey(Arrays.copyOfRange(secret, AesKey.BYTES, secret.length));
      mac = Mac.getInstance("HmacSHA256");
      mac.init(macKey);
      cipher = Cipher.getInstance("AES/CTR/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no HmacSHA256 or AES/CTR/NoPadding", e);
    } finally {
      Arrays.fill(secret, (byte) 0);
    }
  }

  /** Returns the tag and the sealed bytes. */
  public byte[] seal(byte[] plain) {
    byte[] sealed = Arrays.copyOf(mac.doFinal(plain), TAG_BYTES + plain.length);
    crypt(sealed, plain, 0, sealed, TAG_BYTES);
    return sealed;
  }

  /** Returns the content; empty if it is not authentic. */
  public Optional<byte[]> open(byte[] sealed) {
    if (sealed.length < TAG_BYTES) {
      return Optional.empty();
    }
    byte[] plain = new byte[sealed.length - TAG_BYTES];
    crypt(sealed, sealed, TAG_BYTES, plain, 0);
    return MessageDigest.isEqual(mac.doFinal(plain), Arrays.copyOf(sealed, TAG_BYTES))
        ? Optional.of(plain)
        : Optional.empty();
  }

  private void crypt(byte[] tag, byte[] from, int offset, byte[] to, int toOffset) {
    try {
      cipher.init(Cipher.ENCRYPT_MODE, cipherKey, new IvParameterSpec(tag, 0, COUNTER_BYTES));
      cipher.doFinal(from, offset, from.length - offset, to, toOffset);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("sealing failed", e);
    }
  }

  @Override
  public void close() {
    macKey.destroy();
    cipherKey.destroy();
  }
}
