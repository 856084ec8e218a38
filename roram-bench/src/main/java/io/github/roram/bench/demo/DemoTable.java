package io.github.roram.bench.demo;

import io.github.roram.OramConfig;
import io.github.roram.bench.contender.SteadyMemory;
import io.github.roram.bench.demo.DemoOptions.DemoWorkload;
import io.github.roram.bench.demo.DemoReport.DemoSentences;
import io.github.roram.bench.demo.DemoTable.DemoColumns;
import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chart;
import io.github.roram.bench.report.Html;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table.TextTable;
import io.github.roram.bench.report.Units;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.file.ReplacedFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Formats a demo's report as text for a terminal: measured values, modelled values, and
 * explanations.
 */
public final class DemoTable {

  private static final int TEXT_COLUMNS = 2;
  private static final int LINE_CHARS = 100;

  private DemoTable() {}

  /** Returns the whole text, in lines that end with a newline. */
  public static String render(DemoReport report) {
    StringBuilder text = new StringBuilder();
    for (String line : DemoColumns.parameters(report)) {
      wrap(line, text);
    }
    text.append('\n').append(DemoColumns.MEASURED_TITLE).append('\n');
    table(DemoColumns.measured(report), report, text);
    text.append('\n').append(DemoColumns.MODELLED_TITLE).append('\n');
    table(DemoColumns.modelled(report), report, text);
    for (DeviceModel device : DeviceModel.ALL) {
      text.append("  ").append(device.id()).append(": ").append(device.description()).append('\n');
    }
    text.append('\n');
    DemoSentences.of(report).forEach(finding -> wrap(finding, text));
    wrap(DemoSentences.caveat(report), text);
    wrap(DemoSentences.verdict(report), text);
    return text.toString();
  }

