package io.github.roram.cli;

import io.github.roram.Adversary;
import io.github.roram.OpenOptions;
import io.github.roram.cli.HelpSection.In;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What may be chosen of a scheme whenever a store that has it is opened. */
@In(HelpSection.TUNING)
final class OpeningOptions {

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

  /** Whether the command line has any. */
  boolean given() {
    return adversary != null || form != null || mapDirectory != null || !others.isEmpty();
  }

  /** Other options with these. */
  OpenOptions over(OpenOptions defaults) {
    OpenOptions options = adversary == null ? defaults : defaults.withAdversary(adversary);
    options = mapDirectory == null ? options : options.withMapDirectory(mapDirectory);
    options = form == null ? options : options.withParameter("form", form);
    for (Map.Entry<String, String> other : others.entrySet()) {
      options = options.withParameter(other.getKey(), other.getValue());
    }
    return options;
  }
}
