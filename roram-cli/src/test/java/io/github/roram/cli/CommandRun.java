package io.github.roram.cli;

import io.github.roram.cli.Environment.PassphrasePrompt;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A command that ran in this process: its exit code and what it wrote. */
final class CommandRun {

  private final int exitCode;
  private final byte[] output;
  private final String messages;

  private CommandRun(int exitCode, byte[] output, String messages) {
    this.exitCode = exitCode;
    this.output = output;
    this.messages = messages;
  }

  /** Runs a command without input and without a terminal. */
  static CommandRun of(String... arguments) {
    return with(new byte[0], PassphrasePrompt.WITHOUT_TERMINAL, Map.of(), arguments);
  }

  /** Runs a command with those environment variables. */
  static CommandRun withVariables(Map<String, String> variables, String... arguments) {
    return with(new byte[0], PassphrasePrompt.WITHOUT_TERMINAL, variables, arguments);
  }

  /** Runs a command with that standard input. */
  static CommandRun withInput(byte[] input, String... arguments) {
    return with(input, PassphrasePrompt.WITHOUT_TERMINAL, Map.of(), arguments);
  }

  /** Runs a command where someone answers the questions. */
  static CommandRun withPrompt(PassphrasePrompt prompt, String... arguments) {
    return with(new byte[0], prompt, Map.of(), arguments);
  }

  private static CommandRun with(
      byte[] input, PassphrasePrompt prompt, Map<String, String> variables, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Environment environment =
        new Environment(
            new ByteArrayInputStream(input),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            prompt,
            false,
            variables);
    int exitCode = RoramCommand.run(environment, arguments);
    return new CommandRun(exitCode, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
  }

  int exitCode() {
    return exitCode;
  }

  /** Standard output. */
  byte[] output() {
    return output.clone();
  }

  /** Standard error. */
  String messages() {
    return messages;
  }

  /** Standard output as text. */
  String text() {
    return new String(output, StandardCharsets.UTF_8);
  }
}
