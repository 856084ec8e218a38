package io.github.roram.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.RecoveryReport;
import io.github.roram.json.JsonFile;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code roram recover}: what a crash left, told and completed. */
@Command(
    name = "recover",
    header = "Complete what a crash interrupted, and report it.",
    description = {
      "",
      "You do not need this command: every other one recovers a store that was not closed."
          + " This one reports what is in the journal, repeats the read that was interrupted,"
          + " saves the state and closes the store. You can interrupt it and run it again.",
      "",
      "The store sees that there was a crash: one read is repeated, of the same places.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  roram recover file:/data/vault --key-file my.key"})
final class RecoverCommand extends StoreCommand {

  @Option(names = "--json", paramLabel = "FILE", description = "Write the report as JSON.")
  @Nullable Path json;

  @Override
  public Integer call() throws IOException {
    Environment out = roram.environment();
    try (StoreSession session = open()) {
      RecoveryReport report = session.oram().recovery();
      if (json != null) {
        JsonFile.write(json(storeUri, report), json);
      }
      if (report.clean()) {
        out.answer(storeUri + " was closed: there is nothing to recover.");
        return ExitCodes.OK;
      }
      out.answer(storeUri + " was not closed.");
      describe(report, out);
      session.oram().completeRecovery();
    }
    out.answer("Recovered and closed: every acknowledged write is there.");
    return ExitCodes.OK;
  }

  private static ObjectNode json(String storeUri, RecoveryReport report) {
    return JsonFile.of("recover", 1)
        .put("store", storeUri)
        .put("clean", report.clean())
        .put("journals", report.generations())
        .put("accesses", report.accesses())
        .put("chunks", report.chunks())
        .put("tornBytes", report.tornBytes())
        .put("repeatedRead", report.pendingRead());
  }

  private static void describe(RecoveryReport report, Environment out) {
    out.answer("journals replayed       " + report.generations());
    out.answer("accesses replayed       " + report.accesses());
    out.answer("eviction chunks done    " + report.chunks());
    out.answer(
        "incomplete last record  "
            + (report.tornBytes() == 0
                ? "none"
                : report.tornBytes() + " bytes, of an access that was not acknowledged"));
    out.answer(
        "read under way          "
            + (report.pendingRead() ? "one, repeated with the same paths" : "none"));
  }
}
