package io.github.roram.cli;

import io.github.roram.UncleanShutdownException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.passphrase.KeySource;
import io.github.roram.passphrase.PassphraseParameters;
import io.github.roram.passphrase.WrappedKey;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the command line says that a secret comes from. It unlocks the store's master key.
 *
 * @param prefix of the options' names, for messages
 * @param keyFile file that holds 32 bytes
 * @param passphraseFile file that holds a passphrase
 * @param variable environment variable that holds 64 hexadecimal digits
 */
record KeyChoice(
    String prefix,
    @Nullable Path keyFile,
    @Nullable Path passphraseFile,
    @Nullable String variable) {

  /** Whether a source was named, so that nobody need be asked. */
  boolean given() {
    return keyFile != null || passphraseFile != null || variable != null;
  }

  /** Refuses a command line that names several sources. */
  void checkOneSource() {
    if (Stream.of(
                Optional.ofNullable(keyFile),
                Optional.ofNullable(passphraseFile),
                Optional.ofNullable(variable))
            .filter(Optional::isPresent)
            .count()
        > 1) {
      throw new UsageException(
          "give one of %skey-file, %spassphrase-file and %skey-env, not several"
              .formatted(prefix, prefix, prefix));
    }
  }

  /** The secret in the key file or the environment variable; null if neither was named. */
  @Nullable MasterKey readKey(Environment environment) throws IOException {
    if (keyFile != null) {
      return KeyFile.read(keyFile);
    }
    return variable != null ? KeyVariable.read(variable, environment) : null;
  }

  /**
   * The wrapped key of a store.
   *
   * @throws UncleanShutdownException if it is missing
   */
  static WrappedKey wrappedKey(ClientVault vault, String storeUri) throws IOException {
    return WrappedKey.load(vault)
        .orElseThrow(
            () ->
                new UncleanShutdownException(
                    "the client's record '"
                        + WrappedKey.RECORD
                        + "' of "
                        + storeUri
                        + ", which holds the wrapped master key, is missing in the "
                        + vault
                        + "; if the client's records are elsewhere, say where with --state-dir;"
                        + " else restore it from a copy: without it the data is lost"));
  }

  /** The secret that unlocks a store; the caller closes it. */
  MasterKey unlockingSecret(WrappedKey wrapped, String storeUri, Environment environment)
      throws IOException {
    checkOneSource();
    Optional<PassphraseParameters> passphrase = wrapped.passphrase();
    MasterKey key = readKey(environment);
    if (key != null) {
      if (passphrase.isPresent()) {
        key.close();
        throw locked(storeUri, wrapped, "give --passphrase-file FILE, or nothing to be asked");
      }
      return key;
    }
    if (passphrase.isEmpty()) {
      throw locked(
          storeUri,
          wrapped,
          wrapped.source() == KeySource.KEY_FILE
              ? "name it with --key-file FILE"
              : "name it with --key-env NAME");
    }
    try (Passphrase typed =
        passphraseFile != null
            ? Passphrase.read(passphraseFile)
            : Passphrase.ask(environment.prompt(), storeUri)) {
      return passphrase.get().derive(typed.characters());
    }
  }

  private static UsageException locked(String storeUri, WrappedKey wrapped, String remedy) {
    return new UsageException(storeUri + " is locked with " + wrapped.source() + "; " + remedy);
  }
}
