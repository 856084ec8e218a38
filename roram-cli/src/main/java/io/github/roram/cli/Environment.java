package io.github.roram.cli;

import io.github.roram.store.PrintableText;
import java.io.Console;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The surroundings of a command: the process in {@link RoramCommand#main}, substitutes in tests.
 *
 * @param in standard input, for {@code --in -}
 * @param out standard output: data and answers
 * @param err standard error: messages and progress
 * @param prompt asks for a passphrase
 * @param interactive whether messages may redraw a line
 * @param variables the environment variables
 */
record Environment(
    InputStream in,
    PrintStream out,
    PrintStream err,
    PassphrasePrompt prompt,
    boolean interactive,
    Map<String, String> variables) {

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

    /** Returns the answer, which the caller wipes; null at the end of the input. */
    char @Nullable [] ask(String question);
  }

  /** Returns the surroundings of this process. */
  @SuppressWarnings("SystemConsoleNull") // null without a terminal on every JDK: see the first line
  static Environment ofProcess() {
    // Otherwise JDK 22 to 24 return a console although there is no terminal.
    System.setProperty("jdk.console", "java.base");
    Console console = System.console();
    PassphrasePrompt prompt =
        console == null
            ? PassphrasePrompt.WITHOUT_TERMINAL
            : question -> console.readPassword("%s: ", question);
    return new Environment(
        System.in, System.out, System.err, prompt, console != null, System.getenv());
  }

  /** Returns these surroundings with other environment variables. */
  Environment withVariables(Map<String, String> others) {
    return new Environment(in, out, err, prompt, interactive, others);
  }

  /**
   * Writes a line to standard error. Control characters, which a quoted path or server may contain,
   * are escaped.
   */
  void tell(String line) {
    err.println(PrintableText.whole(line));
  }

  /** Writes a line to standard output, escaped in the same way. */
  void answer(String line) {
    out.println(PrintableText.whole(line));
    out.flush();
  }

  /** Writes several lines to standard output, escaped in the same way. */
  void answerLines(String lines) {
    lines.lines().forEach(this::answer);
  }
}
