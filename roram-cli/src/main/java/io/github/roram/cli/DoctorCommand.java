package io.github.roram.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats.TreeStats;
import io.github.roram.RecoveryReport;
import io.github.roram.Scheme;
import io.github.roram.StoreInfo;
import io.github.roram.client.WrappedKey;
import io.github.roram.json.JsonFile;
import io.github.roram.open.Orams;
import io.github.roram.storage.ClientCopy;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.store.PrintableText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code roram doctor}: a store's health on one page. */
@Command(
    name = "doctor",
    header = "Check a store's health, on one page.",
    description = {
      "",
      "Opens the store as any command does, which checks key, records, journal, watermark and"
          + " guard, and reads nothing else: roram verify reads all data. The exit code is 6 if"
          + " something needs attention, for monitoring; a store that does not open gives the exit"
          + " code of its error.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  roram doctor file:/data/vault --key-file my.key",
      "  roram doctor file:/data/vault --key-file my.key --json health.json"
    })
final class DoctorCommand extends StoreCommand {

  /** The threshold of the alert on a proxy's metric. */
  private static final double STASH_ALARM = 0.7;

  private static final String STASH_LIMIT = "stashLimitBlocks";

  /** Part of the volume's room that is to be free. */
  private static final double LEAST_FREE = 0.05;

  @Option(names = "--json", paramLabel = "FILE", description = "Write all of it as JSON.")
  @Nullable Path json;

  private final List<Check> checks = new ArrayList<>();

  /**
   * One thing that was looked at.
   *
   * @param advice what to do about it; empty if all is well
   */
  private record Check(String name, String value, String advice) {
    boolean isWell() {
      return advice.isEmpty();
    }
  }

  @Override
  public Integer call() throws IOException {
    checks.add(new Check("version", new RoramCommand.Version().getVersion()[0], ""));
    StoreInfo info;
    try (OpenedStore opened = Stores.open(storeUri, options())) {
      info = Orams.inspect(opened.store());
      Optional<Instant> locked = opened.vault().savedAt(WrappedKey.RECORD);
      String lock =
          WrappedKey.load(opened.vault()).map(key -> key.source().toString()).orElse("a program");
      add("locked with", lock + locked.map(at -> ", for " + age(at)).orElse(""));
      add("client's half", half(ClientCopy.in(opened.vault())));
    }
    add("format", info.formatVersion() + ", scheme " + info.config().scheme());
    add(
        "older records",
        (info.witnessed() ? "noticed by the store's watermark" : "not noticed: no watermark")
            + (info.guarded() ? " and a rollback guard" : ""));
    try (StoreSession session = open()) {
      checkState(session.oram());
    }
    checkRoom(info);
    boolean well = checks.stream().allMatch(Check::isWell);
    for (Check check : checks) {
      roram.environment().out().printf("%-16s %s%n", check.name(), PrintableText.of(check.value()));
      if (!check.isWell()) {
        roram.environment().out().printf("%-16s   -> %s%n", "", PrintableText.of(check.advice()));
      }
    }
    roram.answer(well ? "All is well." : "Something needs attention: see above.");
    if (json != null) {
      writeJson(json, well);
    }
    return well ? ExitCodes.OK : ExitCodes.ATTENTION;
  }

  private String half(ClientCopy copy) throws IOException {
    Optional<String> engine = options().get(StoreOptions.VAULT);
    if (engine.isPresent()) {
      return "in an engine, " + engine.get() + ": another machine can go on with it";
    }
    if (storeUri.startsWith("file:") && options().stateDirectory() == null) {
      return "with the store";
    }
    return switch (copy) {
      case NONE -> "on this machine alone: lost with it (--client-copy)";
      case KEYS -> "on this machine; a copy of the keys with the store: roram salvage";
      case ALL -> "on this machine; a copy with the store: roram restore --from-store";
    };
  }

  private void add(String name, String value) {
    checks.add(new Check(name, value, ""));
  }

  private void checkState(Oram oram) {
    RecoveryReport recovery = oram.recovery();
    checks.add(
        new Check(
            "journal",
            recovery.clean()
                ? "none: closed"
                : recovery.accesses() + " accesses and " + recovery.chunks() + " chunks to recover",
            recovery.clean()
                ? ""
                : "it was not closed: the next use recovers it, as roram recover"));
    OramConfig config = oram.config();
    Scheme scheme = Scheme.of(config.scheme());
    long limit = scheme.stashLimit(config).orElse(0);
    String remedy =
        scheme.openingParameterNames().contains(STASH_LIMIT)
            ? "write less for a while, or raise it with --set " + STASH_LIMIT + "=" + 2 * limit
            : "clone it to a new store, whose stash begins empty";
    for (TreeStats tree : oram.stats().trees()) {
      String name = tree.isMap() ? "stash of a map" : "stash of " + tree.rangeBlocks();
      double part = limit == 0 ? 0 : (double) tree.stashBlocks() / limit;
      String value =
          tree.stashBlocks()
              + (limit == 0
                  ? ""
                  : String.format(Locale.ROOT, " of %d: %.0f %%", limit, 100 * part));
      checks.add(
          new Check(
              name,
              value + "; " + tree.heldBlocks() + " blocks held",
              part <= STASH_ALARM ? "" : "beyond the limit accesses fail: " + remedy));
    }
    String most =
        MemoryText.most(config, 1, false)
            .map(memory -> " now, at most " + ByteSizeConverter.format(memory.bytes()))
            .orElse("");
    add("client memory", ByteSizeConverter.format(oram.clientMemory().bytes()) + most);
  }

  /** Checks the free space of the volume with a store in files. */
  private void checkRoom(StoreInfo info) throws IOException {
    String most = "at most " + ByteSizeConverter.format(info.storeBytes());
    if (!storeUri.startsWith("file:")) {
      add("space", most);
      return;
    }
    Path directory = Path.of(storeUri.substring("file:".length()));
    long free = Files.getFileStore(directory).getUsableSpace();
    long total = Files.getFileStore(directory).getTotalSpace();
    checks.add(
        new Check(
            "space",
            most + "; " + ByteSizeConverter.format(free) + " of its volume are free",
            free >= LEAST_FREE * total
                ? ""
                : "files grow as they are written: free some room, or clone it to another volume"));
  }

  private static String age(Instant since) {
    Duration age = Duration.between(since, Instant.now());
    return age.toDays() > 0 ? age.toDays() + " days" : Math.max(0, age.toHours()) + " hours";
  }

  private void writeJson(Path file, boolean well) throws IOException {
    ObjectNode root = JsonFile.of("doctor", 1).put("store", storeUri).put("well", well);
    ArrayNode all = root.putArray("checks");
    for (Check check : checks) {
      all.addObject()
          .put("name", check.name())
          .put("well", check.isWell())
          .put("value", check.value())
          .put("advice", check.advice());
    }
    JsonFile.write(root, file);
  }
}
