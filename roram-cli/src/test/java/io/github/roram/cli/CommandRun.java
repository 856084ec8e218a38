package io.github.roram.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A command that ran in this process.
 *
 * @param exitCode its exit code
 * @param output what it wrote to standard output
 * @param messages what it wrote to standard error
 */
record CommandRun(int exitCode, byte[] output, String messages) {

  /** Runs a command without input and without a terminal. */
  static CommandRun of(String... arguments) {
    return with(new byte[0], PassphrasePrompt.WITHOUT_TERMINAL, arguments);
  }

  /** Runs a command with that standard input. */
  static CommandRun withInput(byte[] input, String... arguments) {
    return with(input, PassphrasePrompt.WITHOUT_TERMINAL, arguments);
  }

  /** Runs a command where someone answers the questions. */
  static CommandRun withPrompt(PassphrasePrompt prompt, String... arguments) {
    return with(new byte[0], prompt, arguments);
  }

  private static CommandRun with(byte[] input, PassphrasePrompt prompt, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Environment environment =
        new Environment(
            new ByteArrayInputStream(input),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            prompt,
            false);
    int exitCode = Roram.run(environment, arguments);
    return new CommandRun(exitCode, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
  }

  String text() {
    return new String(output, StandardCharsets.UTF_8);
  }
}
