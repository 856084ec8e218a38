package io.github.roram.bench.experiment;

import io.github.roram.bench.demo.Units;
import io.github.roram.bench.experiment.Statistics.Estimate;
import io.github.roram.bench.figure.Series;
import io.github.roram.bench.figure.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What the paper claims, beside what came out here: computed from the figures' rows alone. */
final class Claims {

  /** What is compared in a column. */
  private record Pair(String name, Contender ours, Contender against) {

    String column() {
      return name + ", against " + against.id();
    }
  }

  private static final List<Pair> PAIRS =
      List.of(
          new Pair("ours", Contender.RORAM, Contender.PATH_PAPER),
          new Pair("ours", Contender.RORAM, Contender.PATH_STRONG),
          new Pair("ours", Contender.RORAM, Contender.PATH_TREETOP),
          new Pair("ours with few trees", Contender.RORAM_FEW, Contender.PATH_STRONG),
          new Pair("ours with two trees", Contender.RORAM_TWO, Contender.PATH_PAPER),
          new Pair("ours with two trees", Contender.RORAM_TWO, Contender.PATH_STRONG),
          new Pair("ours with two trees", Contender.RORAM_TWO, Contender.PATH_TREETOP),
          new Pair("ours with one tree", Contender.RORAM_ONE, Contender.PATH_PAPER),
          new Pair("ours with one tree", Contender.RORAM_ONE, Contender.PATH_STRONG),
          new Pair("ours with one tree", Contender.RORAM_ONE, Contender.PATH_TREETOP),
          new Pair("the paper's algorithm", Contender.RORAM_PAPER, Contender.PATH_PAPER));

  /** A trace, and how many times more queries of it rORAM answers in the paper. */
  private record Workload(String id, String name, double hdd, double ssd, double net) {}

  private static final List<Workload> WORKLOADS =
      List.of(
          new Workload("seq", "sequential read", 20, 20, 6),
          new Workload("fileserver", "file server", 5, 5, 5),
          new Workload("videoserver", "video server", 11, 8, 4));
  private static final String NO_CLAIM = "–";
  private static final String NOT_RUN = "not run";
  private static final int LONG_RANGE = 10;
  private static final int PAPERS_CROSSING = 5;

  private final List<Series> fig6;
  private final List<Series> fig7;
  private final List<List<String>> rows = new ArrayList<>();

  private Claims(List<Series> fig6, List<Series> fig7) {
    this.fig6 = fig6;
    this.fig7 = fig7;
  }

  /** The table of claims, without those of which nothing was run. */
  static Table of(List<Series> fig6, List<Series> fig7) {
    Claims claims = new Claims(fig6, fig7);
    claims.longRanges("hdd", 30, "30x to 50x");
    claims.longRanges("ssd", 30, "30x");
    claims.longRanges("net", 10, "10x");
    List.of("hdd", "ssd", "net").forEach(claims::crossing);
    List.of("hdd", "ssd", "net").forEach(claims::batching);
    WORKLOADS.forEach(claims::throughput);
    claims.measured();
    List<String> columns = new ArrayList<>(List.of("claim", "device", "paper"));
    PAIRS.forEach(pair -> columns.add(pair.column()));
    return new Table(columns, claims.rows);
  }

  private void add(String claim, String device, String paper, Function<Pair, String> cell) {
    List<String> cells = PAIRS.stream().map(cell).toList();
    if (cells.stream().allMatch(NOT_RUN::equals)) {
      return;
    }
    List<String> row = new ArrayList<>(List.of(claim, device, paper));
    row.addAll(cells);
    rows.add(row);
  }

  private void longRanges(String device, double paper, String text) {
    add(
        "ranges of 2^10 blocks and more: rORAM is faster by",
        device,
        text,
        pair -> longRangesCell(device, pair, paper));
  }

  private String longRangesCell(String device, Pair pair, double paper) {
    List<Estimate> ratios =
        exponents(device).stream()
            .filter(x -> x >= LONG_RANGE)
            .flatMap(x -> speedup(device, x, pair).stream())
            .toList();
    Optional<Estimate> least = ratios.stream().min(Comparator.comparingDouble(Estimate::mean));
    Optional<Estimate> most = ratios.stream().max(Comparator.comparingDouble(Estimate::mean));
    if (least.isEmpty() || most.isEmpty()) {
      return NOT_RUN;
    }
    return Units.ratio(least.get().mean())
        + " to "
        + Units.ratio(most.get().mean())
        + ": "
        + verdict(least.get(), paper);
  }

