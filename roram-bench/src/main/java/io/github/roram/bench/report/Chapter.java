package io.github.roram.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

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

  /** A figure alone. */
  public static Chapter of(FigureStyle figure) {
    return new Chapter(List.of(figure), List.of());
  }

  /** Tables alone. */
  public static Chapter of(TableStyle... tables) {
    return new Chapter(List.of(), List.of(tables));
  }

  /** Several as one: all figures first. */
  public static Chapter of(List<Chapter> parts) {
    return new Chapter(
        parts.stream().flatMap(part -> part.figures.stream()).toList(),
        parts.stream().flatMap(part -> part.tables.stream()).toList());
  }

  /**
   * Whether a directory has anything of it.
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
      BARS,
      /** Bars over names, the y axis logarithmic. */
      LOGARITHMIC_BARS
    }

    boolean isBars() {
      return kind == Kind.BARS || kind == Kind.LOGARITHMIC_BARS;
    }

    boolean isLogarithmic() {
      return kind == Kind.LOGARITHMIC_CURVES || kind == Kind.LOGARITHMIC_BARS;
    }

    String heading() {
      return paper.isEmpty() ? title : title + " (the paper's " + paper + ")";
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

    /** A table for those who want all of it. */
    public static TableStyle folded(String id, String title, String text) {
      return new TableStyle(id, title, text, true);
    }
  }
}
