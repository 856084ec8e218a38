package io.github.roram.cli;

import io.github.roram.bench.experiment.Experiments;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.Collectors;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;

/** Has the experiments that are there tell what they are in the help of their command. */
final class ExperimentHelp implements IModelTransformer {

  /** Where the description tells of the experiments. */
  static final String EXPERIMENTS = "EXPERIMENTS";

  @Override
  public CommandSpec transform(CommandSpec command) {
    String experiments =
        Experiments.all().stream()
            .map(experiment -> experiment.id() + ": " + experiment.help() + ".")
            .collect(Collectors.joining(" "));
    String[] description =
        Arrays.stream(command.usageMessage().description())
            .map(line -> line.equals(EXPERIMENTS) ? experiments + " all: all of them." : line)
            .toArray(String[]::new);
    command.usageMessage().description(description);
    return command;
  }

  /** Names of experiments. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Experiments.names().iterator();
    }
  }

  /** What can be chosen in some experiment. */
  static final class Schemes implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Experiments.all().stream()
          .flatMap(experiment -> experiment.choices().stream())
          .distinct()
          .sorted()
          .iterator();
    }
  }
}
