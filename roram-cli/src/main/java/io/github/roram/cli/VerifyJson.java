package io.github.roram.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.VerifyReport;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a check of a store found, as JSON. Scripts read it: fields keep names and meanings. */
final class VerifyJson {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private VerifyJson() {}

  /** Writes a report to a file, replacing it. */
  static void write(String storeUri, VerifyReport report, Path file) throws IOException {
    ObjectNode root =
        MAPPER
            .createObjectNode()
            .put("store", storeUri)
            .put("clean", report.clean())
            .put("buckets", report.buckets())
            .put("bytes", report.bytes())
            .put("blocks", report.blocks())
            .put("findingCount", report.findingCount());
    ArrayNode findings = root.putArray("findings");
    for (VerifyReport.Finding finding : report.findings()) {
      findings
          .addObject()
          .put("kind", finding.kind().name())
          .put("tree", finding.tree())
          .put("message", finding.message());
    }
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      MAPPER.writeValue(out, root);
    }
  }
}
