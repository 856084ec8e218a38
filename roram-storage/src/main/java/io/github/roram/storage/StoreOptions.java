package io.github.roram.storage;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Options for creating, reaching and accessing a store: values of the options that kinds of stores
 * declare. Start from the options of a kind, such as {@link
 * io.github.roram.storage.file.FileOptions#storeOptions}, or from {@link #defaults}. Stores ignore
 * options of other kinds, so one set may serve several.
 *
 * <p>Immutable.
 */
public final class StoreOptions {

  /** The directory of the client's records, for all kinds of stores that allow a choice. */
  public static final StoreOption<Path> STATE_DIRECTORY =
      StoreOption.path(
          "state-dir",
          "DIR",
          "Where this client keeps its records, which are part of the store. A store created with"
              + " it must be given it always.");

  /** The engine of the client's records, if not this machine; for all kinds of stores. */
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

  /** Whether to wait until the client that holds a vault is gone. */
  public static final StoreOption<Boolean> STAND_BY =
      StoreOption.flag(
          "standby",
          "Wait until the client that has a --vault is gone, for however long, and take it then.");

  /** How long a vault must be without a new slot before another client may take it. */
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

  /** Returns an empty set, which stands for the defaults of each kind of store. */
  public static StoreOptions defaults() {
    return DEFAULTS;
  }

  /** Returns these options with one changed. */
  public <T> StoreOptions with(StoreOption<T> option, T value) {
    Map<StoreOption<?>, Object> changed = new LinkedHashMap<>(values);
    changed.put(option, value);
    return new StoreOptions(changed);
  }

  /** Returns these options and others; the others' values take precedence. */
  public StoreOptions and(StoreOptions others) {
    Map<StoreOption<?>, Object> all = new LinkedHashMap<>(values);
    all.putAll(others.values);
    return new StoreOptions(all);
  }

  /** Returns these options with another directory of the client's records; null for the default. */
  public StoreOptions withStateDirectory(@Nullable Path directory) {
    return directory != null ? with(STATE_DIRECTORY, directory) : without(STATE_DIRECTORY);
  }

  /** Returns these options with the default of one. */
  StoreOptions without(StoreOption<?> option) {
    Map<StoreOption<?>, Object> changed = new LinkedHashMap<>(values);
    changed.remove(option);
    return new StoreOptions(changed);
  }

  /**
   * Returns the directory of the client's records, or null for the default: {@code DIR/vault} for a
   * store in files, {@code roram/HOST_PORT_VOLUME} below {@code $XDG_STATE_HOME} or {@code
   * ~/.local/state} for one on a block server.
   */
  public @Nullable Path stateDirectory() {
    return get(STATE_DIRECTORY).orElse(null);
  }

  /** Returns the value of an option; empty if its default applies. */
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

  /** Returns the options that were given, without secrets. */
  @Override
  public String toString() {
    return values.entrySet().stream()
        .map(e -> e.getKey() + "=" + (e.getKey().isSecret() ? "***" : e.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }
}
