package io.github.roram.storage;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a store is created, reached and accessed: values of options that kinds of stores declare.
 * Start from the options of a kind, such as {@link
 * io.github.roram.storage.file.FileOptions#storeOptions}, or from {@link #defaults}. Stores ignore
 * options that are not of their kind, so that one set may serve several.
 *
 * <p>Immutable.
 */
public final class StoreOptions {

  /** Where the client's records are, for all kinds of stores that can have them elsewhere. */
  public static final StoreOption<Path> STATE_DIRECTORY =
      StoreOption.path(
          "state-dir",
          "DIR",
          "Where this client keeps its records, which are part of the store. A store created with"
              + " it must be given it always.");

  /** Where the client's records are, if not on this machine, for all kinds of stores. */
  public static final StoreOption<String> VAULT =
      StoreOption.text(
          "vault",
          "URI",
          "An engine, as in s3:BUCKET/PREFIX, where this client keeps its records, so that another"
              + " machine can go on with the store. A store created with it must be given it"
              + " always.");

  /** Whether to take a store from a client that holds it. */
  public static final StoreOption<Boolean> TAKE_OVER =
      StoreOption.flag(
          "take-over",
          "Take a block server's volume, or a --vault, from a client that still holds it.");

  /** Whether to wait for a client that holds a vault. */
  public static final StoreOption<Boolean> STAND_BY =
      StoreOption.flag(
          "standby",
          "Wait until the client that has a --vault is gone, for however long, and take it then.");

  /** How still a vault must be. */
  public static final StoreOption<Duration> VAULT_SECONDS =
      StoreOption.seconds(
              "vault-seconds",
              1,
              86_400,
              "How long a --vault must be still before it counts as left. Its client says three"
                  + " times as often that it is there: give all of its clients the same.")
          .byDefault("15")
          .rare();

  private static final StoreOptions DEFAULTS = new StoreOptions(Map.of());

  private final Map<StoreOption<?>, Object> values;

  private StoreOptions(Map<StoreOption<?>, Object> values) {
    this.values = values;
  }

  /** What is usual for each kind of stores. */
  public static StoreOptions defaults() {
    return DEFAULTS;
  }

  /** The same options but for one. */
  public <T> StoreOptions with(StoreOption<T> option, T value) {
    Map<StoreOption<?>, Object> changed = new LinkedHashMap<>(values);
    changed.put(option, value);
    return new StoreOptions(changed);
  }

  /** The same options, and the others; where both have a value, the others'. */
  public StoreOptions and(StoreOptions others) {
    Map<StoreOption<?>, Object> all = new LinkedHashMap<>(values);
    all.putAll(others.values);
    return new StoreOptions(all);
  }

  /** The same options but for where the client's records are; null for the usual place. */
  public StoreOptions withStateDirectory(@Nullable Path directory) {
    if (directory != null) {
      return with(STATE_DIRECTORY, directory);
    }
    Map<StoreOption<?>, Object> changed = new LinkedHashMap<>(values);
    changed.remove(STATE_DIRECTORY);
    return new StoreOptions(changed);
  }

  /**
   * Where the client's records are; null for {@code DIR/vault} of a store in files, and {@code
   * roram/HOST_PORT_VOLUME} below {@code $XDG_STATE_HOME} or {@code ~/.local/state} of one on a
   * block server.
   */
  public @Nullable Path stateDirectory() {
    return get(STATE_DIRECTORY).orElse(null);
  }

  /** The value of an option; empty if what is usual holds. */
  @SuppressWarnings("unchecked") // with() put it there under the option's own type
  public <T> Optional<T> get(StoreOption<T> option) {
    return Optional.ofNullable((T) values.get(option));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StoreOptions options && options.values.equals(values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /** The options that were given, without secrets. */
  @Override
  public String toString() {
    return values.entrySet().stream()
        .map(e -> e.getKey() + "=" + (e.getKey().isSecret() ? "***" : e.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }
}
