package io.github.roram.cli;

import io.github.roram.map.OramMap;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code roram grow}: more blocks, where the others are. */
@Command(
    name = "grow",
    header = "Give a store more blocks, in place.",
    description = {
      "",
      "The new blocks come behind those that there are, and read as zeros; nothing is copied."
          + " For schemes roram and path-batched, on stores that can be made larger; others say"
          + " why not: roram clone --blocks copies them into a larger store. A store cannot shrink"
          + " in place, either.",
      "",
      "It shows the store how many blocks there are now, and no more. If it is interrupted the"
          + " store is as large as before, or as it is to be. A map keeps its capacity.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  roram grow file:/data/vault --blocks 2^21 --key-file my.key"})
final class GrowCommand extends StoreCommand {

  @Option(
      names = "--blocks",
      required = true,
      paramLabel = "N",
      description = "How many blocks the store is to have, more than it has.")
  long blocks;

  @Override
  public Integer call() throws IOException {
    try (StoreSession session = open()) {
      OramMap.keepCapacity(session.oram());
      session.oram().grow(blocks);
    }
    roram.note(storeUri + " has " + blocks + " blocks.");
    return ExitCodes.OK;
  }
}
