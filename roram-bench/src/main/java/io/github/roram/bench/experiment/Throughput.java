package io.github.roram.bench.experiment;

import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.Claim.Comparison;
import io.github.roram.bench.experiment.Claim.Quote;
import io.github.roram.bench.experiment.Claim.Ratios;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Series;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Queries a second of three captured workloads (§VII-D, figure 7). */
public final class Throughput extends NamedExperiment {

  private static final String ID = "fig7";

  /** Public for {@link java.util.ServiceLoader}. */
  public Throughput() {
    super(ID, "three captured workloads");
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    TraceJobs jobs = new TraceJobs(ID, options);
    List<Job> all = new ArrayList<>();
    if (options.isModelled()) {
      Contenders.ALL.forEach(contender -> all.add(jobs.modelled(contender, run)));
    }
    if (options.isMeasured()) {
      Contenders.MEASURED.forEach(contender -> all.add(jobs.measured(contender, run)));
    }
    return all;
  }

  @Override
  public List<Output> outputs() {
    return List.of(
        Output.figure(
            new FigureStyle(
                ID,
                "Query throughput",
                "Figure 7",
                "Benchmark",
                "Throughput (queries/second)",
                FigureStyle.Kind.BARS),
            results ->
                Averages.perDevice(
                    results, (medium, point) -> point.queries() / medium.seconds(point))),
        new Breakdown(ID, "query", Point::queries).output());
  }

  @Override
  public List<Claim> claims(Path directory) throws IOException {
    return TraceClaims.of(Series.read(directory, ID));
  }

  /** What the paper says of figure 7, judged by its rows alone. */
  static final class TraceClaims {

    private static final String TEXT = "text";
    private static final String CAPTION = "figure 7's caption";

    /** A claim of the paper on a device. */
    private record Said(String device, List<Quote> quotes) {

      Said(String device, Quote... quotes) {
        this(device, List.of(quotes));
      }
    }

    /** A trace, and what the paper says of it. */
    private record Workload(String id, String name, List<Said> said) {}

    private static final List<Workload> WORKLOADS =
        List.of(
            new Workload(
                "seq",
                "sequential read",
                List.of(
                    new Said("hdd", almost20x(), new Quote("10x to 15x", CAPTION, 10)),
                    new Said("ssd", almost20x(), new Quote("10x to 15x", CAPTION, 10)),
                    new Said("net", new Quote("almost 6x", CAPTION, 6)),
                    new Said("measured"))),
            new Workload(
                "fileserver",
                "file server",
                List.of(
                    new Said("hdd", new Quote("5x", TEXT, 5)),
                    new Said("ssd", new Quote("similar to the hard disk's 5x", TEXT, 5)),
                    new Said("net", new Quote("similar to the hard disk's 5x", TEXT, 5)),
                    new Said("measured"))),
            new Workload(
                "videoserver",
                "video server",
                List.of(
                    new Said("hdd", new Quote("11x", TEXT, 11)),
                    new Said("ssd", new Quote("8x", TEXT, 8)),
                    new Said("net", new Quote("4x", TEXT, 4)),
                    new Said("measured"))));

    private TraceClaims() {}

    private static Quote almost20x() {
      return new Quote("almost 20x", TEXT, 20);
    }

    /** The claims, without those of which nothing was run. */
    static List<Claim> of(List<Series> rows) {
      Ratios ratios = new Ratios(rows);
      List<Claim> claims = new ArrayList<>();
      for (Workload workload : WORKLOADS) {
        for (Said said : workload.said()) {
          Optional<Claim> claim =
              Claim.of(
                  workload.name() + ": rORAM answers more queries by",
                  said.device(),
                  said.quotes(),
                  Comparison.on(said.device()),
                  comparison ->
                      ratios.more(said.device(), workload.id(), comparison).map(Ratios::figure));
          claim.ifPresent(claims::add);
        }
      }
      return claims;
    }
  }
}
