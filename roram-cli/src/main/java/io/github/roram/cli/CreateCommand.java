package io.github.roram.cli;

import io.github.roram.OramConfig;
import io.github.roram.Orams;
import io.github.roram.Scheme;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code roram create}: a new, empty store. */
@Command(
    name = "create",
    mixinStandardHelpOptions = true,
    header = "Create an empty store.",
    description = {
      "",
      "All blocks of a new store read as zeros. Creating takes no time and next to no space, however"
          + " large the store: its files grow as it is written.",
      "",
      KeyOptions.HELP,
      "",
      ByteSizeConverter.SYNTAX,
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  1 GiB in blocks of 4 KiB, with a key made for it:",
      "    roram create file:/data/vault --blocks 2^18 --key-file my.key --new-key",
      "  Only long and single-block accesses, asking for a passphrase:",
      "    roram create file:/data/media --blocks 1M --max-range 256 --classes 0,8"
    })
final class CreateCommand implements Callable<Integer> {

  @ParentCommand Roram roram;

  @Parameters(paramLabel = "STORE", description = "Where the store is to be, as in file:DIR.")
  String storeUri;

  @Option(
      names = "--blocks",
      required = true,
      paramLabel = "N",
      description = "Number of blocks, up to 2^30.")
  long blocks;

  @Option(
      names = "--scheme",
      paramLabel = "NAME",
      defaultValue = "roram",
      description = "roram, path-batched or path (default: ${DEFAULT-VALUE}).")
  String scheme;

  @Mixin TuningOptions tuning;

  @Mixin KeyOptions keys;

  @Option(
      names = "--new-key",
      description = "Generate a key and write it to --key-file, which must not exist.")
  boolean newKey;

  @Option(
      names = "--segment-size",
      paramLabel = "BYTES",
      defaultValue = "1G",
      description = "Longest segment file (default: ${DEFAULT-VALUE}).")
  long segmentBytes;

  @Override
  public Integer call() throws IOException {
    if (storeUri.equals("mem:")) {
      throw new UsageException("a store in memory ends with the command; create file:DIR instead");
    }
    OramConfig config = tuning.config(Scheme.of(scheme), blocks);
    StoreOptions options = StoreOptions.defaults().withSegmentBytes(segmentBytes);
    if (Stores.exists(storeUri)) {
      throw new UsageException(storeUri + " holds a store already; choose another place");
    }
    try (NewKey key = NewKey.from(keys, newKey, storeUri, roram.environment())) {
      try {
        create(config, options, key);
      } catch (IOException | RuntimeException e) {
        StoreSession.closeAfter(e, key::discard);
        throw e;
      }
      if (key.newFile() != null) {
        roram.note(
            "The key is in " + key.newFile() + ". Keep a copy: without it the data is lost.");
      }
    }
    roram.note(
        "Created " + storeUri + ": " + ByteSizeConverter.format(config.bytes()) + ", " + config);
    return ExitCodes.OK;
  }

  private void create(OramConfig config, StoreOptions options, NewKey key) throws IOException {
    OpenedStore opened = Stores.create(storeUri, Orams.storeBytes(config), options);
    boolean done = false;
    try (opened) {
      key.saveParameters(opened.vault());
      Orams.create(opened.store(), opened.vault(), config, key.key()).close();
      done = true;
    } finally {
      if (!done) {
        opened.close();
        Stores.delete(storeUri);
      }
    }
  }
}
