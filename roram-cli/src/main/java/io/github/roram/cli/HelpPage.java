package io.github.roram.cli;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Layout;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The help texts of a command: {@code -h} fits on a screen, {@code --help} has all options in
 * {@linkplain HelpSection sections}.
 */
final class HelpPage {

  private static final String SHORT = "-h";
  private static final String FULL = "--help";

  /** What stands in place of picocli's; no lambdas, for the reason that RoramCommand gives. */
  private enum Section implements IHelpSectionRenderer {
    NONE,
    SYNOPSIS,
    OPTIONS;

    @Override
    public String render(Help help) {
      return switch (this) {
        case NONE -> "";
        case SYNOPSIS -> synopsis(help);
        case OPTIONS -> sections(help);
      };
    }
  }

  private HelpPage() {}

  /** Adds the options that ask for help to a command and to those below it. */
  static void addTo(CommandLine commandLine) {
    CommandSpec spec = commandLine.getCommandSpec();
    if (spec.findOption(SHORT) != null) {
      return; // picocli's own command
    }
    spec.addOption(asking("Show the essential options on one screen.", SHORT));
    spec.addOption(asking("Show all options.", FULL));
    UsageMessageSpec usage = spec.usageMessage();
    usage.sectionMap().put(UsageMessageSpec.SECTION_KEY_SYNOPSIS, Section.SYNOPSIS);
    usage.sectionMap().put(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, Section.NONE);
    usage.sectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, Section.OPTIONS);
    commandLine.getSubcommands().values().forEach(HelpPage::addTo);
  }

  private static OptionSpec asking(String description, String name) {
    return OptionSpec.builder(name)
        .type(boolean.class)
        .arity("0")
        .usageHelp(true)
        .description(description)
        .build();
  }

  /** Returns the text that a command line asks for. */
  static String of(CommandLine commandLine) {
    return commandLine.getParseResult().hasMatchedOption(SHORT)
        ? shortText(commandLine)
        : commandLine.getUsageMessage();
  }

  private static String shortText(CommandLine commandLine) {
    CommandSpec spec = commandLine.getCommandSpec();
    Help help = commandLine.getHelp();
    StringBuilder text = new StringBuilder(help.header());
    text.append("Usage: ").append(synopsis(help)).append(String.format("%n"));
    List<OptionSpec> essential =
        shown(spec, HelpSection.ESSENTIAL).map(HelpPage::shortened).toList();
    List<PositionalParamSpec> parameters =
        spec.positionalParameters().stream()
            .map(
                parameter ->
                    PositionalParamSpec.builder(parameter)
                        .description(firstSentence(parameter))
                        .build())
            .toList();
    text.append(list(help, essential, parameters));
    if (!spec.subcommands().isEmpty()) {
      text.append(help.commandListHeading()).append(help.commandList());
    }
    text.append(example(spec));
    return text.append(String.format("%nAll options: %s %s%n", spec.qualifiedName(), FULL))
        .append(
            String.format("Topics: roram help %s%n", String.join(" | ", HelpCommand.Topic.names())))
        .toString();
  }

  private static OptionSpec shortened(OptionSpec option) {
    return OptionSpec.builder(option).description(firstSentence(option)).build();
  }

  private static String firstSentence(ArgSpec argument) {
    String text = String.join(" ", argument.description());
    int end = text.indexOf(". ");
    return end < 0 ? text : text.substring(0, end + 1);
  }

  /** Returns the first command line of the examples; empty if the command has subcommands. */
  private static String example(CommandSpec spec) {
    if (!spec.subcommands().isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    for (String line : spec.usageMessage().footer()) {
      String stripped = line.strip();
      if (text.length() > 0 || stripped.startsWith("roram ")) {
        text.append(text.length() == 0 ? "  " : "    ")
            .append(stripped)
            .append(String.format("%n"));
        if (!stripped.endsWith("\\")) {
          return String.format("%nExample:%n") + text;
        }
      }
    }
    return "";
  }

  /** Returns an option as a user types it. */
  private static String given(OptionSpec option) {
    return option.longestName() + (option.arity().max() == 0 ? "" : "=" + option.paramLabel());
  }

  /** Returns the name and the required arguments only: the options are listed elsewhere. */
  private static String synopsis(Help help) {
    CommandSpec spec = help.commandSpec();
    Stream<String> required =
        Stream.concat(
            spec.options().stream()
                .filter(option -> option.required() && option.group() == null)
                .map(HelpPage::given),
            spec.argGroups().stream()
                .filter(group -> group.multiplicity().min() > 0)
                .map(
                    group ->
                        group.options().stream()
                            .map(HelpPage::given)
                            .collect(Collectors.joining(" | ", "(", ")"))));
    Stream<String> positional =
        spec.positionalParameters().stream()
            .map(
                parameter ->
                    (parameter.arity().min() == 0
                            ? "[" + parameter.paramLabel() + "]"
                            : parameter.paramLabel())
                        + (parameter.arity().max() > 1 ? "..." : ""));
    String command = spec.subcommands().isEmpty() ? "" : " [COMMAND]";
    return Stream.of(Stream.of(spec.qualifiedName() + command, "[OPTIONS]"), required, positional)
            .flatMap(words -> words)
            .collect(Collectors.joining(" "))
        + String.format("%n");
  }

  private static String sections(Help help) {
    CommandSpec spec = help.commandSpec();
    StringBuilder text = new StringBuilder();
    text.append(list(help, List.of(), spec.positionalParameters()));
    for (HelpSection section : HelpSection.values()) {
      List<OptionSpec> options = shown(spec, section).toList();
      if (!options.isEmpty()) {
        text.append(String.format("%n%s:%n", section.title()))
            .append(list(help, options, List.of()));
      }
      if (section == HelpSection.WHERE) {
        text.append(help.optionListGroupSections());
      }
    }
    return text.toString();
  }

  /** Options outside of groups, required ones first. */
  private static Stream<OptionSpec> shown(CommandSpec spec, HelpSection section) {
    return spec.options().stream()
        .filter(option -> !option.hidden() && option.group() == null)
        .filter(option -> HelpSection.of(option) == section)
        .sorted(Comparator.comparing(OptionSpec::required).reversed());
  }

  /** Returns a list; all lists of a text have the same widths. */
  private static String list(
      Help help, List<OptionSpec> options, List<PositionalParamSpec> parameters) {
    CommandSpec spec = help.commandSpec();
    Layout layout =
        help.createDefaultLayout(spec.options(), spec.positionalParameters(), help.colorScheme());
    layout.addPositionalParameters(parameters, help.parameterLabelRenderer());
    layout.addOptions(options, help.parameterLabelRenderer());
    return layout.toString();
  }
}
