package io.github.roram.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code roram generate-man}: the help texts as pages for {@code man}. */
@Command(
    name = "generate-man",
    header = "Write a page for man of each command.",
    description = {"", "Pages of section 1, in troff, with the texts that --help shows.", ""},
    footerHeading = "%nExamples:%n",
    footer = "  roram generate-man /usr/local/share/man/man1")
final class ManCommand implements Callable<Integer> {

  private static final Collector<CharSequence, ?, String> LINES =
      Collectors.joining("\n", "", "\n");

  /** Runs of empty lines are one. */
  private static final String EMPTY_LINES = "(?m)^(\\.br|\\.PP)(\n\\1)+$";

  @ParentCommand RoramCommand roram;

  @Parameters(paramLabel = "DIRECTORY", description = "Where the pages go; made if need be.")
  Path directory;

  @Override
  public Integer call() throws IOException {
    Files.createDirectories(directory);
    write(RoramCommand.commandLine(roram.environment()));
    return ExitCodes.OK;
  }

  private void write(CommandLine command) throws IOException {
    String name = name(command.getCommandSpec());
    Files.writeString(directory.resolve(name + ".1"), page(command));
    for (CommandLine below : command.getSubcommands().values()) {
      if (!below.getCommandSpec().usageMessage().hidden()) {
        write(below);
      }
    }
  }

  private static String name(CommandSpec spec) {
    return spec.qualifiedName("-");
  }

  private static String page(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    UsageMessageSpec usage = spec.usageMessage();
    CommandLine.Help help = command.getHelp();
    List<String> page = new ArrayList<>();
    page.add(".TH \"" + name(spec).toUpperCase(Locale.ROOT) + "\" 1 \"\" roram");
    page.add(".SH NAME");
    page.add(text(name(spec)) + " \\- " + text(String.join(" ", usage.header())));
    page.add(".SH SYNOPSIS");
    page.add(verbatim(help.synopsis(0)));
    page.add(".SH DESCRIPTION");
    for (String paragraph : usage.description()) {
      page.add(paragraph.isBlank() ? ".PP" : text(String.format(paragraph)));
    }
    page.add(".SH OPTIONS");
    for (PositionalParamSpec each : spec.positionalParameters()) {
      add(page, each.paramLabel(), each);
    }
    for (OptionSpec each : spec.options()) {
      if (!each.hidden()) {
        String value = each.arity().max() == 0 ? "" : " " + each.paramLabel();
        add(page, String.join(", ", each.names()) + value, each);
      }
    }
    if (!command.getSubcommands().isEmpty()) {
      page.add(".SH COMMANDS");
      page.add(verbatim(help.commandList()));
    }
    page.add(".SH EXIT STATUS");
    page.add(verbatim(help.exitCodeList()));
    page.add(".SH EXAMPLES");
    page.add(verbatim(String.join("\n", usage.footer())));
    return page.stream().collect(LINES).replaceAll(EMPTY_LINES, "$1");
  }

  private static void add(List<String> page, String head, ArgSpec argument) {
    page.add(".TP");
    page.add("\\fB" + text(head) + "\\fR");
    page.add(text(String.join(" ", description(argument))));
  }

  private static List<String> description(ArgSpec argument) {
    List<String> lines = new ArrayList<>();
    String initial = String.valueOf(argument.defaultValue());
    for (String line : argument.description()) {
      lines.add(String.format(line.replace("${DEFAULT-VALUE}", initial)));
    }
    return lines;
  }

  private static String verbatim(String lines) {
    return ".nf\n" + lines.stripTrailing().lines().map(ManCommand::text).collect(LINES) + ".fi";
  }

  /** Escapes a line so that none of it is a formatting instruction. */
  private static String text(String line) {
    String escaped = line.replace("\\", "\\e").replace("-", "\\-");
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }
}
