package io.github.roram.cli;

import io.github.roram.client.Key;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code roram passwd}: another passphrase, or another kind of key, for a store. */
@Command(
    name = "passwd",
    header = "Change what unlocks a store: its passphrase or its key.",
    description = {
      "",
      "The data is sealed with a random master key. The client keeps that key locked with"
          + " your passphrase or key. Only the locked copy is replaced, atomically. Older copies"
          + " of the client's records still open with the old passphrase or key: if it was stolen,"
          + " run roram rekey as well.",
      "",
      "Without a --to option, roram asks for a new passphrase.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram passwd file:/data/vault",
      "  roram passwd file:/data/vault --to-key-file my.key --new-key",
      "  roram passwd file:/data/vault --key-file old.key --to-key-env RORAM_KEY"
    })
final class PasswdCommand extends StoreCommand {

  @Option(names = "--to-key-file", paramLabel = "FILE", description = "File with the new key.")
  @Nullable Path newKeyFile;

  @Option(
      names = "--to-key-env",
      paramLabel = "NAME",
      description = "Environment variable with the new key, in hexadecimal.")
  @Nullable String newVariable;

  @Option(
      names = "--to-passphrase-file",
      paramLabel = "FILE",
      description = "File whose first line is the new passphrase.")
  @Nullable Path newPassphraseFile;

  @Option(
      names = "--new-key",
      description = "Generate a key and write it to --to-key-file, which must not exist.")
  boolean generate;

  @Override
  public Integer call() throws IOException {
    KeyOptions.Choice target =
        new KeyOptions.Choice("--to-", newKeyFile, newPassphraseFile, newVariable);
    Key locking = target.newKey(generate, storeUri, roram.environment());
    store().relock(locking);
    roram.note(storeUri + " is now locked with " + locking.source() + ".");
    return ExitCodes.OK;
  }
}
