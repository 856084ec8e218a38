package io.github.roram.bench.figure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Draws all charts and the report of a directory from the CSV files in it, and nothing else. */
public final class Figures {

  private static final String HEADLESS = "java.awt.headless";

  private Figures() {}

  /**
   * Draws; files of an earlier drawing are replaced.
   *
   * @return the report
   * @throws IOException if there is no CSV to draw from, or one is malformed
   */
  public static Path draw(Path directory) throws IOException {
    if (System.getProperty(HEADLESS) == null) {
      System.setProperty(HEADLESS, "true");
    }
    Map<FigureStyle, List<Charts.Picture>> drawn = new LinkedHashMap<>();
    for (FigureStyle style : FigureStyle.ALL) {
      List<Series> rows = Series.read(directory, style.id());
      List<Charts.Picture> pictures = new ArrayList<>();
      for (String panel : rows.stream().map(Series::panel).distinct().toList()) {
        pictures.add(Charts.draw(style, panel, rows, directory));
      }
      if (!pictures.isEmpty()) {
        drawn.put(style, pictures);
      }
    }
    if (drawn.isEmpty() && !Report.hasTables(directory)) {
      throw new IOException(directory + " has no results to draw; run an experiment there first");
    }
    Path report = directory.resolve("report.html");
    Files.writeString(report, Report.render(directory, drawn));
    return report;
  }
}
