package io.github.roram.auditor.report;

import io.github.roram.auditor.AuditReport;
import io.github.roram.auditor.judge.Finding;
import io.github.roram.auditor.judge.PairSeries;
import io.github.roram.auditor.judge.Verdict;
import io.github.roram.bench.report.Html;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an audit found, as one page of HTML with pictures that needs no other file. */
public final class HtmlReport {

  private static final String HEADLESS = "java.awt.headless";

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>roram audit</title>
      <style>
      body { font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 82em; padding: 0 1em }
      table { border-collapse: collapse } td, th { padding: .2em .7em; text-align: left;
      border-bottom: 1px solid #ddd; vertical-align: top } .apart { background: #fbd5c5 }
      .none { color: #777 } img { max-width: 100% } pre { background: #f4f4f4; padding: .6em }
      </style></head><body>
      <h1>What observers can tell</h1>
      """;

  private HtmlReport() {}

  /** Writes the page to a file, replacing it. */
  public static void write(AuditReport report, Path file) throws IOException {
    if (System.getProperty(HEADLESS) == null) {
      System.setProperty(HEADLESS, "true");
    }
    Files.writeString(file, render(report));
  }

  private static String render(AuditReport report) throws IOException {
    StringBuilder html = new StringBuilder(HEAD);
    html.append("<p><strong>")
        .append(Html.escape(TextReport.conclusion(report.findings())))
        .append("</strong> Each side of a pair made ")
        .append(report.accesses())
        .append(" accesses.</p>\n<pre>");
    report.subject().forEach(line -> html.append(Html.escape(line)).append('\n'));
    html.append("</pre>\n");
    report
        .undecided()
        .forEach(why -> html.append("<p>Undecided: ").append(Html.escape(why)).append(".</p>\n"));
    advantages(report, html);
    report.pairs().forEach((pair, about) -> table(report, pair, about, html));
    for (PairSeries series : report.series()) {
      html.append("<h2>").append(Html.escape(series.pair())).append(", seen</h2>\n");
      picture(Pictures.appended(series), html);
      picture(Pictures.saved(series), html);
      picture(Pictures.labels(series), html);
    }
    return html.append("</body></html>\n").toString();
  }

  private static void advantages(AuditReport report, StringBuilder html) throws IOException {
    Map<String, List<Finding>> byCheck = new LinkedHashMap<>();
    for (Finding finding : report.findings().list()) {
      if (finding.advantage() != null) {
        String title = "The " + TextReport.name(finding.observer()) + "’s " + finding.check();
        byCheck.computeIfAbsent(title, key -> new ArrayList<>()).add(finding);
      }
    }
    if (!byCheck.isEmpty()) {
      html.append("<h2>Advantage of a trained distinguisher</h2>\n<p>On runs that it was not")
          .append(" trained on, with the 95 % confidence interval; 0 is chance.</p>\n");
    }
    for (var entry : byCheck.entrySet()) {
      picture(Pictures.advantages(entry.getKey(), entry.getValue()), html);
    }
  }

  private static void table(AuditReport report, String pair, String about, StringBuilder html) {
    html.append("<h2>")
        .append(Html.escape(pair))
        .append("</h2>\n<p>Must not show: ")
        .append(Html.escape(about))
        .append(".</p>\n<table><thead><tr><th>observer</th><th>check</th><th>verdict</th>")
        .append("<th>evidence</th></tr></thead>\n");
    for (Finding finding : report.findings().list()) {
      if (finding.pair().equals(pair)) {
        html.append(
            finding.verdict() == Verdict.TOLD_APART
                ? "<tr class=\"apart\">"
                : finding.verdict() == Verdict.ALIKE ? "<tr>" : "<tr class=\"none\">");
        cell(TextReport.name(finding.observer()), html);
        cell(finding.check(), html);
        cell(finding.verdict().text(), html);
        cell(finding.evidence(), html);
        html.append("</tr>\n");
      }
    }
    html.append("</table>\n");
  }

  private static void cell(String text, StringBuilder html) {
    html.append("<td>").append(Html.escape(text)).append("</td>");
  }

  private static void picture(String base64, StringBuilder html) {
    if (!base64.isEmpty()) {
      html.append("<img alt=\"\" src=\"data:image/png;base64,").append(base64).append("\">\n");
    }
  }
}
