package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.Averages.Breakdown;
import io.github.roram.bench.experiment.Claim.Comparison;
import io.github.roram.bench.experiment.Claim.Figure;
import io.github.roram.bench.experiment.Claim.Quote;
import io.github.roram.bench.experiment.Claim.Ratios;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.experiment.ExperimentOptions.Scale;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Series;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Time of a block against range size (§VII-C, figure 6). */
public final class RangeSizes extends NamedExperiment {

  private static final String ID = "fig6";
  private static final int MEASURED_MAX_RANGE = 256;

  /** rORAM against Path ORAM, as section VII-C says: crossing at 2^5; 2^10 and more; above 2^12. */
  private static final Series[] PAPERS = {
    ofPaper("hdd", "5", 1),
    ofPaper("hdd", "10", 30),
    ofPaper("hdd", "13", 50),
    ofPaper("ssd", "5", 1),
    ofPaper("ssd", "10", 30),
    ofPaper("net", "5", 1),
    ofPaper("net", "10", 10)
  };

  private static Series ofPaper(String device, String x, double ratio) {
    return Series.exact(device, "paper: rORAM", x, ratio);
  }

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public RangeSizes() {
    super(ID, "time of a block against range size");
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    RangeJobs jobs = new RangeJobs(ID, options);
    Scale scale = options.scale();
    List<Job> all = new ArrayList<>();
    if (options.isModelled()) {
      for (Contender contender : Contenders.ALL) {
        OramConfig config = contender.config(scale.blocks(), scale.maxRange());
        all.add(jobs.modelled(contender, config, run, places(scale, scale.maxRange())));
      }
    }
    if (options.isMeasured()) {
      int maxRange = measuredMaxRange(scale);
      for (Contender contender : Contenders.MEASURED) {
        OramConfig config = contender.config(scale.measuredBlocks(), maxRange);
        all.add(jobs.measured(contender, config, run, places(scale, maxRange)));
      }
    }
    return all;
  }

  private static int measuredMaxRange(Scale scale) {
    return Math.min(MEASURED_MAX_RANGE, scale.maxRange());
  }

  private static List<RangeJobs.Place> places(Scale scale, int maxRange) {
    return exponents(scale, maxRange).stream().map(RangeJobs.Place::ofExponent).toList();
  }

  private static List<Integer> exponents(Scale scale, int maxRange) {
    List<Integer> exponents =
        scale.pick(
            List.of(0, 3, 5),
            List.of(0, 2, 4, 5, 6, 8, 10, 12, 14),
            Scale.upTo(14),
            Scale.upTo(14));
    return exponents.stream().filter(exponent -> 1 << exponent <= maxRange).toList();
  }

  @Override
  public Set<Integer> ranges(Scale scale, Set<ExperimentDevice> media) {
    boolean modelled = media.stream().anyMatch(ExperimentDevice::isModelled);
    return Set.copyOf(exponents(scale, modelled ? scale.maxRange() : measuredMaxRange(scale)));
  }

  @Override
  public boolean isSelected(Point.Key point, ExperimentOptions.Selection selection) {
    return super.isSelected(point, selection)
        && (selection.ranges().isEmpty()
            || selection.ranges().contains(Integer.valueOf(point.x())));
  }

  /** Means of all contenders on the devices that were chosen. */
  static List<Series> secondsPerBlock(Results results) {
    return Averages.perDevice(results, (medium, point) -> medium.seconds(point) / point.blocks());
  }

  @Override
  public List<Output> outputs() {
    FigureStyle times =
        new FigureStyle(
            ID,
            "Time of a block against range size",
            "Figure 6",
            "Range size (2^x blocks)",
            "Query access time per block (seconds)",
            FigureStyle.Kind.LOGARITHMIC_CURVES);
    return List.of(
        Output.figure(
            times,
            RangeSizes::secondsPerBlock,
            times.with(Series.exact("hdd", "paper: Path ORAM", "6", 10)),
            times.ratios(Contenders.PATH_STRONG.id(), true, PAPERS)),
        new Breakdown(ID, "block", Point::blocks).output());
  }

  @Override
  public List<Claim> claims(Path directory) throws IOException {
    return RangeClaims.of(Series.read(directory, ID));
  }

