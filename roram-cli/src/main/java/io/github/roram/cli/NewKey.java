package io.github.roram.cli;

import io.github.roram.crypto.MasterKey;
import io.github.roram.crypto.PassphraseParameters;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The key of a store that is being created, and what has to be kept with it.
 *
 * @param key wiped by {@link #close}
 * @param parameters how a passphrase became the key, if one did
 * @param newFile the key file that was generated for it, if one was
 */
record NewKey(MasterKey key, @Nullable PassphraseParameters parameters, @Nullable Path newFile)
    implements AutoCloseable {

  /** Reads, generates or derives a key, as the options say. */
  static NewKey from(KeyOptions options, boolean generate, String storeUri, Environment environment)
      throws IOException {
    options.checkOneSource();
    Path keyFile = options.keyFile;
    if (keyFile != null) {
      return fromFile(keyFile, generate);
    }
    if (generate) {
      throw new UsageException("--new-key needs --key-file FILE, where the key is to be written");
    }
    PassphraseParameters parameters = PassphraseParameters.fresh();
    Path passphraseFile = options.passphraseFile;
    try (Passphrase passphrase =
        passphraseFile != null
            ? Passphrase.read(passphraseFile)
            : Passphrase.askTwice(environment.prompt(), storeUri)) {
      return new NewKey(parameters.derive(passphrase.characters()), parameters, null);
    }
  }

  private static NewKey fromFile(Path keyFile, boolean generate) throws IOException {
    if (generate) {
      return new NewKey(KeyFile.generate(keyFile), null, keyFile);
    }
    if (Files.notExists(keyFile)) {
      throw new UsageException(
          "key file " + keyFile + " does not exist; add --new-key to generate one there");
    }
    return new NewKey(KeyFile.read(keyFile), null, null);
  }

  /** Keeps beside the store what is needed to derive the key again. */
  void saveParameters(ClientVault vault) throws IOException {
    if (parameters != null) {
      PassphraseRecord.save(vault, parameters);
    }
  }

  /** Removes the generated key file: the store that it was for could not be created. */
  void discard() throws IOException {
    if (newFile != null) {
      Files.deleteIfExists(newFile);
    }
  }

  @Override
  public void close() {
    key.close();
  }
}
