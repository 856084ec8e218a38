package io.github.roram.bench.demo;

import io.github.roram.bench.demo.DemoReport.Findings;
import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chart;
import io.github.roram.bench.report.Html;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Units;
import io.github.roram.storage.device.DeviceModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A demo's report as one HTML file that needs no other. */
public final class HtmlReport {

  private static final FigureStyle BARS =
      new FigureStyle("demo", "", "", "", "", FigureStyle.Kind.LOGARITHMIC_BARS);
  private static final double BYTES_PER_MB = 1e6;
  private static final double MILLIS_PER_SECOND = 1000;

  private HtmlReport() {}

  /** Writes the report, replacing the file. */
  public static void write(DemoReport report, Path file) throws IOException {
    Files.writeString(file, render(report));
  }

  /** The report as HTML. */
  public static String render(DemoReport report) throws IOException {
    Html html = new Html("rORAM against Path ORAM on real traces");
    html.paragraph(report.mismatches() == 0 ? "right" : "wrong", Findings.verdict(report));
    Findings.of(report).forEach(html::paragraph);
    html.heading(DemoColumns.MEASURED_TITLE);
    table(html, report, DemoColumns.measured());
    html.charts(measuredCharts(report));
    html.heading(DemoColumns.MODELLED_TITLE);
    table(html, report, DemoColumns.modelled());
    html.charts(modelledCharts(report));
    return html.heading("How to read this").list(notes(report)).page();
  }

  private static void table(Html html, DemoReport report, List<DemoColumns.Column> columns) {
    String ours = report.ours().scheme().id();
    html.figures(
        columns.stream().map(DemoColumns.Column::title).toList(),
        DemoColumns.rows(columns, report),
        row -> row.get(1).equals(ours));
  }

  private static List<Chart> measuredCharts(DemoReport report) {
    return List.of(
        chart(
            "Measured: queries per second (log scale, more is better)",
            report,
            ReplayResult::queriesPerSecond),
        chart(
            "Measured: median milliseconds per query (log scale)",
            report,
            ReplayResult::medianMillis),
        chart("Counted: seeks per query (log scale)", report, r -> r.perQuery(r.io().seeks())),
        chart(
            "Counted: megabytes read and written per query (log scale)",
            report,
            r -> r.perQuery(r.io().bytes()) / BYTES_PER_MB));
  }

  private static List<Chart> modelledCharts(DemoReport report) {
    return DeviceModel.ALL.stream()
        .map(
            device ->
                chart(
                    "Modelled: milliseconds per query (log scale), " + device.description(),
                    report,
                    r -> r.modelledSecondsPerQuery(device) * MILLIS_PER_SECOND))
        .toList();
  }

  private static Chart chart(
      String title, DemoReport report, ToDoubleFunction<ReplayResult> value) {
    List<Series> bars = new ArrayList<>();
    for (ReplayResult result : report.results()) {
      String scheme = report.scheme(result).id();
      bars.add(Series.exact("", scheme, result.trace(), value.applyAsDouble(result)));
    }
    return Chart.of(BARS, title, bars);
  }

  private static List<String> notes(DemoReport report) {
    List<String> notes = new ArrayList<>(DemoColumns.parameters(report));
    notes.add(
        "Machine: "
            + report.machine().cores()
            + " cores, "
            + report.machine().java()
            + " with at most "
            + Units.bytes(report.machine().heapBytes())
            + " of heap, "
            + report.machine().os()
            + ".");
    notes.addAll(
        List.of(
            "Every store was filled by a bulk load and warmed up before anything was counted, so no"
                + " bucket was cheap because it had never been written.",
            "Measured times are those inside of the library, file I/O and encryption included. "
                + Findings.caveat(report),
            "Counts of seeks, requests and bytes are exact. A seek is a piece of a request that does"
                + " not start where the last piece ended.",
            "Modelled times are these counts times the costs given for each device. The model knows"
                + " no caches, queues or overlap. It is computed, not measured, and never compared"
                + " with a measured time.",
            "Path ORAM is the strong one: its position map is in client memory, a path is one"
                + " vectored read and one vectored write, and a request of many blocks goes through"
                + " it block by block."));
    return notes;
  }
}