  private void crossing(String device) {
    add(
        "rORAM is faster from ranges of … blocks on",
        device,
        "2^" + PAPERS_CROSSING,
        pair -> crossingCell(device, pair));
  }

  private String crossingCell(String device, Pair pair) {
    List<Integer> exponents = exponents(device);
    int from = -1;
    for (int i = exponents.size() - 1; i >= 0; i--) {
      int exponent = exponents.get(i);
      Optional<Estimate> ratio = speedup(device, exponent, pair);
      if (ratio.isEmpty()) {
        return NOT_RUN;
      }
      if (ratio.get().mean() <= 1) {
        break;
      }
      from = exponent;
    }
    if (exponents.isEmpty()) {
      return NOT_RUN;
    }
    if (from < 0) {
      return "never: not reached";
    }
    return "2^" + from + (from <= PAPERS_CROSSING ? ": reached" : ": not reached");
  }

  private void batching(String device) {
    add(
        "Path ORAM with batches of 32 evictions is faster by",
        device,
        "2x",
        pair ->
            speedup(device, 0, new Pair("batches", Contender.PATH_BATCHED, pair.against()))
                .map(ratio -> cell(ratio, 2))
                .orElse(NOT_RUN));
  }

  private void throughput(Workload workload) {
    throughput(workload, "hdd", workload.hdd());
    throughput(workload, "ssd", workload.ssd());
    throughput(workload, "net", workload.net());
  }

  private void throughput(Workload workload, String device, double paper) {
    add(
        moreQueries(workload),
        device,
        Units.number(paper) + "x",
        pair -> moreQueries(device, workload, pair).map(r -> cell(r, paper)).orElse(NOT_RUN));
  }

  private static String moreQueries(Workload workload) {
    return workload.name() + ": rORAM answers more queries by";
  }

  /** The paper knows nothing of this machine's disk: no claims, but the same figures. */
  private void measured() {
    String device = Medium.MEASURED.id();
    for (int exponent : exponents(device)) {
      add(
          "ranges of 2^" + exponent + " blocks: rORAM is faster by",
          device,
          NO_CLAIM,
          pair -> speedup(device, exponent, pair).map(Claims::figure).orElse(NOT_RUN));
    }
    for (Workload workload : WORKLOADS) {
      add(
          moreQueries(workload),
          device,
          NO_CLAIM,
          pair -> moreQueries(device, workload, pair).map(Claims::figure).orElse(NOT_RUN));
    }
  }

  private Optional<Estimate> moreQueries(String device, Workload workload, Pair pair) {
    return find(fig7, device, pair.ours().id(), workload.id())
        .flatMap(
            ours ->
                find(fig7, device, pair.against().id(), workload.id())
                    .map(theirs -> ours.dividedBy(theirs)));
  }

  private static String cell(Estimate ratio, double paper) {
    return figure(ratio) + ": " + verdict(ratio, paper);
  }

  private static String figure(Estimate ratio) {
    String interval =
        Double.isNaN(ratio.halfWidth())
            ? ""
            : " [" + Units.number(ratio.low()) + ", " + Units.number(ratio.high()) + "]";
    return Units.ratio(ratio.mean()) + interval;
  }

  /** Whether a ratio reaches the paper's: with its interval, without it, or only within it. */
  static String verdict(Estimate ratio, double paper) {
    double margin = Double.isNaN(ratio.halfWidth()) ? 0 : ratio.halfWidth();
    if (ratio.mean() - margin >= paper) {
      return "reached";
    }
    return ratio.mean() + margin >= paper ? "about" : "not reached";
  }

  private List<Integer> exponents(String device) {
    return fig6.stream()
        .filter(row -> row.panel().equals(device) && row.series().equals(Contender.RORAM.id()))
        .map(row -> Integer.valueOf(row.x()))
        .sorted()
        .toList();
  }

  /** How many times less time a block takes. */
  private Optional<Estimate> speedup(String device, int x, Pair pair) {
    String place = Integer.toString(x);
    return find(fig6, device, pair.against().id(), place)
        .flatMap(
            theirs ->
                find(fig6, device, pair.ours().id(), place).map(mine -> theirs.dividedBy(mine)));
  }

  private static Optional<Estimate> find(List<Series> rows, String panel, String series, String x) {
    return rows.stream()
        .filter(
            row -> row.panel().equals(panel) && row.series().equals(series) && row.x().equals(x))
        .findFirst()
        .map(row -> new Estimate(row.mean(), row.high() - row.mean(), row.runs()));
  }
}
