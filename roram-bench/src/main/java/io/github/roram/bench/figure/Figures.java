package io.github.roram.bench.figure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Draws charts and a report from the CSV files of a directory, and nothing else. */
public final class Figures {

  private static final String HEADLESS = "java.awt.headless";

  private Figures() {}

  /**
   * Draws what there is of these chapters; files of an earlier drawing are replaced.
   *
   * @return the report
   * @throws IOException if a CSV is malformed, or the report cannot be written
   */
  public static Path draw(Path directory, List<Chapter> chapters) throws IOException {
    if (System.getProperty(HEADLESS) == null) {
      System.setProperty(HEADLESS, "true");
    }
    Report report = new Report(directory);
    for (Chapter chapter : chapters) {
      for (FigureStyle style : chapter.figures()) {
        List<Series> rows = Series.read(directory, style.id());
        List<Charts.Picture> pictures = new ArrayList<>();
        for (String panel : rows.stream().map(Series::panel).distinct().toList()) {
          pictures.add(Charts.draw(style, panel, rows, directory));
        }
        report.pictures(style, pictures);
      }
      for (TableStyle style : chapter.tables()) {
        report.table(style);
      }
    }
    Path file = directory.resolve("report.html");
    Files.writeString(file, report.page());
    return file;
  }
}
