package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.cli.Environment.PassphrasePrompt;
import io.github.roram.cli.StopSignal.InterruptedTransferException;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreLockedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class FailureHandlerTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private int handle(Exception e, boolean debug) {
    Environment environment =
        new Environment(
            new ByteArrayInputStream(new byte[0]),
            System.out,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            PassphrasePrompt.WITHOUT_TERMINAL,
            false,
            Map.of());
    CommandLine command = RoramCommand.commandLine(environment);
    return new FailureHandler(environment, () -> debug)
        .handleExecutionException(e, command, command.parseArgs("info", "file:x"));
  }

  private String messages() {
    return out.toString(StandardCharsets.UTF_8).strip();
  }

  @Test
  void codesFollowTheKindOfFailure() {
    assertThat(handle(new ConfigurationException("a"), false)).isEqualTo(ExitCodes.USAGE);
    assertThat(handle(new IOException("b"), false)).isEqualTo(ExitCodes.FAILURE);
    assertThat(handle(new UsageException("c"), false)).isEqualTo(ExitCodes.USAGE);
    assertThat(handle(new IntegrityException("d"), false)).isEqualTo(ExitCodes.DATA);
    assertThat(handle(new StoreDamagedException("e"), false)).isEqualTo(ExitCodes.DATA);
    assertThat(handle(new StoreLockedException("f"), false)).isEqualTo(ExitCodes.BUSY);
    Exception wrapped = new UncheckedIOException(new StoreLockedException("g"));
    assertThat(handle(wrapped, false)).isEqualTo(ExitCodes.BUSY);
    assertThat(messages().lines())
        .containsExactly(
            "roram: a", "roram: b", "roram: c", "roram: d", "roram: e", "roram: f", "roram: g");
  }

  @Test
  void bareFileNamesGetAReason() {
    handle(new NoSuchFileException("x.bin"), false);
    handle(new AccessDeniedException("y.bin"), false);
    assertThat(messages().lines())
        .containsExactly("roram: x.bin: there is no such file", "roram: y.bin: permission denied");
  }

  @Test
  void theUnexpectedAsksForAReport() {
    assertThat(handle(new IllegalStateException("odd"), false)).isEqualTo(ExitCodes.FAILURE);
    assertThat(messages()).contains("odd", "please report").hasLineCount(1);
  }

  @Test
  void debugShowsThePlace() {
    handle(new IOException("disk"), true);
    assertThat(messages()).contains("roram: disk", "at io.github.roram.cli.FailureHandlerTest");
  }

  /** A cause may quote what a server sent. */
  @Test
  void debugLetsNothingAtTheTerminal() {
    handle(new IOException("disk", new IOException("gone\u001b[2J\u202e")), true);
    assertThat(messages()).contains("gone\uFFFD[2J\uFFFD").doesNotContain("\u001b", "\u202e");
  }

  /** A path may hold whatever its owner likes. */
  @Test
  void aMessageLetsNothingAtTheTerminal() {
    handle(new IOException("file\u001b[2J\r\n\u202ename is missing"), false);
    assertThat(messages()).isEqualTo("roram: file\uFFFD[2J\uFFFD\uFFFD\uFFFDname is missing");
  }

  @Test
  void interruptionIsNoError() {
    handle(new InterruptedTransferException(), false);
    assertThat(messages()).isEmpty();
  }
}
