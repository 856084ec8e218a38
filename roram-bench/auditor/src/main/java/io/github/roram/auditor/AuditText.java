package io.github.roram.auditor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.auditor.Audit.AuditReport;
import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.Findings.Advantage;
import io.github.roram.auditor.judge.Findings.Finding;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.json.JsonFile;
import io.github.roram.storage.view.Observer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Formats the findings of an audit as a table: a line for each pair and observer, followed by what
 * was told apart.
 */
public final class AuditText {

  private static final int PAIR_WIDTH = 20;
  private static final int OBSERVER_WIDTH = 10;
  private static final int VERDICT_WIDTH = 16;

  private AuditText() {}

  /** Returns the whole text, with a newline at its end. */
  public static String render(AuditReport report) {
    StringBuilder text = new StringBuilder();
    report.subject().forEach(line -> text.append(line).append('\n'));
    text.append('\n').append(render(report.findings()));
    report.undecided().forEach(why -> text.append("UNDECIDED: ").append(why).append('\n'));
    return text.toString();
  }

  /** Returns the findings alone. */
  public static String render(Findings findings) {
    StringBuilder text = new StringBuilder();
    text.append(row("pair", "observer", "verdict", "evidence"));
    for (List<Finding> group : groups(findings)) {
      Finding first = group.get(0);
      Finding worst = worst(group);
      text.append(
          row(
              first.pair(),
              name(first.observer()),
              worst.verdict().text(),
              worst.verdict() == Verdict.ALIKE ? summary(group) : evidence(worst)));
    }
    for (Finding finding : findings.toldApart()) {
      text.append("\nTOLD APART: ")
          .append(finding.pair())
          .append(", ")
          .append(name(finding.observer()))
          .append(": ")
          .append(evidence(finding))
          .append('\n');
    }
    notMade(findings, text);
    return text.append('\n').append(conclusion(findings)).append('\n').toString();
  }

  /** Adds the checks that had nothing to check, with the reason and the pairs. */
  private static void notMade(Findings findings, StringBuilder text) {
    Map<String, List<String>> pairs = new LinkedHashMap<>();
    for (Finding finding : findings.notMade()) {
      String what = name(finding.observer()) + ", " + evidence(finding);
      pairs.computeIfAbsent(what, key -> new ArrayList<>()).add(finding.pair());
    }
    pairs.forEach(
        (what, of) ->
            text.append("\nNot checked: ").append(String.join(", ", of)).append(": ").append(what));
    text.append(pairs.isEmpty() ? "" : "\n");
  }

  /** Returns the conclusion in one sentence. */
  static String conclusion(Findings findings) {
    int apart = findings.toldApart().size();
    String rest = findings.made() + " checks, " + findings.notMade().size() + " not applicable.";
    return apart == 0
        ? "Nothing was told apart in " + rest
        : "Something was told apart by " + apart + " of " + rest;
  }

  static String name(Observer observer) {
    return observer.name().toLowerCase(Locale.ROOT);
  }

  private static String evidence(Finding finding) {
    return finding.check() + ": " + finding.evidence();
  }

  private static String summary(List<Finding> group) {
    long alike = group.stream().filter(f -> f.verdict() == Verdict.ALIKE).count();
    StringBuilder text = new StringBuilder(alike + (alike == 1 ? " check" : " checks"));
    group.stream()
        .filter(finding -> finding.advantage() != null)
        .findFirst()
        .or(() -> group.stream().filter(f -> f.verdict() == Verdict.ALIKE).findFirst())
        .ifPresent(finding -> text.append("; ").append(finding.evidence()));
    return text.toString();
  }

  private static Finding worst(List<Finding> group) {
    Finding worst = group.get(0);
    for (Finding finding : group) {
      worst = finding.verdict().compareTo(worst.verdict()) < 0 ? finding : worst;
    }
    return worst;
  }

  private static List<List<Finding>> groups(Findings findings) {
    Map<String, List<Finding>> groups = new LinkedHashMap<>();
    for (Finding finding : findings.list()) {
      groups
          .computeIfAbsent(finding.pair() + "/" + finding.observer(), key -> new ArrayList<>())
          .add(finding);
    }
    return List.copyOf(groups.values());
  }

  private static String row(String pair, String observer, String verdict, String evidence) {
    return pad(pair, PAIR_WIDTH)
        + pad(observer, OBSERVER_WIDTH)
        + pad(verdict, VERDICT_WIDTH)
        + evidence
        + "\n";
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }

  /** What an audit found, as JSON. Scripts read it: fields keep names and meanings. */
  public static final class AuditJson {

    private AuditJson() {}

    /** Writes a report to a file, replacing it. */
    public static void write(AuditReport report, Path file) throws IOException {
      ObjectNode root = JsonFile.of("audit", 1);
      root.put("clean", report.findings().isClean());
      root.put("accesses", report.accesses());
      root.put("checks", report.findings().made());
      root.put("notApplicable", report.findings().notMade().size());
      ArrayNode undecided = root.putArray("undecided");
      report.undecided().forEach(undecided::add);
      ArrayNode subject = root.putArray("subject");
      report.subject().forEach(subject::add);
      ObjectNode pairs = root.putObject("pairs");
      report.pairs().forEach(pairs::put);
      ArrayNode findings = root.putArray("findings");
      report.findings().list().forEach(finding -> add(findings.addObject(), finding));
      JsonFile.write(root, file);
    }

    private static void add(ObjectNode node, Finding finding) {
      node.put("pair", finding.pair())
          .put("observer", AuditText.name(finding.observer()))
          .put("check", finding.check())
          .put("verdict", finding.verdict().text())
          .put("evidence", finding.evidence());
      Advantage advantage = finding.advantage();
      node.putNull("advantage");
      if (advantage != null) {
        node.putObject("advantage")
            .put("value", advantage.value())
            .put("low", advantage.low())
            .put("high", advantage.high())
            .put("samples", advantage.samples())
            .put("smallest", advantage.smallest());
      }
    }
  }
}
