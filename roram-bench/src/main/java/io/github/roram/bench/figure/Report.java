package io.github.roram.bench.figure;

import io.github.roram.bench.demo.Html;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * The report: one page of HTML that needs no other file. Its charts are small PNGs, since as SVG
 * they are many times as large: what draws them writes text as outlines. Not thread safe.
 */
final class Report {

  private static final String TEMPLATE = "report.html";

  private final Path directory;
  private final StringBuilder body = new StringBuilder();

  /** Begins one on the CSV files of a directory. */
  Report(Path directory) {
    this.directory = directory;
  }

  /** Adds pictures of a figure, one after another. */
  void pictures(FigureStyle style, List<Charts.Picture> pictures) {
    if (pictures.isEmpty()) {
      return;
    }
    body.append("<h2>")
        .append(Html.escape(style.heading()))
        .append("</h2>\n<div class=\"charts\">\n");
    for (Charts.Picture picture : pictures) {
      body.append("<figure><img alt=\"")
          .append(Html.escape(picture.title()))
          .append("\" src=\"data:image/png;base64,")
          .append(picture.base64())
          .append("\"></figure>\n");
    }
    body.append("</div>\n");
  }

  /** Adds a table, unless there are no rows of it. */
  void table(TableStyle style) throws IOException {
    Table table = Table.read(directory, style.id(), List.of());
    if (table.rows().isEmpty()) {
      return;
    }
    String title = Html.escape(style.title());
    body.append(
        style.folded()
            ? "<details><summary>" + title + "</summary>\n"
            : "<h2>" + title + "</h2>\n");
    body.append("<p>").append(Html.escape(style.text())).append("</p>\n");
    body.append("<div class=\"scroll\"><table>\n<tr>");
    table.columns().forEach(name -> body.append("<th>").append(Html.escape(name)).append("</th>"));
    body.append("</tr>\n");
    for (List<String> row : table.rows()) {
      body.append("<tr>");
      row.forEach(cell -> body.append("<td>").append(Html.escape(cell)).append("</td>"));
      body.append("</tr>\n");
    }
    body.append("</table></div>\n").append(style.folded() ? "</details>\n" : "");
  }

  /** The whole page. */
  String page() throws IOException {
    try (InputStream in = Report.class.getResourceAsStream(TEMPLATE)) {
      if (in == null) {
        throw new IOException("the jar lacks " + TEMPLATE + "; build it again");
      }
      String template = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return template.replace("{{body}}", body);
    }
  }
}
