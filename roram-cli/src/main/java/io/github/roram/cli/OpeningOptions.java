package io.github.roram.cli;

import io.github.roram.Adversary;
import io.github.roram.OpenOptions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What may be chosen of a scheme whenever a store that has it is opened. */
final class OpeningOptions {

  @Option(
      names = "--adversary",
      paramLabel = "WHO",
      description =
          "full (the default), or snapshots: who only ever sees what the store holds, never what is"
              + " read of it. A store of scheme detwo on a server is opened for such only.")
  @Nullable Adversary adversary;

  @Option(
      names = "--form",
      paramLabel = "FORM",
      description =
          "plain, eager, parallel or eager-parallel (scheme detwo only; default: that of create)."
              + " What is written is the same.")
  @Nullable String form;

  @Option(
      names = "--map-directory",
      paramLabel = "DIR",
      description =
          "Where a position map of form file has its file while the store is in use, and checkpoints"
              + " are copied: a directory on this machine's own disk, which nobody sees who sees the"
              + " store.")
  @Nullable Path mapDirectory;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description =
          "A parameter of the scheme that may be another at each opening, by its name. Another name"
              + " is answered with those that there are.")
  Map<String, String> others = new LinkedHashMap<>();

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
