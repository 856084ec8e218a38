package io.github.roram.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Scheme;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The command explains itself. */
final class HelpTest {

  /** Described once, and only looked at: to describe all commands takes half a second. */
  private static final Map<String, CommandLine> COMMANDS =
      RoramCommand.commandLine(Environment.ofProcess()).getSubcommands();

  static Stream<String> commands() {
    return COMMANDS.entrySet().stream()
        .filter(entry -> !entry.getValue().getCommandSpec().usageMessage().hidden())
        .map(Map.Entry::getKey)
        .filter(name -> !name.equals("generate-completion"));
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
    CommandLine commandLine = requireNonNull(COMMANDS.get(command));
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

  @ParameterizedTest
  @MethodSource("commands")
  void shortHelpFitsAScreen(String command) {
    CommandRun help = CommandRun.of(command, "-h");
    assertThat(help.exitCode()).isZero();
    assertThat(help.text().lines())
        .hasSizeLessThanOrEqualTo(24)
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80))
        .contains("All options: roram " + command + " --help");
    // What must be given is among what is shown.
    requireNonNull(COMMANDS.get(command)).getCommandSpec().requiredArgs().stream()
        .filter(OptionSpec.class::isInstance)
        .forEach(
            option -> assertThat(help.text()).contains("  " + ((OptionSpec) option).longestName()));
  }

  @Test
  void everyOptionStandsInOneSectionOfTheFullHelp() {
    String text = CommandRun.of("create", "--help").text();
    List<String> titles =
        List.of("\nEssential:", "\nKey ", "\nWhere the store is ", "\nTuning:", "\nWith every");
    assertThat(titles.stream().map(text::indexOf)).isSorted().doesNotContain(-1);
    String tuning = text.substring(text.indexOf(titles.get(3)), text.indexOf(titles.get(4)));
    assertThat(tuning).contains("--treetop").doesNotContain("--blocks", "--key-env");
    for (OptionSpec option : requireNonNull(COMMANDS.get("create")).getCommandSpec().options()) {
      if (!option.hidden()) {
        assertThat(text.substring(0, text.indexOf("Exit codes:")).lines())
            .filteredOn(line -> line.matches(" {2,8}(-., +)?" + option.longestName() + "([= ].*)?"))
            .hasSize(1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"store", "keys", "schemes", "sizes"})
  void topicsFitAScreenOrTwo(String topic) {
    CommandRun help = CommandRun.of("help", topic);
    assertThat(help.exitCode()).isZero();
    assertThat(help.text().lines())
        .hasSizeBetween(10, 30)
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void topicsNameEveryKindOfStoresAndEveryScheme() {
    assertThat(CommandRun.of("help", "store").text())
        .contains("file:DIR", "tls://HOST:PORT/VOLUME", "plain:FILE");
    String schemes = CommandRun.of("help", "schemes").text();
    Scheme.all().forEach(scheme -> assertThat(schemes).contains("  " + scheme.id() + " "));
  }

  @Test
  void anUnknownTopicIsToldWhichThereAre() {
    CommandRun help = CommandRun.of("help", "stroe");
    assertThat(help.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(help.messages())
        .contains("'stroe'", "store, keys, schemes, sizes", "create")
        .doesNotContain("load-classes");
    assertThat(CommandRun.of("help", "server", "init-certs").text())
        .contains("Usage: roram server init-certs");
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
    assertThat(help.text())
        .contains(commands().toList())
        .contains("generate-completion", "Exit codes:", "Examples:")
        .doesNotContain("load-classes");
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
