package io.github.roram.cli;

import io.github.roram.cli.HelpSection.In;
import io.github.roram.client.Key;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What unlocks a store: a key file, an environment variable, a passphrase file, or a question. */
@In(HelpSection.KEY)
final class KeyOptions {

  @In(HelpSection.ESSENTIAL)
  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "File with the key of the store.")
  @Nullable Path keyFile;

  @Option(
      names = "--key-env",
      paramLabel = "NAME",
      description = "Environment variable with the key, in hexadecimal.")
  @Nullable String variable;

  @Option(
      names = "--passphrase-file",
      paramLabel = "FILE",
      description = "File whose first line is the passphrase.")
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
