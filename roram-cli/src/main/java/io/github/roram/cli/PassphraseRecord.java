package io.github.roram.cli;

import io.github.roram.crypto.PassphraseParameters;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Properties;

/** The public parameters of a store's passphrase, a record beside the store. */
final class PassphraseRecord {

  private static final String NAME = "passphrase";

  private PassphraseRecord() {}

  /** Empty if the store has a key file instead. */
  static Optional<PassphraseParameters> load(ClientVault vault) throws IOException {
    Optional<InputStream> content = vault.load(NAME);
    if (content.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream in = content.get()) {
      Properties properties = new Properties();
      properties.load(in);
      return Optional.of(PassphraseParameters.from(properties));
    }
  }

  static void save(ClientVault vault, PassphraseParameters parameters) throws IOException {
    vault.save(
        NAME, out -> parameters.toProperties().store(out, "How the key is derived; no secret"));
  }
}
