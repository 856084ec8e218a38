package io.github.roram.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A part of the report.
 *
 * @param figures drawn first
 * @param tables below them
 */
public record Chapter(List<FigureStyle> figures, List<TableStyle> tables) {

  /** Copies the lists. */
  public Chapter {
    figures = List.copyOf(figures);
    tables = List.copyOf(tables);
  }

  /** Tables alone. */
  public static Chapter of(TableStyle... tables) {
    return new Chapter(List.of(), List.of(tables));
  }

  /** Figures of the same CSV. */
  public static Chapter of(FigureStyle... figures) {
    return new Chapter(List.of(figures), List.of());
  }

  /** Returns several chapters as one, all figures first. */
  public static Chapter of(List<Chapter> parts) {
    return new Chapter(
        parts.stream().flatMap(part -> part.figures.stream()).toList(),
        parts.stream().flatMap(part -> part.tables.stream()).toList());
  }

  /**
   * Returns whether a directory has anything of it.
   *
   * @throws IOException if a CSV is malformed
   */
  public boolean isIn(Path directory) throws IOException {
    for (FigureStyle figure : figures) {
      if (!Series.read(directory, figure.id()).isEmpty()) {
        return true;
      }
    }
    for (TableStyle table : tables) {
      if (!Table.read(directory, table.id(), List.of()).rows().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Titles and axes of a figure.
   *
   * @param id name of its CSV
   * @param title what it shows
   * @param paper which figure of the paper it stands next to; empty if none
   * @param xAxis what the x axis says
   * @param yAxis what the y axis says
   * @param kind how it is drawn
   * @param baseline series that all others are divided by; empty for values as they are
   * @param less whether that is divided by them, as times are for speeds
   * @param published points of papers, as the figure shows them; drawn as marks
   */
  public record FigureStyle(
      String id,
      String title,
      String paper,
      String xAxis,
      String yAxis,
      Kind kind,
      String baseline,
      boolean less,
      List<Series> published) {

    /** How a figure is drawn. */
    public enum Kind {
      /** Curves over numbers. */
      CURVES,
      /** Curves over numbers, the y axis logarithmic. */
      LOGARITHMIC_CURVES,
      /** Bars over names. */
      BARS,
      /** Marks over names, the axis logarithmic. */
      LOGARITHMIC_BARS
    }

    /** Copies the list. */
    public FigureStyle {
      published = List.copyOf(published);
    }

    /** Values as they are, and nothing that was published. */
    public FigureStyle(
        String id, String title, String paper, String xAxis, String yAxis, Kind kind) {
      this(id, title, paper, xAxis, yAxis, kind, "", false, List.of());
    }

    /**
     * Returns the same CSV as ratios to a series.
     *
     * @param ofTimes whether less is faster
     * @param papers published ratios
     */
    public FigureStyle ratios(String to, boolean ofTimes, Series... papers) {
      Kind drawn = isBars() ? Kind.LOGARITHMIC_BARS : Kind.LOGARITHMIC_CURVES;
      return new FigureStyle(
          id, title, paper, xAxis, "Times as fast as " + to, drawn, to, ofTimes, List.of(papers));
    }

    /** Returns the same with published points. */
    public FigureStyle with(Series... papers) {
      return new FigureStyle(id, title, paper, xAxis, yAxis, kind, baseline, less, List.of(papers));
    }

    /**
     * Returns what is drawn: the rows, or their ratios to the baseline at the same place or at no
     * number.
     */
    List<Series> shown(List<Series> rows) {
      return isRatio() ? rows.stream().flatMap(row -> ratios(row, rows)).toList() : rows;
    }

    private Stream<Series> ratios(Series row, List<Series> rows) {
      return rows.stream()
          .filter(other -> other.series().equals(baseline) && !row.series().equals(baseline))
          .filter(o -> o.x().equals(row.x()) || (row.isAtNumber() && !o.isAtNumber()))
          .map(
              other ->
                  row.with(
                      less
                          ? other.estimate().dividedBy(row.estimate())
                          : row.estimate().dividedBy(other.estimate())));
    }

    boolean isBars() {
      return kind == Kind.BARS || kind == Kind.LOGARITHMIC_BARS;
    }

    boolean isLogarithmic() {
      return kind == Kind.LOGARITHMIC_CURVES || kind == Kind.LOGARITHMIC_BARS;
    }

    boolean isRatio() {
      return !baseline.isEmpty();
    }

    /** Begins the names of its pictures. */
    String file() {
      return isRatio() ? id + "-ratio" : id;
    }

    String heading() {
      String shown = isRatio() ? title + ", against " + baseline : title;
      return paper.isEmpty() ? shown : shown + " (the paper's " + paper + ")";
    }
  }

  /**
   * A table that stands in the report as it is.
   *
   * @param id name of its CSV
   * @param title its heading
   * @param text what is said above it
   * @param folded whether the reader unfolds it
   */
  public record TableStyle(String id, String title, String text, boolean folded) {

    /** A table that everybody sees. */
    public static TableStyle open(String id, String title, String text) {
      return new TableStyle(id, title, text, false);
    }

    /** Returns a table for those who want all of it. */
    public static TableStyle folded(String id, String title, String text) {
      return new TableStyle(id, title, text, true);
    }
  }
}
