package io.github.roram.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.Oram;
import io.github.roram.VerifyReport;
import io.github.roram.json.JsonFile;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code roram verify}: is everything that was written still there, and unchanged? */
@Command(
    name = "verify",
    header = "Check a whole store; never writes.",
    description = {
      "",
      "Reads everything. Each bucket must be the newest one that was written to its place,"
          + " each block must be where a read looks for it, and all trees must hold the same"
          + " blocks with the same data. A store that was not closed is recovered in memory first.",
      "",
      "Each problem is one line on standard output; the exit code is then 3.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  roram verify file:/data/vault --key-file my.key"})
final class VerifyCommand extends StoreCommand {

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description =
          "Write the result as JSON, with the first " + VerifyReport.MAX_FINDINGS + " findings.")
  @Nullable Path json;

  @Override
  public Integer call() throws IOException {
    try (StoreSession session = open()) {
      if (!session.oram().recovery().clean()) {
        roram.note(
            storeUri
                + " was not closed: checked as it is after recovery, which roram recover does.");
      }
      VerifyReport report = verify(session.oram(), session::checkNotStopping, roram);
      print(report, roram.environment());
      if (json != null) {
        write(report, json);
      }
      if (report.clean()) {
        roram.note("All is well with " + storeUri + ": " + summary(report));
        return ExitCodes.OK;
      }
      roram
          .environment()
          .tell(
              "roram: "
                  + storeUri
                  + " is damaged, "
                  + report.findingCount()
                  + " findings: "
                  + summary(report));
      return ExitCodes.DATA;
    }
  }

  /**
   * Verifies with a progress bar.
   *
   * @param meanwhile is run from time to time, and may throw
   */
  static VerifyReport verify(Oram oram, Runnable meanwhile, RoramCommand roram) throws IOException {
    try (Progress.Stages bar = roram.stages()) {
      return oram.verify(
          (doneBytes, totalBytes) -> {
            meanwhile.run();
            bar.advancedTo("verify", doneBytes, totalBytes);
          });
    }
  }

  /** Prints one line for each finding. */
  static void print(VerifyReport report, Environment environment) {
    for (VerifyReport.Finding finding : report.findings()) {
      environment.answer(finding.message());
    }
    long more = report.findingCount() - report.findings().size();
    if (more > 0) {
      environment.answer("and " + more + " more");
    }
  }

  private static String summary(VerifyReport report) {
    return report.buckets()
        + " buckets ("
        + ByteSizeConverter.format(report.bytes())
        + "), "
        + report.blocks()
        + " blocks.";
  }

  private void write(VerifyReport report, Path file) throws IOException {
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
