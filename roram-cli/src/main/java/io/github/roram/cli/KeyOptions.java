package io.github.roram.cli;

import io.github.roram.cli.Environment.PassphrasePrompt;
import io.github.roram.cli.HelpSection.In;
import io.github.roram.client.Key;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
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

  /** Returns the chosen source. */
  Choice choice() {
    return new Choice("--", keyFile, passphraseFile, variable);
  }

  /** Returns the key that unlocks a store. */
  Key key(String storeUri, Environment environment) {
    return choice().key(storeUri, environment);
  }

  /**
   * Where the command line says that a secret comes from. It unlocks the store's master key.
   *
   * @param prefix of the options' names, for messages
   * @param keyFile file that holds 32 bytes
   * @param passphraseFile file that holds a passphrase
   * @param variable environment variable that holds 64 hexadecimal digits
   */
  record Choice(
      String prefix,
      @Nullable Path keyFile,
      @Nullable Path passphraseFile,
      @Nullable String variable) {

    /** Returns whether a source was named, so that the user need not be asked. */
    boolean given() {
      return keyFile != null || passphraseFile != null || variable != null;
    }

    /** Refuses a command line that names several sources. */
    void checkOneSource() {
      if (Stream.of(keyFile, passphraseFile, variable).filter(Objects::nonNull).count() > 1) {
        throw new UsageException(
            "give one of %skey-file, %spassphrase-file and %skey-env, not several"
                .formatted(prefix, prefix, prefix));
      }
    }

    /**
     * Returns the key that unlocks a store: a passphrase, which the user is asked for, unless a
     * source was named.
     */
    Key key(String storeUri, Environment environment) {
      return key(environment, () -> answer(environment.prompt().ask("Passphrase of " + storeUri)));
    }

    /**
     * Returns the key that will unlock a store from now on.
     *
     * @param generate whether to create the key file
     */
    Key newKey(boolean generate, String storeUri, Environment environment) {
      if (!generate) {
        return key(environment, () -> askTwice(environment.prompt(), storeUri));
      }
      checkOneSource();
      if (keyFile == null) {
        throw new UsageException(
            "--new-key needs " + prefix + "key-file FILE, where the key is to be written");
      }
      return Key.newFile(keyFile);
    }

    private Key key(Environment environment, Key.PassphraseSource asked) {
      checkOneSource();
      if (keyFile != null) {
        return Key.file(keyFile);
      }
      if (variable != null) {
        return Key.variable(variable, environment.variables());
      }
      return passphraseFile != null ? Key.passphraseFile(passphraseFile) : Key.passphrase(asked);
    }

    /** Asks twice for a new passphrase and refuses answers that differ. */
    private static char[] askTwice(PassphrasePrompt prompt, String store) {
      char[] first = answer(prompt.ask("New passphrase for " + store));
      char[] second = {};
      boolean same = false;
      try {
        second = answer(prompt.ask("The same again"));
        same = Arrays.equals(first, second);
        if (!same) {
          throw new UsageException("the two passphrases differ; nothing was done");
        }
        return first;
      } finally {
        Arrays.fill(second, '\0');
        if (!same) {
          Arrays.fill(first, '\0');
        }
      }
    }

    private static char[] answer(char @Nullable [] typed) {
      if (typed == null || typed.length == 0) {
        throw new UsageException("no passphrase was given; an empty one protects nothing");
      }
      return typed;
    }
  }
}
