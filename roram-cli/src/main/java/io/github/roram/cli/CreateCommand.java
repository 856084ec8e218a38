package io.github.roram.cli;

import io.github.roram.ClientBudget;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.cli.HelpSection.In;
import io.github.roram.client.Roram;
import io.github.roram.client.TreeChoice;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreUse;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.file.FileRollbackGuard;
import io.github.roram.store.OnFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code roram create}: a new, empty store. */
@Command(
    name = "create",
    header = "Create an empty store.",
    description = {
      "",
      "All blocks of a new store read as zeros. Creating a store takes no time and almost"
          + " no space, however large the store is: its files grow as it is written.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  1 GiB in blocks of 4 KiB, with a key made for it:",
      "    roram create file:/data/vault --blocks 2^18 --key-file my.key --new-key",
      "  Only long and single-block accesses, asking for a passphrase:",
      "    roram create file:/data/media --blocks 1M --max-range 256 --classes 0,8",
      "  With the client's records on another disk than the store:",
      "    roram create file:/data/vault --blocks 2^18 --key-file my.key \\",
      "      --state-dir /home/me/vault-state",
      "  For a machine with little memory:",
      "    roram create file:/data/vault --blocks 2^22 --client-memory 32M \\",
      "      --key-file my.key",
      "  On a block server:",
      "    roram create tls://blocks.example.org:7420/vault --blocks 2^18 \\",
      "      --key-file my.key --ca ca.crt --client-cert me.crt --client-key me.key"
    })
final class CreateCommand extends StoreTaker {

  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "STORE",
      description = "Where to put the store, as in file:DIR (roram help store).")
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
      description =
          "roram, path-batched, path, tao, ring, detwo, or one of a jar that you added (default:"
              + " ${DEFAULT-VALUE}). Scheme detwo hides writes only, from an observer who sees copies"
              + " of the store; it takes --set overhead=K and --set cipher=aes or chacha (roram help"
              + " schemes).")
  String scheme;

  @In(HelpSection.TUNING)
  @Option(
      names = "--device",
      paramLabel = "NAME",
      description =
          "What the store is on, for the choice of trees: hdd, ssd, network, wan or s3 (default: by the"
              + " kind of store, and what Linux says of the disk of files).")
  @Nullable String device;

  @Mixin TuningOptions tuning;

  @In(HelpSection.TUNING)
  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "With --client-memory: how many accesses will overlap within it, 1 to 256 (default:"
              + " one at a time). Use the value that proxy, nbd and load will use.")
  int inFlight;

  @Mixin KeyOptions keys;

  @Option(
      names = "--new-key",
      description = "Generate a key and write it to --key-file, which must not exist.")
  boolean newKey;

  @In(HelpSection.WHERE)
  @Option(
      names = "--rollback-guard",
      paramLabel = "FILE",
      description =
          "New file, to be kept apart from the store, that will tell whether the client's"
              + " records are the newest.")
  @Nullable Path rollbackGuard;

  CreateCommand() {
    super(StoreUse.CREATE);
  }

  @Override
  public Integer call() throws IOException {
    StoreOptions options = store.options(storeUri, roram.environment());
    if (!Stores.traits(storeUri, options).lasting()) {
      throw new UsageException(storeUri + " would end with the command; create file:DIR instead");
    }
    if (tuning.clientBytes == null) {
      IdleOptions.refuse(
          spec,
          Set.of("--in-flight"),
          "shares out the memory of --client-memory: add that, or leave it out");
    }
    OpenOptions opening = OpenOptions.defaults().withInFlight(InFlightOption.checked(inFlight));
    Roram at = Roram.at(storeUri).store(options);
    TreeChoice choice =
        (device == null ? at : at.device(device()))
            .choose(builder -> tuning.into(builder, scheme, blocks, opening));
    if (Stores.exists(storeUri, options)) {
      throw new UsageException(storeUri + " holds a store already; choose another place");
    }
    OramConfig config =
        create(
            choice.config(), at.key(keys.choice().newKey(newKey, storeUri, roram.environment())));
    if (newKey) {
      roram.note("The key is in " + keys.keyFile + ". Keep a copy: without it the data is lost.");
    }
    roram.note(
        "Created " + storeUri + ": " + ByteSizeConverter.format(config.bytes()) + ", " + config);
    if (choice.other() != null) {
      roram.note(choice.reason() + " (--device and --trees choose others).");
    }
    ClientBudget budget = tuning.budget(opening);
    if (budget != null) {
      MemoryText.chosen(config, budget, at.keepsObjects()).forEach(roram::note);
    } else {
      // Longer ranges than are of use cost the client memory.
      MemoryText.scanPays(config, config.maxRangeBlocks()).ifPresent(roram::note);
    }
    return ExitCodes.OK;
  }

  private DeviceModel device() {
    return DeviceModel.NAMED.stream()
        .filter(known -> known.id().equals(device))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "--device is '" + device + "', must be hdd, ssd, network, wan or s3"));
  }

  /** Returns what it became: a store of objects has whole chunks. */
  private OramConfig create(OramConfig config, Roram at) throws IOException {
    OpenOptions use = tuning.over(OpenOptions.defaults());
    Path guard = rollbackGuard;
    if (guard == null) {
      return create(config, at, use);
    }
    FileRollbackGuard created = FileRollbackGuard.create(guard);
    return OnFailure.close(
        () -> Files.deleteIfExists(guard),
        () -> create(config, at, use.withRollbackGuard(created)));
  }

  private static OramConfig create(OramConfig config, Roram at, OpenOptions use)
      throws IOException {
    try (Oram oram = at.options(use).create(config)) {
      return oram.config();
    }
  }
}
