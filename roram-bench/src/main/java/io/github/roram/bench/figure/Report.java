package io.github.roram.bench.figure;

import io.github.roram.bench.demo.Html;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The report: one page of HTML that needs no other file. Its charts are small PNGs, since as SVG
 * they are many times as large: what draws them writes text as outlines.
 */
final class Report {

  private static final String TEMPLATE = "report.html";

  private Report() {}

  /** Tables that stand in the report as they are, and what is said above each. */
  private record Section(String name, String title, String text) {}

  private static final List<Section> SECTIONS =
      List.of(
          new Section(
              "claims",
              "The paper's claims beside ours",
              "Ratios of times, modelled but for the device “measured”; in brackets the 95 %"
                  + " confidence interval. The columns name what rORAM (or batching) is compared"
                  + " with. “reached”: the whole interval is at least what the paper says;"
                  + " “about”: the interval holds it."),
          new Section(
              "breakdown",
              "Where the time goes",
              "Modelled seconds: per block (figure 6) or per query (figure 7), by what they are for."),
          new Section(
              "levers",
              "What can be done about bytes",
              "How many times faster than path-strong, modelled, on the traces; each lever alone and"
                  + " some together. The first line has a tree for each size class and treetops of"
                  + " half the leaves. Padding: blocks whose evictions came early because more was"
                  + " written than the share allows. The last column: the widest 95 % confidence"
                  + " interval of the line's ratios, in per cent of the ratio to either side."),
          new Section(
              "stash-bounds",
              "Stash",
              "The largest stash of any run and load, what the library refuses to exceed, and what"
                  + " Theorem 1 allows with a probability of 2^-80 (for the paper's parameters)."),
          new Section(
              "cost-fits",
              "Exponents",
              "Least squares on logarithms: cost = a·(log N)^b for a range of 2^4 blocks on devices"
                  + " with ranges up to N/16, and a·r^b at the largest device."),
          new Section("about", "What was run", ""));

  /** Whether there is anything to report beside charts. */
  static boolean hasTables(Path directory) throws IOException {
    for (Section section : SECTIONS) {
      if (!read(directory, section).rows().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private static Table read(Path directory, Section section) throws IOException {
    return Table.read(directory, section.name(), List.of());
  }

  static String render(Path directory, Map<FigureStyle, List<Charts.Picture>> drawn)
      throws IOException {
    StringBuilder body = new StringBuilder();
    section(body, directory, SECTIONS.get(0));
    for (Map.Entry<FigureStyle, List<Charts.Picture>> figure : drawn.entrySet()) {
      FigureStyle style = figure.getKey();
      body.append("<h2>")
          .append(Html.escape(style.title() + " (the paper's " + style.paper() + ")"))
          .append("</h2>\n<div class=\"charts\">\n");
      for (Charts.Picture picture : figure.getValue()) {
        body.append("<figure><img alt=\"")
            .append(Html.escape(picture.title()))
            .append("\" src=\"data:image/png;base64,")
            .append(picture.base64())
            .append("\"></figure>\n");
      }
      body.append("</div>\n");
    }
    for (Section section : SECTIONS.subList(1, SECTIONS.size())) {
      section(body, directory, section);
    }
    return template().replace("{{body}}", body);
  }

  private static void section(StringBuilder body, Path directory, Section section)
      throws IOException {
    Table table = read(directory, section);
    if (table.rows().isEmpty()) {
      return;
    }
    body.append("<h2>").append(Html.escape(section.title())).append("</h2>\n<p>");
    body.append(Html.escape(section.text())).append("</p>\n<div class=\"scroll\"><table>\n<tr>");
    table.columns().forEach(name -> body.append("<th>").append(Html.escape(name)).append("</th>"));
    body.append("</tr>\n");
    for (List<String> row : table.rows()) {
      body.append("<tr>");
      row.forEach(cell -> body.append("<td>").append(Html.escape(cell)).append("</td>"));
      body.append("</tr>\n");
    }
    body.append("</table></div>\n");
  }

  private static String template() throws IOException {
    try (InputStream in = Report.class.getResourceAsStream(TEMPLATE)) {
      if (in == null) {
        throw new IOException("the jar lacks " + TEMPLATE + "; build it again");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
