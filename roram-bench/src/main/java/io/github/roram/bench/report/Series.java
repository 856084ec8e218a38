package io.github.roram.bench.report;

import io.github.roram.bench.report.Statistics.Estimate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A point of a curve, or a bar: what a row of a figure's CSV says.
 *
 * @param panel the chart, as a device
 * @param series the curve, as a scheme
 * @param x place on the axis: a number or a name
 * @param mean of all runs
 * @param low where the 95 % confidence interval begins; NaN if there is none
 * @param high where it ends
 * @param runs number of runs
 */
public record Series(
    String panel, String series, String x, double mean, double low, double high, int runs) {

  private static final List<String> COLUMNS =
      List.of("panel", "series", "x", "mean", "low", "high", "runs");

  /** Returns a known value, which is not a mean. */
  public static Series exact(String panel, String series, String x, double value) {
    return new Series(panel, series, x, value, value, value, 1);
  }

  /** Its mean and interval. */
  public Estimate estimate() {
    return new Estimate(mean, high - mean, runs);
  }

  /** Returns the same place with another value. */
  Series with(Estimate value) {
    return new Series(panel, series, x, value.mean(), value.low(), value.high(), value.samples());
  }

  /** The number at which it stands. */
  double place() {
    return Double.parseDouble(x);
  }

  /** Returns the same value at another place. */
  public Series at(String place) {
    return new Series(panel, series, place, mean, low, high, runs);
  }

  /** Returns whether its place is a number. */
  boolean isAtNumber() {
    return isNumber(x);
  }

  static boolean isNumber(String place) {
    return !place.isEmpty() && (Character.isDigit(place.charAt(0)) || place.charAt(0) == '-');
  }

  /** Writes a figure's CSV and JSON. */
  public static void write(List<Series> series, Path directory, String figure) throws IOException {
    new Table(COLUMNS, series.stream().map(Series::cells).toList()).write(directory, figure);
  }

  private List<String> cells() {
    return List.of(
        panel,
        series,
        x,
        Double.toString(mean),
        Double.toString(low),
        Double.toString(high),
        Integer.toString(runs));
  }

  /** Reads a figure's CSV; empty if there is none. */
  public static List<Series> read(Path directory, String figure) throws IOException {
    Table table = Table.read(directory, figure, COLUMNS);
    List<Series> all = new ArrayList<>();
    for (List<String> row : table.rows()) {
      try {
        all.add(
            new Series(
                table.cell(row, "panel"),
                table.cell(row, "series"),
                table.cell(row, "x"),
                Double.parseDouble(table.cell(row, "mean")),
                Double.parseDouble(table.cell(row, "low")),
                Double.parseDouble(table.cell(row, "high")),
                Integer.parseInt(table.cell(row, "runs"))));
      } catch (NumberFormatException e) {
        throw new IOException(figure + ".csv, row " + row + ": " + e.getMessage(), e);
      }
    }
    return all;
  }
}
