package io.github.roram.cli;

import org.jspecify.annotations.Nullable;

/** Asks a person for a passphrase, without showing it. */
@FunctionalInterface
interface PassphrasePrompt {

  /** For processes without a terminal: refuses, naming what can be done instead. */
  PassphrasePrompt WITHOUT_TERMINAL =
      question -> {
        throw new UsageException(
            "a passphrase is needed and there is no terminal to ask for it; use --key-file FILE,"
                + " --key-env NAME or --passphrase-file FILE");
      };

  /** The answer, which the caller wipes; null at the end of the input. */
  char @Nullable [] ask(String question);
}
