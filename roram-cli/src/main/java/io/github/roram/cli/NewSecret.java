package io.github.roram.cli;

import io.github.roram.crypto.MasterKey;
import io.github.roram.passphrase.KeySource;
import io.github.roram.passphrase.PassphraseParameters;
import io.github.roram.passphrase.WrappedKey;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The secret that is to unlock a store, and what has to be kept with it.
 *
 * @param secret wiped by {@link #close}
 * @param source where it comes from
 * @param parameters how a passphrase became the secret, if one did
 * @param newFile the key file that was generated for it, if one was
 */
record NewSecret(
    MasterKey secret,
    KeySource source,
    @Nullable PassphraseParameters parameters,
    @Nullable Path newFile)
    implements AutoCloseable {

  /** Reads, generates or derives a secret, as the options say. */
  static NewSecret from(
      KeyChoice choice, boolean generate, String storeUri, Environment environment)
      throws IOException {
    choice.checkOneSource();
    Path keyFile = choice.keyFile();
    if (keyFile != null) {
      return fromFile(keyFile, generate);
    }
    if (generate) {
      throw new UsageException(
          "--new-key needs " + choice.prefix() + "key-file FILE, where the key is to be written");
    }
    MasterKey key = choice.readKey(environment);
    if (key != null) {
      return new NewSecret(key, KeySource.ENVIRONMENT, null, null);
    }
    PassphraseParameters parameters = PassphraseParameters.fresh();
    Path passphraseFile = choice.passphraseFile();
    try (Passphrase passphrase =
        passphraseFile != null
            ? Passphrase.read(passphraseFile)
            : Passphrase.askTwice(environment.prompt(), storeUri)) {
      return new NewSecret(
          parameters.derive(passphrase.characters()), KeySource.PASSPHRASE, parameters, null);
    }
  }

  private static NewSecret fromFile(Path keyFile, boolean generate) throws IOException {
    if (generate) {
      return new NewSecret(KeyFile.generate(keyFile), KeySource.KEY_FILE, null, keyFile);
    }
    if (Files.notExists(keyFile)) {
      throw new UsageException(
          "key file " + keyFile + " does not exist; add --new-key to generate one there");
    }
    return new NewSecret(KeyFile.read(keyFile), KeySource.KEY_FILE, null, null);
  }

  /** Keeps keys beside the store, locked with this secret, in place of what was kept before. */
  void lock(WrappedKey.Keys keys, ClientVault vault) throws IOException {
    WrappedKey.wrap(keys, secret, source, parameters).save(vault);
  }

  /** Removes the generated key file: what it was for could not be done. */
  void discard() throws IOException {
    if (newFile != null) {
      Files.deleteIfExists(newFile);
    }
  }

  @Override
  public void close() {
    secret.close();
  }
}
