package io.github.roram.cli;

import io.github.roram.SalvageReport;
import io.github.roram.client.Roram;
import io.github.roram.json.JsonFile;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code roram salvage}: what is left of a store whose client is lost. */
@Command(
    name = "salvage",
    header = "Bring back what is on a store whose client's records are lost or damaged.",
    description = {
      "",
      "Reads all of the store, which it leaves as it is, and puts the newest copy of each block"
          + " that was evicted to it into a new one. It needs what unlocks the store, and the"
          + " records of its keys: from the copy that the store keeps of them (--client-copy keys or"
          + " all), or where the client has them, if only others are lost.",
      "",
      "What is not on the store cannot come back: blocks that were with the client, in its"
          + " stash or treetop, are missing or older than they were. roram restore --from-store, or a"
          + " backup, brings back more; try these first.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram salvage file:/data/vault --state-dir state --to file:/data/left \\",
      "    --key-file my.key --scratch /var/tmp"
    })
final class SalvageCommand extends CopyCommand {

  @Option(names = "--json", paramLabel = "FILE", description = "Write what was found as JSON.")
  @Nullable Path json;

  @Override
  public Integer call() throws IOException {
    Roram copy = copy();
    Roram own = store();
    long blocks = own.lostInfo().config().blocks();
    SalvageReport report;
    try (TwoBars bars = new TwoBars()) {
      report = own.salvageTo(copy, scratch, bars);
    }
    if (json != null) {
      JsonFile.write(
          JsonFile.of("salvage", 1)
              .put("store", storeUri)
              .put("target", target)
              .put("blocks", blocks)
              .put("foundBlocks", report.foundBlocks())
              .put("uncertainBlocks", report.uncertainBlocks())
              .put("buckets", report.buckets())
              .put("missingBuckets", report.missingBuckets()),
          json);
    }
    Environment out = roram.environment();
    out.answer("blocks found      " + report.foundBlocks() + " of " + blocks);
    out.answer(
        "not found         "
            + (blocks - report.foundBlocks())
            + ": never written, or only with the client; zeros in the new store");
    out.answer(
        "uncertain         "
            + report.uncertainBlocks()
            + ": two trees differ, the later eviction was taken");
    out.answer(
        "missing buckets   "
            + report.missingBuckets()
            + (report.missingBuckets() == 0
                ? ""
                : ": the store lost, changed or put back some; what was in them may be older"));
    out.answer("Any block may be older that was with the client last. " + target + " has them.");
    return ExitCodes.OK;
  }
}
