package io.github.roram.bench.report;

import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.storage.file.ReplacedFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Draws charts and a report from the CSV files of a directory, and nothing else. */
public final class Report {

  private static final String TITLE = "rORAM: the paper's experiments, run again";
  private static final String ABOUT =
      "Devices are modelled from exact counts unless a panel is called “measured”. The model is"
          + " linear in seeks, extents, round trips and bytes; see docs/measuring.md. Each chart"
          + " stands next to this page as SVG, each figure and table as CSV and JSON.";

  private final Path directory;
  private final Html html = new Html(TITLE).paragraph(ABOUT);

  private Report(Path directory) {
    this.directory = directory;
  }

  /**
   * Draws what there is of these chapters; files of an earlier drawing are replaced.
   *
   * @return the report
   * @throws IOException if a CSV is malformed, or the report cannot be written
   */
  public static Path draw(Path directory, List<Chapter> chapters) throws IOException {
    Report report = new Report(directory);
    for (Chapter chapter : chapters) {
      for (FigureStyle style : chapter.figures()) {
        report.figure(style);
      }
      for (TableStyle style : chapter.tables()) {
        report.table(style);
      }
    }
    Path file = directory.resolve("report.html");
    replace(file, report.html.page());
    return file;
  }

  /** Writes a file; one that is there stays whole until all is written, whatever happens. */
  static void replace(Path file, String text) throws IOException {
    ReplacedFile.write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Its panels, each a chart in the report, {@code figure-panel.svg}. */
  private void figure(FigureStyle style) throws IOException {
    List<Series> rows = Series.read(directory, style.id());
    List<Chart> charts = new ArrayList<>();
    for (String panel : rows.stream().map(Series::panel).distinct().toList()) {
      List<Series> own = rows.stream().filter(row -> row.panel().equals(panel)).toList();
      Chart chart = Chart.of(style, style.title() + ": " + panel, own);
      chart.write(directory, style.file() + "-" + panel);
      charts.add(chart);
    }
    if (!charts.isEmpty()) {
      html.heading(style.heading()).charts(charts);
    }
  }

  /** Unless there are no rows of it. */
  private void table(TableStyle style) throws IOException {
    Table table = Table.read(directory, style.id(), List.of());
    if (table.rows().isEmpty()) {
      return;
    }
    Runnable shown = () -> html.paragraph(style.text()).texts(table.columns(), table.rows());
    if (style.folded()) {
      html.folded(style.title(), shown);
    } else {
      html.heading(style.title());
      shown.run();
    }
  }

  /**
   * Where something was measured.
   *
   * @param cores processors that the JVM may use
   * @param heapBytes the most heap that the JVM takes
   * @param java name and version of the JVM
   * @param os operating system, version and architecture
   */
  public record Machine(int cores, long heapBytes, String java, String os) {

    /** This one. */
    public static Machine current() {
      Runtime runtime = Runtime.getRuntime();
      return new Machine(
          runtime.availableProcessors(),
          runtime.maxMemory(),
          property("java.vm.name") + " " + property("java.runtime.version"),
          property("os.name") + " " + property("os.version") + " " + property("os.arch"));
    }

    private static String property(String name) {
      return System.getProperty(name, "");
    }
  }
}
