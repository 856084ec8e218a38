package io.github.roram.client;

import io.github.roram.IntegrityException;
import io.github.roram.UncleanShutdownException;
import io.github.roram.WrongKeyException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.crypto.SystemRandom;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The master key of a store, sealed under another secret: that of a passphrase, a key file or an
 * environment variable. The master key is random, so changing that secret replaces one small record
 * and no data.
 *
 * <p>While a store's master key is being changed, the record holds both keys, the new one second,
 * so that the change can resume after a crash.
 *
 * <h2>Security</h2>
 *
 * AES-256-GCM under a key that HKDF derives from the secret with a fresh salt; everything else in
 * the record is authenticated with it. Anyone with the record can guess a weak passphrase, at the
 * cost of one Argon2id computation per guess.
 *
 * <p>Immutable; safe for use by several threads.
 */
public final class WrappedKey {

  /** Name of the client's record for the wrapped key. */
  public static final String RECORD = "key";

  private final byte[] record;

  private WrappedKey(byte[] record) {
    this.record = record;
  }

  /** A store's key, and the key that replaces it if that is in progress. Closing wipes both. */
  public record Keys(MasterKey current, @Nullable MasterKey next) implements AutoCloseable {
    @Override
    public void close() {
      current.close();
      if (next != null) {
        next.close();
      }
    }
  }

  /**
   * Seals keys.
   *
   * @param secret the secret of the source
   * @param passphrase the parameters that derived the secret from a passphrase; null for the other
   *     sources
   */
  public static WrappedKey wrap(
      Keys keys, MasterKey secret, KeySource source, @Nullable PassphraseParameters passphrase) {
    if ((source == KeySource.PASSPHRASE) != (passphrase != null)) {
      throw new IllegalArgumentException("parameters of a passphrase belong to a passphrase");
    }
    MasterKey next = keys.next();
    byte[] plain = new byte[(next == null ? 1 : 2) * MasterKey.BYTES];
    byte[] salt = new byte[WrappedKeyDescriptor.SALT_BYTES];
    SystemRandom.fill(salt);
    try {
      keys.current().copyTo(plain);
      if (next != null) {
        byte[] second = new byte[MasterKey.BYTES];
        next.copyTo(second);
        System.arraycopy(second, 0, plain, MasterKey.BYTES, MasterKey.BYTES);
        Arrays.fill(second, (byte) 0);
      }
      return new WrappedKey(WrappedKeyDescriptor.encode(source, passphrase, salt, plain, secret));
    } finally {
      Arrays.fill(plain, (byte) 0);
    }
  }

  /**
   * Loads the wrapped key of a store; empty if there is none.
   *
   * @throws IntegrityException if the record is corrupt, or of a newer version
   */
  public static Optional<WrappedKey> load(ClientVault vault) throws IOException {
    Optional<InputStream> found = vault.load(RECORD);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream in = found.get()) {
      return Optional.of(decode(in.readNBytes(WrappedKeyDescriptor.MAX_BYTES + 1)));
    }
  }

  /**
   * Returns the wrapped key of a store.
   *
   * @param store the store's name, for messages
   * @throws UncleanShutdownException if there is none
   */
  public static WrappedKey of(ClientVault vault, String store) throws IOException {
    return load(vault).orElseThrow(() -> missing(vault, store));
  }

  static UncleanShutdownException missing(ClientVault vault, String store) {
    return new UncleanShutdownException(
        "the client's record '"
            + RECORD
            + "' of "
            + store
            + ", which holds the wrapped master key, is missing in the "
            + vault
            + "; if the client's records are elsewhere, say where with --state-dir; if a program made"
            + " the store with a master key of its own, give that key; else restore the record from a"
            + " copy: without it the data is lost");
  }

  /** Decodes a record. */
  static WrappedKey decode(byte[] record) {
    WrappedKeyDescriptor.check(record);
    return new WrappedKey(record.clone());
  }

  /** Replaces the store's record with this, atomically and durably. */
  public void save(ClientVault vault) throws IOException {
    vault.save(RECORD, out -> out.write(record));
  }

  /** Returns other keys, sealed under the same secret as these. */
  public WrappedKey replaceKeys(Keys keys, MasterKey secret) {
    return wrap(keys, secret, source(), passphrase().orElse(null));
  }

  /** Returns the kind of secret that unlocks it. */
  public KeySource source() {
    return WrappedKeyDescriptor.source(record);
  }

  /** Returns the parameters that derive the secret; empty if the source is no passphrase. */
  public Optional<PassphraseParameters> passphrase() {
    return source() == KeySource.PASSPHRASE
        ? Optional.of(WrappedKeyDescriptor.passphrase(record))
        : Optional.empty();
  }

  /**
   * Unseals the keys.
   *
   * @param secret the secret of the source
   * @return the keys, which the caller closes
   * @throws WrongKeyException if the keys were sealed under another secret
   */
  public Keys unwrap(MasterKey secret) {
    byte[] plain = WrappedKeyDescriptor.open(record, secret);
    try {
      MasterKey current = MasterKey.copyOf(Arrays.copyOf(plain, MasterKey.BYTES));
      MasterKey next =
          plain.length == MasterKey.BYTES
              ? null
              : MasterKey.copyOf(Arrays.copyOfRange(plain, MasterKey.BYTES, 2 * MasterKey.BYTES));
      return new Keys(current, next);
    } finally {
      Arrays.fill(plain, (byte) 0);
    }
  }
}
