package io.github.roram.cli;

import io.github.roram.Adversary;
import io.github.roram.OpenOptions;
import io.github.roram.cli.HelpSection.In;
import io.github.roram.storage.file.FileRollbackGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What may be chosen of a store and its scheme whenever it is opened. */
@In(HelpSection.TUNING)
final class OpeningOptions {

  @In(HelpSection.WHERE)
  @Option(
      names = "--rollback-guard",
      paramLabel = "FILE",
      description =
          "File, kept apart from the client's records, that tells whether they are the newest.")
  @Nullable Path rollbackGuard;

  @Option(
      names = "--adversary",
      paramLabel = "WHO",
      description =
          "full (the default), or snapshots: an observer sees what the store holds, but never"
              + " which parts of it are read. On a server, a store of scheme detwo opens only with"
              + " snapshots.")
  @Nullable Adversary adversary;

  @Option(
      names = "--form",
      paramLabel = "FORM",
      description =
          "plain, eager, parallel or eager-parallel (scheme detwo only; default: as chosen by"
              + " create). What is written is the same.")
  @Nullable String form;

  @Option(
      names = "--map-directory",
      paramLabel = "DIR",
      description =
          "Directory for the file of a position map of form file while the store is in use, and"
              + " for copies of checkpoints: on this machine's own disk, hidden from anyone who sees"
              + " the store.")
  @Nullable Path mapDirectory;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description =
          "Any parameter of the scheme that can change each time the store is opened. A wrong"
              + " name lists the right ones.")
  Map<String, String> others = new LinkedHashMap<>();

  /** Returns whether the command line has any of these options. */
  boolean given() {
    return rollbackGuard != null
        || adversary != null
        || form != null
        || mapDirectory != null
        || !others.isEmpty();
  }

  /** Returns the chosen options with the store's guard, which is for no other store. */
  OpenOptions guarded() throws IOException {
    return rollbackGuard == null
        ? options()
        : options().withRollbackGuard(FileRollbackGuard.open(rollbackGuard));
  }

  /** Returns the chosen options over the defaults, for this store or a copy of it. */
  OpenOptions options() {
    OpenOptions options = OpenOptions.defaults();
    options = adversary == null ? options : options.withAdversary(adversary);
    options = mapDirectory == null ? options : options.withMapDirectory(mapDirectory);
    options = form == null ? options : options.withParameter("form", form);
    for (Map.Entry<String, String> other : others.entrySet()) {
      options = options.withParameter(other.getKey(), other.getValue());
    }
    return options;
  }
}
