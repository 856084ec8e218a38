package io.github.roram.cipher;

import io.github.roram.crypto.MasterKey;
import java.util.Arrays;
import javax.crypto.SecretKey;

/** An AES-256 key that can be wiped, which {@code SecretKeySpec} cannot (JDK 17). */
final class AesKey implements SecretKey {
  static final int BYTES = 32;
  private static final long serialVersionUID = 1L;

  private final byte[] secret;
  private boolean destroyed;

  AesKey(byte[] secret) {
    this.secret = secret.clone();
  }

  /** Derives a key for a purpose and a salt. */
  static AesKey derive(MasterKey master, String purpose, byte[] salt) {
    byte[] secret = master.derive(purpose, salt, BYTES);
    try {
      return new AesKey(secret);
    } finally {
      Arrays.fill(secret, (byte) 0);
    }
  }

  @Override
  public String getAlgorithm() {
    return "AES";
  }

  @Override
  public String getFormat() {
    return "RAW";
  }

  /** Returns a copy, since ciphers wipe the array that they get. */
  @Override
  public byte[] getEncoded() {
    if (destroyed) {
      throw new IllegalStateException("the key is wiped");
    }
    return secret.clone();
  }

  @Override
  public void destroy() {
    Arrays.fill(secret, (byte) 0);
    destroyed = true;
  }

  @Override
  public boolean isDestroyed() {
    return destroyed;
  }

  private void writeObject(java.io.ObjectOutputStream out) throws java.io.IOException {
    throw new java.io.NotSerializableException("keys stay in memory");
  }
}
