package io.github.roram.bench.experiment.claim;

import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.experiment.claim.Claim.Comparison;
import io.github.roram.bench.experiment.claim.Claim.Figure;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Statistics.Estimate;
import io.github.roram.bench.report.Units;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Ratios between the rows of a figure, and whether they reach what the paper says.
 *
 * @param rows of the figure
 */
public record Ratios(List<Series> rows) {

  /** How many times more of something ours has. */
  public Optional<Estimate> more(String device, String x, Comparison comparison) {
    return find(device, comparison.ours(), x)
        .flatMap(ours -> find(device, comparison.against(), x).map(ours::dividedBy));
  }

  /** How many times less of something, as time, ours takes. */
  public Optional<Estimate> less(String device, String x, Comparison comparison) {
    return find(device, comparison.against(), x)
        .flatMap(theirs -> find(device, comparison.ours(), x).map(theirs::dividedBy));
  }

  private Optional<Estimate> find(String device, Contender contender, String x) {
    return rows.stream()
        .filter(row -> row.panel().equals(device))
        .filter(row -> row.series().equals(contender.id()) && row.x().equals(x))
        .findFirst()
        .map(row -> new Estimate(row.mean(), row.high() - row.mean(), row.runs()));
  }

  /** A ratio with its interval. */
  public static Figure figure(Estimate ratio) {
    String interval =
        Double.isNaN(ratio.halfWidth())
            ? ""
            : " [" + Units.number(ratio.low()) + ", " + Units.number(ratio.high()) + "]";
    return new Figure(Units.ratio(ratio.mean()) + interval, quote -> verdict(ratio, quote.least()));
  }

  /** The least and the most of several ratios; the least decides. */
  public static Optional<Figure> spread(List<Estimate> ratios) {
    Optional<Estimate> least = ratios.stream().min(Comparator.comparingDouble(Estimate::mean));
    Optional<Estimate> most = ratios.stream().max(Comparator.comparingDouble(Estimate::mean));
    return least.flatMap(
        low ->
            most.map(
                high ->
                    new Figure(
                        Units.ratio(low.mean()) + " to " + Units.ratio(high.mean()),
                        quote -> verdict(low, quote.least()))));
  }

  /** Whether a ratio reaches the paper's: with its interval, without it, or only within it. */
  static String verdict(Estimate ratio, double paper) {
    double margin = Double.isNaN(ratio.halfWidth()) ? 0 : ratio.halfWidth();
    if (ratio.mean() - margin >= paper) {
      return "reached";
    }
    return ratio.mean() + margin >= paper ? "about" : "not reached";
  }
}
