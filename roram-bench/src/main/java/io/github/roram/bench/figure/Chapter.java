package io.github.roram.bench.figure;

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

  /** Tables alone. */
  public static Chapter of(TableStyle... tables) {
    return new Chapter(List.of(), List.of(tables));
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
}
