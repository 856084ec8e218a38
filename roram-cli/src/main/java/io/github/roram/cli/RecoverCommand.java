package io.github.roram.cli;

import io.github.roram.RecoveryReport;
import java.io.IOException;
import picocli.CommandLine.Command;

/** {@code roram recover}: what a crash left, told and completed. */
@Command(
    name = "recover",
    mixinStandardHelpOptions = true,
    header = "Tell what a crash left of a store, and complete it.",
    description = {
      "",
      "Nobody needs it: every command recovers a store that was not closed. This one says what it"
          + " finds in the journal, repeats the read that was under way, saves the state and closes"
          + " the store. If it is broken off, it can be run again.",
      "",
      "The store sees one read repeated, the same places again, and so that there was a crash.",
      "",
      KeyOptions.HELP,
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  roram recover file:/data/vault --key-file my.key"})
final class RecoverCommand extends StoreCommand {

  @Override
  public Integer call() throws IOException {
    Environment out = roram.environment();
    try (StoreSession session = open()) {
      RecoveryReport report = session.oram().recovery();
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
