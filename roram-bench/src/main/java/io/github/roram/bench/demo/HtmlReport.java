package io.github.roram.bench.demo;

import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.storage.device.DeviceModel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** A demo's report as one HTML file that needs no other: style and charts are inside. */
public final class HtmlReport {

  private static final String TEMPLATE = "report.html";
  private static final double BYTES_PER_MB = 1e6;
  private static final double MILLIS_PER_SECOND = 1000;

  private HtmlReport() {}

  /** Writes the report, replacing the file. */
  public static void write(DemoReport report, Path file) throws IOException {
    Files.writeString(file, render(report));
  }

  /** The report as HTML. */
  public static String render(DemoReport report) throws IOException {
    String page = template();
    for (Map.Entry<String, String> part : parts(report).entrySet()) {
      page = page.replace("{{" + part.getKey() + "}}", part.getValue());
    }
    return page;
  }

  private static Map<String, String> parts(DemoReport report) {
    return Map.of(
        "findings", paragraphs(Findings.of(report)),
        "verdict", Html.escape(Findings.verdict(report)),
        "verdictClass", report.mismatches() == 0 ? "right" : "wrong",
        "measuredTitle", Html.escape(DemoColumns.MEASURED_TITLE),
        "measuredTable", table(report, DemoColumns.measured()),
        "measuredCharts", measuredCharts(report),
        "modelledTitle", Html.escape(DemoColumns.MODELLED_TITLE),
        "modelledTable", table(report, DemoColumns.modelled()),
        "modelledCharts", modelledCharts(report),
        "notes", list(notes(report)));
  }

  private static String measuredCharts(DemoReport report) {
    return figure(
            "Measured: queries per second (log scale, more is better)",
            report,
            ReplayResult::queriesPerSecond)
        + figure(
            "Measured: median milliseconds per query (log scale)",
            report,
            ReplayResult::medianMillis)
        + figure("Counted: seeks per query (log scale)", report, r -> r.perQuery(r.io().seeks()))
        + figure(
            "Counted: megabytes read and written per query (log scale)",
            report,
            r -> r.perQuery(r.io().bytes()) / BYTES_PER_MB);
  }

  private static String modelledCharts(DemoReport report) {
    return DeviceModel.ALL.stream()
        .map(
            device ->
                figure(
                    "Modelled: milliseconds per query (log scale), " + device.description(),
                    report,
                    r -> r.modelledSecondsPerQuery(device) * MILLIS_PER_SECOND))
        .collect(Collectors.joining());
  }

  private static String figure(
      String title, DemoReport report, ToDoubleFunction<ReplayResult> value) {
    return "<figure><figcaption>"
        + Html.escape(title)
        + "</figcaption>\n"
        + BarChart.svg(title, report, value)
        + "</figure>\n";
  }

  private static String table(DemoReport report, List<DemoColumns.Column> columns) {
    StringBuilder html = new StringBuilder("<table>\n<thead><tr>");
    columns.forEach(c -> html.append("<th>").append(Html.escape(c.title())).append("</th>"));
    html.append("</tr></thead>\n");
    for (String trace : report.traces()) {
      html.append("<tbody>\n");
      for (DemoReport.SchemeRun run : report.schemes()) {
        ReplayResult result = report.result(trace, run);
        html.append(run.equals(report.ours()) ? "<tr class=\"ours\">" : "<tr>");
        columns.forEach(
            c -> html.append("<td>").append(Html.escape(c.cell(report, result))).append("</td>"));
        html.append("</tr>\n");
      }
      html.append("</tbody>\n");
    }
    return html.append("</table>\n").toString();
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

  private static String paragraphs(List<String> texts) {
    return texts.stream()
        .map(text -> "<p>" + Html.escape(text) + "</p>\n")
        .collect(Collectors.joining());
  }

  private static String list(List<String> texts) {
    return texts.stream()
        .map(text -> "<li>" + Html.escape(text) + "</li>\n")
        .collect(Collectors.joining("", "<ul>\n", "</ul>\n"));
  }

  private static String template() throws IOException {
    try (InputStream in = HtmlReport.class.getResourceAsStream(TEMPLATE)) {
      if (in == null) {
        throw new IOException("the jar lacks " + TEMPLATE + "; build it again");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
