package io.github.roram.cli;

import io.github.roram.client.Key;
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

  /** What unlocks a store. */
  Key key(String storeUri, Environment environment) {
    return choice().key(storeUri, environment);
  }
}