  private static void table(
      List<DemoColumns.Column> columns, DemoReport report, StringBuilder text) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(columns.stream().map(DemoColumns.Column::title).toList());
    rows.addAll(DemoColumns.rows(columns, report));
    List<String> lines = new ArrayList<>(TextTable.lines(rows, TEXT_COLUMNS));
    lines.add(1, TextTable.rule(rows));
    lines.forEach(line -> text.append(line).append('\n'));
  }

  private static void wrap(String paragraph, StringBuilder text) {
    TextTable.wrap(paragraph, LINE_CHARS).forEach(line -> text.append(line).append('\n'));
  }

  /**
   * The columns of the demo's two tables and the lines above them, for text and HTML alike.
   * Measured and modelled figures have a table each, so that they are never compared with one
   * another.
   */
  static final class DemoColumns {

    static final String MEASURED_TITLE = "Measured on this machine (times measured, counts exact)";
    static final String MODELLED_TITLE =
        "Modelled: the counted I/O on four devices, s = seconds per query (not measured here)";

    private static final double BYTES_PER_KB = 1000;

    /**
     * A column.
     *
     * @param title its heading
     * @param format what stands in it
     */
    record Column(String title, BiFunction<DemoReport, ReplayResult, String> format) {

      String cell(DemoReport report, ReplayResult result) {
        return format.apply(report, result);
      }
    }

    private DemoColumns() {}

    static List<Column> measured(DemoReport report) {
      List<Column> columns = rowHeads();
      columns.add(column("queries/s", r -> Units.number(r.queriesPerSecond())));
      columns.add(column("median ms", r -> Units.number(r.medianMillis())));
      columns.add(column("p99 ms", r -> Units.number(r.p99Millis())));
      columns.add(
          new Column(
              speedTitle(report),
              (all, r) ->
                  Units.ratio(all.baseline(r.trace()).secondsPerQuery() / r.secondsPerQuery())));
      columns.add(column("seeks/query", r -> Units.number(r.perQuery(r.io().seeks()))));
      columns.add(column("requests/query", r -> Units.number(r.perQuery(r.io().requests()))));
      columns.add(column("KB/query", r -> Units.number(r.perQuery(r.io().bytes()) / BYTES_PER_KB)));
      columns.add(column("mismatches", r -> Units.count(r.mismatches())));
      return columns;
    }

    private static String speedTitle(DemoReport report) {
      return "speed vs " + report.schemes().get(0).scheme().id();
    }

    static List<Column> modelled(DemoReport report) {
      List<Column> columns = rowHeads();
      for (DeviceModel device : DeviceModel.ALL) {
        columns.add(
            column(device.id() + " s", r -> Units.number(r.modelledSecondsPerQuery(device))));
        columns.add(
            new Column(
                speedTitle(report),
                (all, r) ->
                    Units.ratio(
                        all.baseline(r.trace()).modelledSecondsPerQuery(device)
                            / r.modelledSecondsPerQuery(device))));
      }
      return columns;
    }

    /** Returns scale, parameters and preparations, one per line. */
    static List<String> parameters(DemoReport report) {
      List<String> lines = new ArrayList<>();
      OramConfig roram = report.ours().config();
      lines.add(
          String.format(
              "%s blocks of %d bytes (%s), ranges of at most %d blocks; %d cores, %s.",
              Units.count(roram.blocks()),
              roram.blockBytes(),
              Units.bytes(roram.bytes()),
              roram.maxRangeBlocks(),
              report.machine().cores(),
              report.machine().java()));
      lines.add(
          "rORAM has trees for ranges of 2^i blocks, i in "
              + Arrays.toString(TreeParameters.of(roram).trees())
              + ", which serve size classes "
              + Arrays.toString(TreeParameters.of(roram).sizeClasses())
              + "; each tree takes as much disk as a Path ORAM.");
      for (DemoReport.SchemeRun run : report.schemes()) {
        lines.add(
            String.format(
                "%s: store of %s, filled in %s s (%s/s); client memory of %s; %s",
                run.scheme().id(),
                Units.bytes(run.storeBytes()),
                Units.number(run.fill().seconds()),
                Units.bytes(run.fill().storeBytes() / run.fill().seconds()),
                Units.bytes(SteadyMemory.of(run.config()).bytes()),
                run.config()));
      }
      for (DemoWorkload workload : report.options().workloads()) {
        lines.add(
            String.format(
                "%s: requests 1 to %d warm up, the %d after them are counted.",
                workload.trace(), workload.warmupQueries(), workload.queries()));
      }
      if (report.folded()) {
        lines.add(
            "The device is smaller than that of the traces: addresses are taken modulo its size.");
      }
      return lines;
    }

    /** Returns the cells of these columns: the schemes of one workload, then those of the next. */
    static List<List<String>> rows(List<Column> columns, DemoReport report) {
      List<List<String>> rows = new ArrayList<>();
      for (String trace : report.traces()) {
        report.results().stream()
            .filter(result -> result.trace().equals(trace))
            .map(result -> columns.stream().map(c -> c.cell(report, result)).toList())
            .forEach(rows::add);
      }
      return rows;
    }

    private static List<Column> rowHeads() {
      List<Column> columns = new ArrayList<>();
      columns.add(column("workload", ReplayResult::trace));
      columns.add(new Column("scheme", (report, result) -> report.scheme(result).id()));
      return columns;
    }

    private static Column column(String title, Function<ReplayResult, String> format) {
      return new Column(title, (report, result) -> format.apply(result));
    }
  }

  /** A demo's report as one HTML file that needs no other. */
  public static final class DemoPage {

    private static final FigureStyle BARS =
        new FigureStyle("demo", "", "", "", "", FigureStyle.Kind.LOGARITHMIC_BARS);
    private static final double BYTES_PER_MB = 1e6;
    private static final double MILLIS_PER_SECOND = 1000;

    private DemoPage() {}

    /** Writes the report to a file; one that is there stays as it is until all is written. */
    public static void write(DemoReport report, Path file) throws IOException {
      ReplacedFile.write(file, render(report).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the report as HTML. */
    public static String render(DemoReport report) throws IOException {
      Html html = new Html("rORAM against Path ORAM on real traces");
      html.paragraph(report.mismatches() == 0 ? "right" : "wrong", DemoSentences.verdict(report));
      DemoSentences.of(report).forEach(html::paragraph);
      html.heading(DemoColumns.MEASURED_TITLE);
      table(html, report, DemoColumns.measured(report));
      html.charts(measuredCharts(report));
      html.heading(DemoColumns.MODELLED_TITLE);
      table(html, report, DemoColumns.modelled(report));
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
                  + DemoSentences.caveat(report),
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
}
