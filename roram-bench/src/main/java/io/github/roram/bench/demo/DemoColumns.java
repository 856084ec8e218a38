package io.github.roram.bench.demo;

import io.github.roram.OramConfig;
import io.github.roram.bench.contender.ClientMemory;
import io.github.roram.bench.demo.DemoOptions.DemoWorkload;
import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.bench.report.Units;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.storage.device.DeviceModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The columns of the demo's two tables and the lines above them, for text and HTML alike. Measured
 * and modelled figures have a table each, so that they are never compared with one another.
 */
final class DemoColumns {

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

  static List<Column> measured() {
    List<Column> columns = rowHeads();
    columns.add(column("queries/s", r -> Units.number(r.queriesPerSecond())));
    columns.add(column("median ms", r -> Units.number(r.medianMillis())));
    columns.add(column("p99 ms", r -> Units.number(r.p99Millis())));
    columns.add(
        new Column(
            "speed vs path",
            (report, r) ->
                Units.ratio(report.baseline(r.trace()).secondsPerQuery() / r.secondsPerQuery())));
    columns.add(column("seeks/query", r -> Units.number(r.perQuery(r.io().seeks()))));
    columns.add(column("requests/query", r -> Units.number(r.perQuery(r.io().requests()))));
    columns.add(column("KB/query", r -> Units.number(r.perQuery(r.io().bytes()) / BYTES_PER_KB)));
    columns.add(column("mismatches", r -> Units.count(r.mismatches())));
    return columns;
  }

  static List<Column> modelled() {
    List<Column> columns = rowHeads();
    for (DeviceModel device : DeviceModel.ALL) {
      columns.add(column(device.id() + " s", r -> Units.number(r.modelledSecondsPerQuery(device))));
      columns.add(
          new Column(
              "speed vs path",
              (report, r) ->
                  Units.ratio(
                      report.baseline(r.trace()).modelledSecondsPerQuery(device)
                          / r.modelledSecondsPerQuery(device))));
    }
    return columns;
  }

  /** Scale, parameters and what was done before measuring, a line each. */
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
              Units.bytes(ClientMemory.of(run.config()).bytes()),
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

  /** The cells of these columns: the schemes of one workload, then those of the next. */
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
