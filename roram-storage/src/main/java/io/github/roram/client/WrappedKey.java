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
 * The master key of a store, sealed under another secret: what a passphrase, a key file or an
 * environment variable gives. The master key is random, so changing that secret replaces one small
 * record and no data.
 *
 * <p>While a store gets a new master key the record holds both, the new one second, so that the
 * change can go on after a crash.
 *
 * <h2>Security</h2>
 *
 * AES-256-GCM under a key that HKDF derives from the secret with a fresh salt; everything else in
 * the record is authenticated with it. Anyone with the record can guess a weak passphrase, at the
 * price of one Argon2id per guess.
 *
 * <p>Immutable; safe for use by several threads.
 */
public final class WrappedKey {

  /** Name of the client's record that holds the wrapped key. */
  public static final String RECORD = "key";

  private final byte[] record;

  private WrappedKey(byte[] record) {
    this.record = record;
  }

  /** The key that a store has, and the one that it is getting, if it is. Closing wipes both. */
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
   * @param secret what the source gave
   * @param passphrase how the passphrase became the secret; null for the other sources
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
   * Loads the record of a store; empty if it has none.
   *
   * @throws IntegrityException if it is corrupt, or of a newer version
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
   * The record of a store.
   *
   * @param store its name, for messages
   * @throws UncleanShutdownException if it has none
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

  /** The wrapped key of these bytes. */
  static WrappedKey decode(byte[] record) {
    WrappedKeyDescriptor.check(record);
    return new WrappedKey(record.clone());
  }

  /** Replaces the record of a store, atomically and durably. */
  public void save(ClientVault vault) throws IOException {
    vault.save(RECORD, out -> out.write(record));
  }

  /** These keys instead, locked as they are now with the same secret. */
  public WrappedKey replaceKeys(Keys keys, MasterKey secret) {
    return wrap(keys, secret, source(), passphrase().orElse(null));
  }

  /** What unlocks it. */
  public KeySource source() {
    return WrappedKeyDescriptor.source(record);
  }

  /** How the passphrase becomes the secret; empty for the other sources. */
  public Optional<PassphraseParameters> passphrase() {
    return source() == KeySource.PASSPHRASE
        ? Optional.of(WrappedKeyDescriptor.passphrase(record))
        : Optional.empty();
  }

  /**
   * Opens it.
   *
   * @param secret what the source gave
   * @return the keys, which the caller closes
   * @throws WrongKeyException if the secret is not the one that it was sealed under
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
