package io.github.roram.bench.figure;

/**
 * Titles and axes of a figure.
 *
 * @param id name of its CSV
 * @param title what it shows
 * @param paper which figure of the paper it stands beside; empty if none
 * @param xAxis what the x axis says
 * @param yAxis what the y axis says
 * @param kind how it is drawn
 */
public record FigureStyle(
    String id, String title, String paper, String xAxis, String yAxis, Kind kind) {

  /** How a figure is drawn. */
  public enum Kind {
    /** Curves over numbers. */
    CURVES,
    /** Curves over numbers, the y axis logarithmic. */
    LOGARITHMIC_CURVES,
    /** Bars over names. */
    BARS
  }

  boolean isBars() {
    return kind == Kind.BARS;
  }

  boolean isLogarithmic() {
    return kind == Kind.LOGARITHMIC_CURVES;
  }

  String heading() {
    return paper.isEmpty() ? title : title + " (the paper's " + paper + ")";
  }
}