  /** What the paper says of figure 6, judged by its rows alone. */
  static final class RangeClaims {

    private static final List<String> DEVICES = List.of("hdd", "ssd", "net");
    private static final String MEASURED = "measured";
    private static final int LONG_RANGE = 10;
    private static final int PAPERS_CROSSING = 5;
    private static final String TEXT = "text";
    private static final String CAPTION = "figure 6's caption";

    private final List<Series> rows;
    private final Ratios ratios;

    private RangeClaims(List<Series> rows) {
      this.rows = rows;
      this.ratios = new Ratios(rows);
    }

    /** Returns the claims, except those whose runs were left out. */
    static List<Claim> of(List<Series> rows) {
      RangeClaims claims = new RangeClaims(rows);
      List<Optional<Claim>> all = new ArrayList<>();
      all.add(
          claims.longRanges(
              "hdd",
              new Quote("almost 30x, 50x above 2^12", TEXT, 30),
              new Quote("30x to 50x", CAPTION, 30)));
      all.add(
          claims.longRanges(
              "ssd",
              new Quote("around 30x", TEXT, 30),
              new Quote("almost 20x to 30x", CAPTION, 20)));
      all.add(claims.longRanges("net", new Quote("around 10x", TEXT, 10)));
      DEVICES.forEach(device -> all.add(claims.crossing(device)));
      DEVICES.forEach(device -> all.add(claims.batching(device)));
      claims.exponents(MEASURED).forEach(exponent -> all.add(claims.measured(exponent)));
      return all.stream().flatMap(Optional::stream).toList();
    }

    private Optional<Claim> longRanges(String device, Quote... quotes) {
      return Claim.of(
          "ranges of 2^10 blocks and more: rORAM is faster by",
          device,
          List.of(quotes),
          Comparison.on(device),
          comparison ->
              Ratios.spread(
                  exponents(device).stream()
                      .filter(exponent -> exponent >= LONG_RANGE)
                      .flatMap(
                          exponent ->
                              ratios.less(device, Integer.toString(exponent), comparison).stream())
                      .toList()));
    }

    private Optional<Claim> crossing(String device) {
      return Claim.of(
          "rORAM is faster from ranges of … blocks on",
          device,
          List.of(new Quote("2^" + PAPERS_CROSSING, TEXT, PAPERS_CROSSING)),
          Comparison.on(device),
          comparison -> crossing(device, comparison));
    }

    private Optional<Figure> crossing(String device, Comparison comparison) {
      List<Integer> exponents = exponents(device);
      int from = Integer.MAX_VALUE;
      for (int i = exponents.size() - 1; i >= 0; i--) {
        int exponent = exponents.get(i);
        var ratio = ratios.less(device, Integer.toString(exponent), comparison);
        if (ratio.isEmpty()) {
          return Optional.empty();
        }
        if (ratio.get().mean() <= 1) {
          break;
        }
        from = exponent;
      }
      if (exponents.isEmpty()) {
        return Optional.empty();
      }
      String verdict = from <= PAPERS_CROSSING ? "reached" : "not reached";
      String figure = from == Integer.MAX_VALUE ? "never" : "2^" + from;
      return Optional.of(new Figure(figure, quote -> verdict));
    }

    private Optional<Claim> batching(String device) {
      return Claim.of(
          "Path ORAM with batches of 32 evictions is faster by",
          device,
          List.of(new Quote("2x", TEXT, 2)),
          Comparison.ofBatches(),
          comparison -> ratios.less(device, "0", comparison).map(Ratios::figure));
    }

    /** Returns the paper knows nothing of this machine's disk: no claims, but the same figures. */
    private Optional<Claim> measured(int exponent) {
      return Claim.of(
          "ranges of 2^" + exponent + " blocks: rORAM is faster by",
          MEASURED,
          List.of(),
          Comparison.on(MEASURED),
          comparison ->
              ratios.less(MEASURED, Integer.toString(exponent), comparison).map(Ratios::figure));
    }

    private List<Integer> exponents(String device) {
      return rows.stream()
          .filter(row -> row.panel().equals(device) && row.series().equals(Contenders.RORAM.id()))
          .map(row -> Integer.valueOf(row.x()))
          .sorted()
          .toList();
    }
  }
}
