package io.github.roram.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command explains itself. */
final class HelpTest {

  static Stream<String> commands() {
    return RoramCommand.commandLine(Environment.ofProcess()).getSubcommands().keySet().stream()
        .filter(name -> !name.equals("help") && !name.equals("generate-completion"));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandTeaches(String command) {
    CommandRun help = CommandRun.of(command, "--help");
    assertThat(help.exitCode()).isZero();
    assertThat(help.messages()).isEmpty();
    assertThat(help.text())
        .contains("Usage: roram " + command, "Examples:", "  roram " + command, "Exit codes:")
        .contains("--quiet", "--debug");
    CommandLine commandLine =
        requireNonNull(
            RoramCommand.commandLine(Environment.ofProcess()).getSubcommands().get(command));
    // Longer lines of examples would be wrapped.
    assertThat(commandLine.getCommandSpec().usageMessage().footer())
        .allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
    // A per cent sign that is no format fails here; help would complain to its user.
    for (String line : commandLine.getCommandSpec().usageMessage().description()) {
      assertThat(String.format(line)).doesNotContain("%%");
    }
    assertThat(CommandRun.of("help", command).text()).isEqualTo(help.text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"init-certs", "add-token"})
  void everyCommandOfTheServerTeaches(String command) {
    CommandRun help = CommandRun.of("server", command, "--help");
    assertThat(help.exitCode()).isZero();
    assertThat(help.text())
        .contains("Usage: roram server " + command, "Examples:", "Exit codes:", "--quiet");
  }

  @Test
  void withoutACommandTheCommandsAreListed() {
    CommandRun nothing = CommandRun.of();
    assertThat(nothing.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(nothing.messages()).contains("Usage: roram", "create", "audit", "demo");
    assertThat(nothing.text()).isEmpty();
  }

  @Test
  void mainHelpListsEveryCommand() {
    CommandRun help = CommandRun.of("--help");
    Set<String> commands =
        RoramCommand.commandLine(Environment.ofProcess()).getSubcommands().keySet();
    assertThat(help.text()).contains(commands).contains("Exit codes:", "Examples:");
  }

  @Test
  void versionIsTheBuilds() {
    assertThat(CommandRun.of("--version").text()).matches("(?s)roram \\d+\\.\\d+\\.\\d+.*Java.*");
  }

  @Test
  void completionScriptIsGenerated() {
    CommandRun script = CommandRun.of("generate-completion");
    assertThat(script.exitCode()).isZero();
    assertThat(script.text()).contains("complete -F _complete_roram", "--key-file");
  }

  @Test
  void mistypedCommandGetsASuggestion() {
    CommandRun run = CommandRun.of("exprot");
    assertThat(run.messages()).contains("'exprot'", "roram export", "Try 'roram --help'");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
  }
}
