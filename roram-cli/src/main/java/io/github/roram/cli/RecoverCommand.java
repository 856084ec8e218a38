package io.github.roram.cli;

import io.github.roram.RecoveryReport;
import java.io.IOException;
import java.io.PrintStream;
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
    PrintStream out = roram.environment().out();
    try (StoreSession session = open()) {
      RecoveryReport report = session.oram().recovery();
      if (report.clean()) {
        out.println(storeUri + " was closed: there is nothing to recover.");
        return ExitCodes.OK;
      }
      out.println(storeUri + " was not closed.");
      describe(report, out);
      session.oram().completeRecovery();
    }
    out.println("Recovered and closed: every acknowledged write is there.");
    return ExitCodes.OK;
  }

  private static void describe(RecoveryReport report, PrintStream out) {
    out.println("journals replayed       " + report.generations());
    out.println("accesses replayed       " + report.accesses());
    out.println("eviction chunks done    " + report.chunks());
    out.println(
        "incomplete last record  "
            + (report.tornBytes() == 0
                ? "none"
                : report.tornBytes() + " bytes, of an access that was not acknowledged"));
    out.println(
        "read under way          "
            + (report.pendingRead() ? "one, repeated with the same paths" : "none"));
  }
}
