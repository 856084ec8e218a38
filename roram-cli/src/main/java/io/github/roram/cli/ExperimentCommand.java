package io.github.roram.cli;

import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.ExperimentReport;
import io.github.roram.bench.experiment.ExperimentRunner;
import io.github.roram.bench.experiment.Experiments;
import io.github.roram.bench.experiment.Medium;
import io.github.roram.bench.experiment.Scale;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code roram experiment}: the paper's evaluation, run again. */
@Command(
    name = "experiment",
    mixinStandardHelpOptions = true,
    modelTransformer = ExperimentCommand.ExperimentHelp.class,
    header = "Run the rORAM paper's experiments again, with charts.",
    description = {
      "",
      ExperimentCommand.ExperimentHelp.EXPERIMENTS,
      "",
      "Writes CSV, JSON, SVG, PNG and report.html, where the paper's claims stand beside what came"
          + " out. Modelled devices need no disk: the ORAMs hold addresses and no data. An"
          + " interrupted experiment goes on where it was when it is called again.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram experiment all --scale small --out results",
      "  roram experiment fig6 --scale paper --device hdd,net --out results",
      "  roram experiment all --redraw --out results"
    })
final class ExperimentCommand implements Callable<Integer> {

  @ParentCommand Roram roram;

  @Parameters(
      paramLabel = "NAME",
      completionCandidates = ExperimentHelp.Names.class,
      description = "One of ${COMPLETION-CANDIDATES}.")
  String name;

  @Option(
      names = "--scale",
      paramLabel = "NAME",
      defaultValue = "small",
      description =
          "small (2^18 blocks, 10 minutes), medium (2^20, an hour), paper (2^22), or tiny, to try"
              + " it out (default: ${DEFAULT-VALUE}).")
  String scale;

  @Option(
      names = "--device",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "hdd,ssd,net",
      description =
          "hdd, ssd and net are modelled; measured is this machine's disk below --out, with data"
              + " (default: ${DEFAULT-VALUE}).")
  List<String> devices;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "roram-experiment",
      description = "Where the results go (default: ${DEFAULT-VALUE}).")
  Path directory;

  @Option(
      names = "--runs",
      paramLabel = "M",
      defaultValue = "5",
      description = "Runs with fresh randomness (default: ${DEFAULT-VALUE}).")
  int runs;

  @Option(
      names = "--traces",
      paramLabel = "DIR",
      description =
          "A directory with seq-16g.csv.gz, fileserver-16g.csv.gz and videoserver-16g.csv.gz, for"
              + " fig7 on 2^22 blocks (default: the bundled traces, 2^18).")
  @Nullable Path traces;

  @Option(
      names = "--accesses",
      paramLabel = "M",
      description = "Block accesses of each run of stash (default: by scale).")
  @Nullable Long accesses;

  @Option(
      names = "--scheme",
      split = ",",
      paramLabel = "NAME",
      completionCandidates = ExperimentHelp.Schemes.class,
      description =
          "Run only these now (default: all); each experiment has some of: ${COMPLETION-CANDIDATES}.")
  Set<String> schemes = Set.of();

  @Option(
      names = "--ranges",
      split = ",",
      paramLabel = "I",
      description = "Run only these range sizes 2^I of fig6 now (default: all).")
  Set<Integer> ranges = Set.of();

  @Option(
      names = "--queries",
      paramLabel = "M",
      description = "Requests counted of each trace in fig7 (default: by scale).")
  @Nullable Long queries;

  @Option(names = "--redraw", description = "Draw from the CSV in DIR; run nothing.")
  boolean redraw;

  @Override
  public Integer call() throws IOException {
    Path report = redraw ? ExperimentReport.draw(directory) : run();
    roram.note("The report is in " + report.toAbsolutePath());
    return ExitCodes.OK;
  }

  private Path run() throws IOException {
    Set<Medium> media = EnumSet.noneOf(Medium.class);
    devices.forEach(device -> media.add(Medium.of(device)));
    ExperimentOptions.Selection selection =
        new ExperimentOptions.Selection(schemes, ranges, queries);
    ExperimentOptions options =
        new ExperimentOptions(
            Experiments.of(name),
            Scale.of(scale),
            media,
            directory,
            runs,
            traces,
            accesses,
            selection);
    try (StopSignal stop = StopSignal.install()) {
      return new ExperimentRunner(
              options, new TaskProgress(roram.environment(), roram.quiet(), stop))
          .run();
    }
  }

  /** Has the experiments that are there tell what they are in the help of their command. */
  static final class ExperimentHelp implements IModelTransformer {

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
}
