package io.github.roram.auditor;

import io.github.roram.auditor.Audit.AuditReport;
import io.github.roram.auditor.judge.Findings.Advantage;
import io.github.roram.auditor.judge.Findings.Finding;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.auditor.judge.Judge.PairSeries;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chart;
import io.github.roram.bench.report.Html;
import io.github.roram.bench.report.Series;
import io.github.roram.storage.file.ReplacedFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an audit found, as one page of HTML with charts that needs no other file. */
public final class AuditPage {

  private static final List<String> COLUMNS = List.of("observer", "check", "verdict", "evidence");
  private static final FigureStyle ADVANTAGES =
      new FigureStyle("advantages", "", "", "", "Advantage", FigureStyle.Kind.BARS);

  private final AuditReport report;
  private final Html html = new Html("What observers can tell");

  private AuditPage(AuditReport report) {
    this.report = report;
  }

  /** Writes the page to a file; one that is there stays as it is until all is written. */
  public static void write(AuditReport report, Path file) throws IOException {
    ReplacedFile.write(file, new AuditPage(report).render().getBytes(StandardCharsets.UTF_8));
  }

  private String render() throws IOException {
    boolean clean = report.findings().isClean();
    html.paragraph(clean ? "right" : "wrong", AuditText.conclusion(report.findings()))
        .paragraph("Each side of a pair made " + report.accesses() + " accesses.")
        .list(report.subject());
    report.undecided().forEach(why -> html.paragraph("Undecided: " + why + "."));
    advantages();
    report.pairs().forEach(this::table);
    for (PairSeries series : report.series()) {
      html.heading(series.pair() + ", seen")
          .paragraph("Where both sides are the same, the second lies on the first.")
          .charts(charts(series));
    }
    return html.page();
  }

  private void advantages() throws IOException {
    Map<String, List<Series>> byCheck = new LinkedHashMap<>();
    for (Finding finding : report.findings().list()) {
      Advantage found = finding.advantage();
      if (found != null) {
        String check = "The " + AuditText.name(finding.observer()) + "’s " + finding.check();
        byCheck
            .computeIfAbsent(check, key -> new ArrayList<>())
            .add(new Series("", finding.pair(), "", found.value(), found.low(), found.high(), 1));
      }
    }
    if (byCheck.isEmpty()) {
      return;
    }
    List<Chart> charts = new ArrayList<>();
    byCheck.forEach((check, rows) -> charts.add(Chart.of(ADVANTAGES, check, rows)));
    html.heading("Advantage of a trained distinguisher")
        .paragraph(
            "On runs that it was not trained on, with the 95 % confidence interval; 0 is chance.")
        .charts(charts);
  }

  private void table(String pair, String about) {
    List<Finding> of =
        report.findings().list().stream().filter(found -> found.pair().equals(pair)).toList();
    html.heading(pair)
        .paragraph("Must not show: " + about + ".")
        .texts(
            COLUMNS,
            of.stream().map(AuditPage::row).toList(),
            row -> row.get(2).equals(Verdict.TOLD_APART.text()) ? "apart" : "");
  }

  private static List<String> row(Finding finding) {
    return List.of(
        AuditText.name(finding.observer()),
        finding.check(),
        finding.verdict().text(),
        finding.evidence());
  }

  private static List<Chart> charts(PairSeries series) {
    List<Chart> charts = new ArrayList<>();
    add(charts, "Bytes appended to logs", "Access", series.appendedA(), series.appendedB());
    add(charts, "Bytes of saved records", "Save", series.savedA(), series.savedB());
    int bins = series.labelsA().size();
    add(
        charts,
        "Labels shown, tree 0",
        "Label (" + bins + " bins)",
        series.labelsA(),
        series.labelsB());
    return charts;
  }

  /** Adds a picture of both sides; none if there are no data. */
  private static void add(
      List<Chart> charts, String title, String xAxis, List<Long> sideA, List<Long> sideB) {
    List<Series> rows = new ArrayList<>();
    rows(rows, "side A", sideA);
    rows(rows, "side B", sideB);
    if (rows.stream().anyMatch(row -> row.mean() != 0)) {
      charts.add(
          Chart.of(
              new FigureStyle("seen", title, "", xAxis, "", FigureStyle.Kind.CURVES), title, rows));
    }
  }

  private static void rows(List<Series> rows, String side, List<Long> values) {
    for (int i = 0; i < values.size(); i++) {
      rows.add(Series.exact("", side, Integer.toString(i + 1), values.get(i)));
    }
  }
}
