package io.github.roram.cli;

import io.github.roram.crypto.MasterKey;
import io.github.roram.passphrase.WrappedKey;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What unlocks a store: a key file, an environment variable, a passphrase file, or a question. */
final class KeyOptions {

  /** What help texts say about keys. */
  static final String HELP =
      "What unlocks the store is a key in --key-file (32 raw bytes or 64 hexadecimal digits) or"
          + " --key-env, or a passphrase: the first line of --passphrase-file, or what you type."
          + " Such files must belong to you alone (chmod 600). Who loses it loses the data.";

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "File that holds the store's key.")
  @Nullable Path keyFile;

  @Option(
      names = "--key-env",
      paramLabel = "NAME",
      description = "Environment variable that holds the store's key in hexadecimal.")
  @Nullable String variable;

  @Option(
      names = "--passphrase-file",
      paramLabel = "FILE",
      description = "File whose first line is the store's passphrase.")
  @Nullable Path passphraseFile;

  /** What was chosen. */
  KeyChoice choice() {
    return new KeyChoice("--", keyFile, passphraseFile, variable);
  }

  /** The master key of a store that exists, and a new one if it is getting one. */
  WrappedKey.Keys unlock(ClientVault vault, String storeUri, Environment environment)
      throws IOException {
    WrappedKey wrapped = KeyChoice.wrappedKey(vault, storeUri);
    try (MasterKey secret = choice().unlockingSecret(wrapped, storeUri, environment)) {
      return wrapped.unwrap(secret);
    }
  }
}
