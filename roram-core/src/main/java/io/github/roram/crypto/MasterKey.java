package io.github.roram.crypto;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The 256-bit secret from which every key of a store is derived. Closing it wipes it. Only {@link
 * #copyTo} reads it back. Thread safe.
 */
public final class MasterKey implements AutoCloseable {

  /** Length in bytes. */
  public static final int BYTES = 32;

  private final byte[] secret;
  private boolean closed;

  private MasterKey(byte[] secret) {
    this.secret = secret;
  }

  /** Returns a fresh key from the system's strong generator. */
  public static MasterKey generate() {
    byte[] secret = new byte[BYTES];
    SystemRandom.fill(secret);
    return new MasterKey(secret);
  }

  /** Returns a key from 32 bytes, which are copied; the caller wipes its own. */
  public static MasterKey copyOf(byte[] secret) {
    if (secret.length != BYTES) {
      throw new IllegalArgumentException(
          "a master key has " + BYTES + " bytes, this has " + secret.length);
    }
    return new MasterKey(secret.clone());
  }

  /** Returns another handle to the same secret, which is closed separately. */
  public synchronized MasterKey duplicate() {
    checkOpen();
    return new MasterKey(secret.clone());
  }

  /** Copies the secret to the start of {@code target}, for a key file; the caller wipes it. */
  public synchronized void copyTo(byte[] target) {
    checkOpen();
    System.arraycopy(secret, 0, target, 0, BYTES);
  }

  /**
   * Derives a key by HKDF-SHA256 (RFC 5869).
   *
   * @param purpose a text that is distinct for every use
   * @param salt the store id, or another value that separates keys of one purpose
   * @param bytes length of the result, which the caller wipes
   */
  public synchronized byte[] derive(String purpose, byte[] salt, int bytes) {
    checkOpen();
    return Hkdf.derive(secret, salt, purpose.getBytes(StandardCharsets.UTF_8), bytes);
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the master key is closed");
    }
  }

  @Override
  public synchronized void close() {
    Arrays.fill(secret, (byte) 0);
    closed = true;
  }

  @Override
  public String toString() {
    return "MasterKey";
  }
}
