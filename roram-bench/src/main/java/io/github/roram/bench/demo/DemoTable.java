package io.github.roram.bench.demo;

import io.github.roram.bench.demo.DemoReport.Findings;
import io.github.roram.bench.report.TextTable;
import io.github.roram.storage.device.DeviceModel;
import java.util.ArrayList;
import java.util.List;

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
    table(DemoColumns.measured(), report, text);
    text.append('\n').append(DemoColumns.MODELLED_TITLE).append('\n');
    table(DemoColumns.modelled(), report, text);
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
      List<DemoColumns.Column> columns, DemoReport report, StringBuilder text) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(columns.stream().map(DemoColumns.Column::title).toList());
    rows.addAll(DemoColumns.rows(columns, report));
    List<String> lines = new ArrayList<>(TextTable.lines(rows, TEXT_COLUMNS));
    lines.add(1, TextTable.rule(rows));
    lines.forEach(line -> text.append(line).append('\n'));
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
