package io.github.roram.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code roram help}: all that there is to know of a command, or of a topic. */
@Command(
    name = "help",
    header = "Explain a command or a topic.",
    description = {
      "",
      "Topics: store (where a store is), keys (what unlocks it), schemes (the kinds of ORAM), sizes"
          + " (how sizes and numbers are written).",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  roram help keys", "  roram help create", "  roram help server init-certs"})
final class HelpCommand implements Callable<Integer> {

  @ParentCommand RoramCommand roram;

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME",
      description = "A command, or a topic: store, keys, schemes, sizes.")
  List<String> names = List.of();

  @Override
  public Integer call() {
    Environment environment = roram.environment();
    Optional<HelpTopic> topic =
        Arrays.stream(HelpTopic.values())
            .filter(each -> names.equals(List.of(each.id())))
            .findFirst();
    if (topic.isPresent()) {
      environment.answerLines(topic.get().text());
      return ExitCodes.OK;
    }
    CommandLine found = roram.commandLine();
    for (String name : names) {
      CommandLine below = found.getSubcommands().get(name);
      if (below == null) {
        throw new UsageException(
            "there is no command or topic '"
                + String.join(" ", names)
                + "'; commands: "
                + String.join(", ", found.getSubcommands().keySet())
                + "; topics: "
                + String.join(", ", HelpTopic.names()));
      }
      found = below;
    }
    environment.out().print(found.getUsageMessage());
    environment.out().flush();
    return ExitCodes.OK;
  }
}
