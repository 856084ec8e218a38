package io.github.roram.bench.demo;

import io.github.roram.bench.replay.ReplayResult;
import io.github.roram.storage.device.DeviceModel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A demo's report as text for a terminal: what was measured, what is modelled, and why. */
public final class DemoTable {

  private static final int TEXT_COLUMNS = 2;
  private static final int LINE_CHARS = 100;

  private DemoTable() {}

  /** The whole text, in lines that end with a newline. */
  public static String render(DemoReport report) {
    StringBuilder text = new StringBuilder();
    for (String line : DemoColumns.parameters(report)) {
      wrap(line, text);
    }
    text.append('\n').append(DemoColumns.MEASURED_TITLE).append('\n');
    table(DemoColumns.measured(), report.results(), report, text);
    text.append('\n').append(DemoColumns.MODELLED_TITLE).append('\n');
    table(DemoColumns.modelled(), report.results(), report, text);
    for (DeviceModel device : DeviceModel.ALL) {
      text.append("  ").append(device.id()).append(": ").append(device.description()).append('\n');
    }
    text.append('\n');
    Findings.of(report).forEach(finding -> wrap(finding, text));
    wrap(Findings.caveat(report), text);
    wrap(Findings.verdict(report), text);
    return text.toString();
  }

  private static void table(
      List<DemoColumns.Column> columns,
      List<ReplayResult> results,
      DemoReport report,
      StringBuilder text) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(columns.stream().map(DemoColumns.Column::title).toList());
    for (String trace : report.traces()) {
      results.stream()
          .filter(result -> result.trace().equals(trace))
          .map(result -> columns.stream().map(c -> c.cell(report, result)).toList())
          .forEach(rows::add);
    }
    int[] widths =
        IntStream.range(0, columns.size())
            .map(i -> rows.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
            .toArray();
    rows.add(1, IntStream.of(widths).mapToObj("-"::repeat).toList());
    rows.forEach(row -> text.append(line(row, widths)).append('\n'));
  }

  private static String line(List<String> row, int[] widths) {
    return IntStream.range(0, widths.length)
        .mapToObj(i -> pad(row.get(i), widths[i], i < TEXT_COLUMNS))
        .collect(Collectors.joining("  "))
        .stripTrailing();
  }

  private static String pad(String cell, int width, boolean left) {
    String blanks = " ".repeat(width - cell.length());
    return left ? cell + blanks : blanks + cell;
  }

  private static void wrap(String paragraph, StringBuilder text) {
    int length = 0;
    for (String word : paragraph.split(" ", -1)) {
      if (length > 0 && length + 1 + word.length() > LINE_CHARS) {
        text.append('\n');
        length = 0;
      }
      if (length > 0) {
        text.append(' ');
        length++;
      }
      text.append(word);
      length += word.length();
    }
    text.append('\n');
  }
}
