package io.github.roram.cli;

import io.github.roram.client.Roram;
import io.github.roram.map.OramMap;
import java.io.IOException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code roram clone}: a store's data in a new one, under fresh labels and another master key. */
@Command(
    name = "clone",
    header = "Copy a store's data into a new store, of this or another size.",
    description = {
      "",
      "One scan of the store, which it leaves as it is, and one bulk load of the new one:"
          + " fresh labels, a new master key, locked with what unlocks this one (roram passwd"
          + " changes that). Unlike a copy of files, a clone may be used next to its original, and"
          + " nobody can link the two.",
      "",
      "With --blocks the new store is larger or smaller; it must hold all that is not zero."
          + " A clone that was killed leaves an empty store: delete it, and clone again.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram clone file:/data/vault --to file:/data/larger --blocks 2^20 \\",
      "    --key-file my.key --scratch /var/tmp",
      "  roram clone file:/data/vault --to tls://blocks.example.org:7420/vault \\",
      "    --to-settings tls.toml --key-file my.key --scratch /var/tmp"
    })
final class CloneCommand extends CopyCommand {

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description = "Number of blocks of the new store (default: as many as this one has).")
  @Nullable Long blocks;

  @Override
  public Integer call() throws IOException {
    Roram copy = copy();
    OptionalLong wanted = blocks != null ? OptionalLong.of(blocks) : OptionalLong.empty();
    long count;
    try (TwoBars bars = new TwoBars()) {
      count = store().cloneTo(copy, wanted, OramMap::keepCapacity, scratch, bars);
    }
    roram.note(target + " has the data of " + storeUri + ", in " + count + " blocks.");
    return ExitCodes.OK;
  }
}
