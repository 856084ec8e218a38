package io.github.roram.cli;

import io.github.roram.storage.StoreOptions;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Where the client's records are. The environment variable is for stores on block servers alone:
 * set for one of them, it must not send a store in files, opened in the same shell, to another
 * store's records.
 */
final class StateOption {

  private static final String VARIABLE = "RORAM_STATE_DIR";

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description =
          "Where this client keeps its records, which are part of the store (default: file:"
              + " vault/ in the store's directory; tls, tcp: RORAM_STATE_DIR, else below"
              + " ~/.local/state/roram). A store created with it must be given it always.")
  @Nullable Path directory;

  /** The options for a store with what the command line and the environment say. */
  StoreOptions applyTo(StoreOptions options, String storeUri, Environment environment) {
    String uri = storeUri.toLowerCase(Locale.ROOT);
    boolean remote = uri.startsWith("tls:") || uri.startsWith("tcp:");
    Path state = remote ? EnvironmentPath.choice(directory, VARIABLE, environment) : directory;
    return state == null ? options : options.withStateDirectory(state);
  }
}
