package io.github.roram.cli;

import io.github.roram.crypto.MasterKey;
import io.github.roram.crypto.PassphraseParameters;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the key of a store comes from: a key file, a passphrase file, or a question. */
final class KeyOptions {

  /** What help texts say about keys. */
  static final String HELP =
      "The key comes from --key-file (32 raw bytes or 64 hexadecimal digits), or is derived with"
          + " Argon2id from a passphrase: the first line of --passphrase-file, or what you type."
          + " Such files must belong to you alone (chmod 600). Who loses the key loses the data.";

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "File that holds the store's key.")
  @Nullable Path keyFile;

  @Option(
      names = "--passphrase-file",
      paramLabel = "FILE",
      description = "File whose first line is the store's passphrase.")
  @Nullable Path passphraseFile;

  /** Whether a file was named, so that nobody need be asked. */
  boolean given() {
    return keyFile != null || passphraseFile != null;
  }

  /** The key of a store that exists; the caller closes it. */
  MasterKey unlock(ClientVault vault, String storeUri, Environment environment) throws IOException {
    checkOneSource();
    if (keyFile != null) {
      return KeyFile.read(keyFile);
    }
    Optional<PassphraseParameters> parameters = PassphraseRecord.load(vault);
    if (parameters.isEmpty()) {
      throw new UsageException(
          storeUri
              + " was created with a key file, not a passphrase; name it with --key-file FILE");
    }
    try (Passphrase passphrase =
        passphraseFile != null
            ? Passphrase.read(passphraseFile)
            : Passphrase.ask(environment.prompt(), storeUri)) {
      return parameters.get().derive(passphrase.characters());
    }
  }

  /** Refuses a command line that names two keys. */
  void checkOneSource() {
    if (keyFile != null && passphraseFile != null) {
      throw new UsageException("give --key-file or --passphrase-file, not both");
    }
  }
}
