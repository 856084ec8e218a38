package io.github.roram.cli;

import io.github.roram.bench.replay.Arrivals.Responses;
import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.bench.report.Table.TextTable;
import io.github.roram.bench.report.Units;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.store.PrintableText;
import java.util.ArrayList;
import java.util.List;

/** Formats the results of a replay as text: first measured values, then modelled ones. */
final class ReplayTable {

  private static final int KIB = 1024;

  private ReplayTable() {}

  /** Returns the whole text. */
  static String render(List<ReplayResult> results) {
    StringBuilder text = new StringBuilder("Measured\n");
    append(text, measured(results));
    text.append("\nModelled from the counts, milliseconds per query\n");
    append(text, modelled(results));
    if (results.stream().anyMatch(r -> !r.verified())) {
      text.append("\nAnswers were not checked; --verify checks them.\n");
    }
    return text.toString();
  }

  /**
   * Returns the text with response times in an open loop.
   *
   * @param responses the response times of each result
   */
  static String render(List<ReplayResult> results, List<List<Responses>> responses) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "trace",
            "scheme",
            "times of",
            "most/s",
            "load",
            "mean",
            "median",
            "p90",
            "p99",
            "p99.9",
            "most"));
    for (int i = 0; i < results.size(); i++) {
      ReplayResult result = results.get(i);
      for (Responses each : responses.get(i)) {
        rows.add(
            List.of(
                PrintableText.of(result.trace()),
                result.config().scheme(),
                each.server(),
                Units.decimal(each.perSecond()),
                Units.decimal(each.load()),
                Units.decimal(each.meanMillis()),
                Units.decimal(each.millis(50)),
                Units.decimal(each.millis(90)),
                Units.decimal(each.millis(99)),
                Units.decimal(each.millis(99.9)),
                Units.decimal(each.millis(100))));
      }
    }
    StringBuilder text =
        new StringBuilder("\nOpen loop: response times by the trace's clock, milliseconds\n");
    append(text, rows);
    boolean late = responses.stream().flatMap(List::stream).anyMatch(each -> each.load() >= 1);
    if (late) {
      text.append(
              "\nFrom a load of 1 on requests come faster than they are answered, and wait ever")
          .append(" longer;\n--load sets one that can be kept up with.\n");
    }
    return text.toString();
  }

  private static List<List<String>> measured(List<ReplayResult> results) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "trace",
            "scheme",
            "queries",
            "queries/s",
            "median ms",
            "p99 ms",
            "seeks/q",
            "requests/q",
            "KiB/q",
            "mismatches"));
    for (ReplayResult r : results) {
      rows.add(
          List.of(
              PrintableText.of(r.trace()),
              r.config().scheme(),
              Long.toString(r.queries()),
              Units.decimal(r.queriesPerSecond()),
              Units.decimal(r.medianMillis()),
              Units.decimal(r.p99Millis()),
              Units.decimal(r.perQuery(r.io().seeks())),
              Units.decimal(r.perQuery(r.io().requests())),
              Units.decimal(r.perQuery(r.io().bytes()) / KIB),
              r.verified() ? Long.toString(r.mismatches()) : "-"));
    }
    return rows;
  }

  private static List<List<String>> modelled(List<ReplayResult> results) {
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("trace", "scheme"));
    DeviceModel.ALL.forEach(device -> head.add(device.id()));
    rows.add(head);
    for (ReplayResult r : results) {
      List<String> row = new ArrayList<>(List.of(PrintableText.of(r.trace()), r.config().scheme()));
      DeviceModel.ALL.forEach(
          device -> row.add(Units.decimal(1000 * r.modelledSecondsPerQuery(device))));
      rows.add(row);
    }
    return rows;
  }

  /** Appends rows: names to the left, numbers to the right. */
  static void append(StringBuilder text, List<List<String>> rows) {
    TextTable.lines(rows, 2).forEach(line -> text.append("  ").append(line).append('\n'));
  }
}
