package io.github.roram.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.VerifyReport;
import io.github.roram.json.JsonFile;
import java.io.IOException;
import java.nio.file.Path;

/** What a check of a store found, as JSON. Scripts read it: fields keep names and meanings. */
final class VerifyJson {

  private VerifyJson() {}

  /** Writes a report to a file, replacing it. */
  static void write(String storeUri, VerifyReport report, Path file) throws IOException {
    ObjectNode root =
        JsonFile.of("verify", 1)
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
    JsonFile.write(root, file);
  }
}
