package io.github.roram.cli;

import io.github.roram.bench.experiment.Experiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.experiment.ExperimentOptions.Scale;
import io.github.roram.bench.experiment.ExperimentReport;
import io.github.roram.bench.experiment.ExperimentRunner;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Table;
import io.github.roram.cli.HelpSection.In;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
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
import picocli.CommandLine.Spec;

/** {@code roram experiment}: the paper's evaluation, run again. */
@Command(
    name = "experiment",
    modelTransformer = ExperimentCommand.ExperimentHelp.class,
    header = "Run the rORAM paper's experiments again, with charts.",
    description = {
      "",
      ExperimentCommand.ExperimentHelp.EXPERIMENTS,
      "",
      "Writes CSV, JSON, SVG and report.html, where the paper's claims stand next to what came"
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

  /** Options that have no effect with {@code --redraw}. */
  private static final Set<String> OF_RUNS =
      Set.of(
          "--scale",
          "--device",
          "--runs",
          "--traces",
          "--accesses",
          "--scheme",
          "--ranges",
          "--queries",
          "--peer");

  @ParentCommand RoramCommand roram;

  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "NAME",
      completionCandidates = ExperimentHelp.Names.class,
      description = "An experiment, or all. One of ${COMPLETION-CANDIDATES}.")
  String name;

  @Option(
      names = "--scale",
      paramLabel = "NAME",
      defaultValue = "small",
      description =
          "small (2^18 blocks, 10 minutes), medium (2^20, an hour), paper (2^22), or tiny, to"
              + " try it out (default: ${DEFAULT-VALUE}).")
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
      description = "Directory of the results (default: ${DEFAULT-VALUE}).")
  Path directory;

  @Option(
      names = "--runs",
      paramLabel = "M",
      defaultValue = "5",
      description = "Number of runs, each with fresh randomness (default: ${DEFAULT-VALUE}).")
  int runs;

  @In(HelpSection.MORE)
  @Option(
      names = "--traces",
      paramLabel = "DIR",
      description =
          "A directory with seq-16g.csv.gz, fileserver-16g.csv.gz and videoserver-16g.csv.gz, for"
              + " fig7, levers and arrivals on 2^22 blocks (default: the bundled traces, 2^18).")
  @Nullable Path traces;

  @In(HelpSection.MORE)
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
          "Run only these now (default: all). Each experiment has some of:"
              + " ${COMPLETION-CANDIDATES}.")
  Set<String> schemes = Set.of();

  @In(HelpSection.MORE)
  @Option(
      names = "--ranges",
      split = ",",
      paramLabel = "I",
      description = "Run only these range sizes 2^I of fig6 now (default: all).")
  Set<Integer> ranges = Set.of();

  @In(HelpSection.MORE)
  @Option(
      names = "--queries",
      paramLabel = "M",
      description =
          "Requests counted of each trace in fig7, levers, arrivals and peers (default: by"
              + " scale).")
  @Nullable Long queries;

  @In(HelpSection.MORE)
  @Option(
      names = "--peer",
      paramLabel = "NAME=PATH",
      description =
          "Where another implementation is that experiment peers compares with; can be"
              + " repeated: its interpreter or tool (pyoram=PYTHON, oram=CARGO), the directory where"
              + " its files are mounted (utahfs=DIR, NAME=DIR), or a file or device, which is"
              + " overwritten (oramfs=FILE).")
  Map<String, Path> peers = Map.of();

  @Option(
      names = "--redraw",
      description = "Draw the charts again from the CSV files; run nothing.")
  boolean redraw;

  @Override
  public Integer call() throws IOException {
    if (redraw) {
      IdleOptions.refuse(spec, OF_RUNS, "is for runs, and --redraw makes none: leave one out");
    }
    Path report = redraw ? ExperimentReport.draw(directory) : run();
    print();
    roram.note("The report is in " + report.toAbsolutePath());
    return ExitCodes.OK;
  }

  /** Prints the tables of the named experiment; those of all experiments are in the report. */
  private void print() throws IOException {
    List<Experiment> named = Experiment.named(name);
    for (TableStyle style : named.size() > 1 ? List.<TableStyle>of() : tables(named.get(0))) {
      Table table = Table.read(directory, style.id(), List.of());
      if (!table.rows().isEmpty()) {
        List<List<String>> lines = new ArrayList<>(List.of(table.columns()));
        lines.addAll(table.rows());
        StringBuilder text = new StringBuilder(style.title()).append("\n\n");
        ReplayTable.append(text, lines);
        roram.environment().out().println(text);
      }
    }
  }

  private static List<TableStyle> tables(Experiment experiment) {
    return experiment.chapter().tables().stream().filter(style -> !style.folded()).toList();
  }

  private Path run() throws IOException {
    Set<ExperimentDevice> media = EnumSet.noneOf(ExperimentDevice.class);
    devices.forEach(device -> media.add(ExperimentDevice.of(device)));
    ExperimentOptions.Selection selection =
        new ExperimentOptions.Selection(schemes, ranges, queries, peers);
    ExperimentOptions options =
        new ExperimentOptions(
            Experiment.named(name),
            Scale.of(scale),
            media,
            directory,
            runs,
            traces,
            accesses,
            selection);
    try (TaskProgress progress = new TaskProgress(roram)) {
      return new ExperimentRunner(options, progress).run();
    }
  }

  /** Has the experiments that are there tell what they are in the help of their command. */
  static final class ExperimentHelp implements IModelTransformer {

    /** Where the description tells of the experiments. */
    static final String EXPERIMENTS = "EXPERIMENTS";

    @Override
    public CommandSpec transform(CommandSpec command) {
      String experiments =
          Experiment.all().stream()
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
        return Experiment.names().iterator();
      }
    }

    /** What can be chosen in some experiment. */
    static final class Schemes implements Iterable<String> {
      @Override
      public Iterator<String> iterator() {
        return Experiment.all().stream()
            .flatMap(experiment -> experiment.choices().stream())
            .distinct()
            .sorted()
            .iterator();
      }
    }
  }
}
