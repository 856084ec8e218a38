package io.github.roram.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.Adversary;
import io.github.roram.ClientMemory;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.RecoveryReport;
import io.github.roram.Scheme;
import io.github.roram.StoreInfo;
import io.github.roram.cli.HelpSection.In;
import io.github.roram.client.WrappedKey;
import io.github.roram.json.JsonFile;
import io.github.roram.open.Orams;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreTraits;
import io.github.roram.storage.Stores;
import io.github.roram.store.PrintableText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code roram info}: what a store says about itself. */
@Command(
    name = "info",
    header = "Show a store's parameters and, with its key, its state.",
    description = {
      "",
      "The parameters are not secret: they are stored unencrypted at the start of the"
          + " store. With a key (--key-file, --key-env, --passphrase-file, or --unlock to be asked"
          + " for a passphrase), the client's state is opened, too; that proves that key and store"
          + " belong together.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  roram info file:/data/vault", "  roram info file:/data/vault --key-file my.key"})
final class InfoCommand extends StoreCommand {

  @Option(names = "--unlock", description = "Ask for the passphrase and show the state, too.")
  boolean unlock;

  @In(HelpSection.MORE)
  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Show how much memory the client may use with this many overlapping accesses, 1 to"
              + " 256 (default: one at a time).")
  int inFlight;

  @Option(names = "--json", paramLabel = "FILE", description = "Write all of it as JSON.")
  @Nullable Path json;

  @Override
  public Integer call() throws IOException {
    int accesses = InFlightOption.checked(inFlight);
    @Nullable ObjectNode root;
    StoreOptions options = options();
    try (OpenedStore opened = Stores.open(storeUri, options)) {
      line("store", storeUri);
      line("kind", Stores.provider(storeUri).about());
      StoreTraits traits = Stores.traits(storeUri, options);
      print(traits);
      StoreInfo info = Orams.inspect(opened.store());
      print(info);
      Optional<String> lock = WrappedKey.load(opened.vault()).map(key -> key.source().toString());
      line("locked with", lock.orElse("the key of a program, or its record is missing"));
      // A journal is deleted when the store is closed.
      boolean journal = !opened.vault().logs().isEmpty();
      line("journal", journal ? "present: in use, or not closed" : "none: closed");
      root = json == null ? null : json(storeUri, traits, info, lock, journal);
    }
    if (unlock || keys.choice().given()) {
      try (StoreSession session = open()) {
        print(session.oram().recovery());
        print(session.oram().config(), session.oram().stats());
        print(session, accesses);
        if (root != null) {
          putState(root, session, accesses);
        }
      }
    }
    if (root != null && json != null) {
      JsonFile.write(root, json);
    }
    return ExitCodes.OK;
  }

  private void print(StoreTraits traits) {
    line(
        "requests",
        "each costs "
            + traits.cost().words()
            + ", up to "
            + traits.requests()
            + " at the same time; reads "
            + (traits.readsSeen() ? "are seen as writes are" : "leave no trace in the store"));
    line(
        "writes",
        (traits.writes() == StoreTraits.Writes.IN_PLACE ? "in place" : "appended")
            + ", best in granules of "
            + ByteSizeConverter.format(traits.granuleBytes())
            + (traits.atomicBytes() == 1
                ? "; a crash may tear them"
                : "; whole up to " + ByteSizeConverter.format(traits.atomicBytes())));
  }

  private void print(StoreInfo info) {
    OramConfig config = info.config();
    line("id", info.storeId());
    line("format", info.formatVersion());
    line("scheme", config.scheme());
    line("blocks", config.blocks() + " of " + config.blockBytes() + " bytes");
    line("size", ByteSizeConverter.format(config.bytes()));
    if (config.has(Scheme.Trait.HIDES_WRITES_ALONE)) {
      boolean declared = config.parameters().adversary() == Adversary.SNAPSHOTS;
      line(
          "hides",
          "which blocks are written, from who sees what the store holds; not how many, and no reads: "
              + (declared
                  ? "it was declared that nobody sees those (--adversary snapshots)"
                  : "so stores that show them are refused"));
    }
    if (config.parameters() instanceof TreeParameters trees && trees.revealsOperationType()) {
      line(
          "shows",
          "the size class of each access, and whether it reads or writes (--reveal-operation-type)");
    }
    line("longest range", config.maxRangeBlocks() + " blocks");
    config.parameters().settings().forEach((name, value) -> line(name, value));
    line(
        "older records",
        (info.witnessed()
                ? "of the client are noticed by the store's watermark"
                : "of the client are not noticed: the store keeps no watermark")
            + (info.guarded() ? "; with the store's, by its rollback guard" : ""));
    line("space", "at most " + ByteSizeConverter.format(info.storeBytes()));
  }

  private void print(RecoveryReport recovery) {
    line(
        "state",
        recovery.clean()
            ? "closed cleanly"
            : "needs recovery, which the next use does: "
                + recovery.accesses()
                + " accesses and "
                + recovery.chunks()
                + " eviction chunks in the journal");
  }

  /** Returns the form of a position map that the client holds. */
  private static String form(OramConfig config) {
    boolean inFile =
        config.parameters() instanceof TreeParameters trees && trees.mapForm().isInFile();
    return inFile ? "in a file" : "local";
  }

  private void print(OramConfig config, OramStats stats) {
    line("key", "fits");
    for (OramStats.TreeStats tree : stats.trees()) {
      line(
          tree.isMap() ? "tree of a map" : "tree of " + tree.rangeBlocks(),
          "height "
              + tree.height()
              + ", treetop "
              + tree.treetopLevels()
              + " levels, "
              + tree.evictions()
              + " evictions, "
              + tree.heldBlocks()
              + " blocks in memory, "
              + tree.stashBlocks()
              + " of them in the stash");
    }
    if (!stats.trees().isEmpty()) {
      long maps = stats.trees().stream().filter(OramStats.TreeStats::isMap).count();
      line(
          "position map",
          (maps == 0 ? form(config) : "recursive, in " + maps + " trees on the store")
              + ": "
              + ByteSizeConverter.format(stats.mapBytes())
              + " of memory");
    }
  }

  /** Prints memory item by item: now, after opening, and at most during use. */
  private void print(StoreSession session, int inFlight) {
    ClientMemory now = session.oram().clientMemory();
    Optional<ClientMemory> most =
        MemoryText.most(session.config(), inFlight, session.keepsObjects());
    if (most.isEmpty()) {
      return;
    }
    line(
        "client memory",
        ByteSizeConverter.format(now.bytes())
            + " now, at most "
            + ByteSizeConverter.format(most.get().bytes())
            + (inFlight == 1 ? "" : " with " + inFlight + " accesses in flight"));
    for (ClientMemory.Item item : most.get().items()) {
      if (item.bytes() > 0) {
        line(
            "",
            item.name()
                + ": "
                + ByteSizeConverter.format(now.bytes(item.name()))
                + " now, at most "
                + ByteSizeConverter.format(item.bytes()));
      }
    }
    MemoryText.costs(session.config()).forEach(cost -> line("", cost));
  }

  private void line(String name, Object value) {
    roram.environment().out().printf("%-14s %s%n", name, PrintableText.of(value.toString()));
  }

  /**
   * Returns the object described in {@code docs/json.md}, as far as it shows without a key; {@code
   * state} is null.
   */
  private static ObjectNode json(
      String storeUri, StoreTraits traits, StoreInfo info, Optional<String> lock, boolean journal) {
    OramConfig config = info.config();
    ObjectNode root =
        JsonFile.of("info", 1)
            .put("store", storeUri)
            .put("id", info.storeId().toString())
            .put("format", info.formatVersion())
            .put("scheme", config.scheme())
            .put("blocks", config.blocks())
            .put("blockBytes", config.blockBytes())
            .put("bytes", config.bytes())
            .put("maxRangeBlocks", config.maxRangeBlocks())
            .put("mostStoreBytes", info.storeBytes())
            .put("witnessed", info.witnessed())
            .put("guarded", info.guarded())
            .put("lockedWith", lock.orElse(null))
            .put("journal", journal);
    ObjectNode parameters = root.putObject("parameters");
    config.parameters().settings().forEach(parameters::put);
    root.putObject("traits")
        .put("readsSeen", traits.readsSeen())
        .put("inPlace", traits.writes() == StoreTraits.Writes.IN_PLACE)
        .put("granuleBytes", traits.granuleBytes())
        .put("atomicBytes", traits.atomicBytes())
        .put("requests", traits.requests());
    return root.putNull("state");
  }

  /** Adds what shows with the key. */
  private static void putState(ObjectNode root, StoreSession session, int inFlight) {
    Oram oram = session.oram();
    RecoveryReport recovery = oram.recovery();
    ObjectNode state =
        root.putObject("state")
            .put("clean", recovery.clean())
            .put("accessesToRecover", recovery.accesses())
            .put("chunksToRecover", recovery.chunks())
            .put("mapBytes", oram.stats().mapBytes());
    ArrayNode trees = state.putArray("trees");
    for (OramStats.TreeStats tree : oram.stats().trees()) {
      trees
          .addObject()
          .put("rangeBlocks", tree.rangeBlocks())
          .put("isMap", tree.isMap())
          .put("height", tree.height())
          .put("treetopLevels", tree.treetopLevels())
          .put("evictions", tree.evictions())
          .put("heldBlocks", tree.heldBlocks())
          .put("stashBlocks", tree.stashBlocks());
    }
    putMemory(state, session, inFlight);
  }

  private static void putMemory(ObjectNode state, StoreSession session, int inFlight) {
    Optional<ClientMemory> most =
        MemoryText.most(session.config(), inFlight, session.keepsObjects());
    if (most.isEmpty()) {
      state.putNull("clientMemory");
      return;
    }
    ClientMemory now = session.oram().clientMemory();
    ObjectNode memory =
        state
            .putObject("clientMemory")
            .put("inFlight", inFlight)
            .put("bytes", now.bytes())
            .put("mostBytes", most.get().bytes());
    ArrayNode items = memory.putArray("items");
    for (ClientMemory.Item item : most.get().items()) {
      items
          .addObject()
          .put("name", item.name())
          .put("bytes", now.bytes(item.name()))
          .put("mostBytes", item.bytes());
    }
  }
}
