package io.github.roram.auditor.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.auditor.AuditReport;
import io.github.roram.auditor.judge.Advantage;
import io.github.roram.auditor.judge.Finding;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What an audit found, as JSON. Scripts read it: fields keep names and meanings. */
public final class JsonReport {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private JsonReport() {}

  /** Writes a report to a file, replacing it. */
  public static void write(AuditReport report, Path file) throws IOException {
    ObjectNode root = MAPPER.createObjectNode();
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
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      MAPPER.writeValue(out, root);
    }
  }

  private static void add(ObjectNode node, Finding finding) {
    node.put("pair", finding.pair())
        .put("observer", TextReport.name(finding.observer()))
        .put("check", finding.check())
        .put("verdict", finding.verdict().text())
        .put("evidence", finding.evidence());
    Advantage advantage = finding.advantage();
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
