package io.github.roram.cli;

import io.github.roram.ConfigurationException;
import io.github.roram.client.Backup;
import io.github.roram.netserver.config.SettingsTable;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreProvider;
import io.github.roram.storage.StoreUse;
import io.github.roram.storage.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The arguments that say how a store is created, reached and accessed, derived from the
 * declarations of all providers. What the command line leaves open is taken from the file of {@code
 * --store-settings}, or else from environment variables.
 */
final class StoreArguments {

  private static final String SETTINGS = "--store-settings";

  private final Set<StoreUse> uses;
  private List<StoreProvider> providers = List.of();
  private @Nullable CommandSpec command;

  StoreArguments(StoreUse... uses) {
    this.uses = Set.of(uses);
  }

  /** Adds the options to the command, in sections by the kinds of stores that have them. */
  void addTo(CommandSpec spec, List<StoreProvider> kinds) {
    command = spec;
    providers = kinds;
    Map<String, List<OptionSpec>> sections = new LinkedHashMap<>();
    for (StoreOption<?> option : offered()) {
      String schemes = schemesWith(option, providers).collect(Collectors.joining(", "));
      sections.computeIfAbsent(schemes, key -> new ArrayList<>()).add(optionSpec(option));
    }
    spec.addOption(
        OptionSpec.builder(SETTINGS)
            .paramLabel("FILE")
            .type(Path.class)
            .description(
                "Options of the store in a file, TOML: take-over = true, for --take-over. The"
                    + " command line comes first, environment variables last.")
            .build());
    sections.entrySet().stream()
        .sorted((a, b) -> Integer.compare(count(b), count(a)))
        .forEach(e -> spec.addArgGroup(section(e.getKey(), e.getValue())));
  }

  /** Returns the number of kinds of stores that a section is for. */
  private static int count(Map.Entry<String, List<OptionSpec>> section) {
    return section.getKey().split(",", -1).length;
  }

  private static ArgGroupSpec section(String kinds, List<OptionSpec> options) {
    ArgGroupSpec.Builder group =
        ArgGroupSpec.builder()
            .heading("%nStores of " + kinds + "%n")
            .validate(false)
            .exclusive(false)
            .multiplicity("0..1");
    for (OptionSpec option : options) {
      group.addArg(option); // no lambda, for the reason that RoramCommand gives
    }
    return group.build();
  }

  private OptionSpec optionSpec(StoreOption<?> option) {
    String description = option.description();
    String otherwise = otherwise(option);
    if (!otherwise.isEmpty()) {
      // Before the full stop, as everywhere in help texts.
      description = description.replaceFirst("\\.$", "") + " (" + otherwise + ").";
    }
    OptionSpec.Builder spec =
        OptionSpec.builder(dashed(option)).description(description).hidden(option.isRare());
    return option.isFlag()
        ? spec.type(boolean.class).arity("0").build()
        : spec.type(String.class).arity("1").paramLabel(option.valueForm()).build();
  }

  /** Returns the default, by kind of store if they differ. */
  private String otherwise(StoreOption<?> option) {
    Map<String, List<String>> schemes = new LinkedHashMap<>();
    for (StoreProvider provider : providers) {
      StoreOption<?> own = ownOption(provider, option.name());
      if (own == null || !provider.options().contains(own)) {
        continue;
      }
      String text =
          Stream.of(
                  own.variable().map(variable -> "or " + variable).orElse(""),
                  own.defaultText().isEmpty() ? "" : "default: " + own.defaultText())
              .filter(part -> !part.isEmpty())
              .collect(Collectors.joining("; "));
      schemes.computeIfAbsent(text, key -> new ArrayList<>()).add(provider.scheme());
    }
    return schemes.size() == 1
        ? schemes.keySet().iterator().next()
        : schemes.entrySet().stream()
            .map(e -> String.join(", ", e.getValue()) + ": " + e.getKey())
            .collect(Collectors.joining("; "));
  }

  private static String dashed(StoreOption<?> option) {
    return "--" + option.name();
  }

  /** Returns the options without secrets, which a command line would show to everyone. */
  private List<StoreOption<?>> offered() {
    return providers.stream()
        .flatMap(provider -> provider.options().stream())
        .filter(option -> uses.stream().anyMatch(option::isFor) && !option.isSecret())
        .<StoreOption<?>>map(option -> option)
        .distinct()
        .toList();
  }

  private static Stream<String> schemesWith(StoreOption<?> option, List<StoreProvider> kinds) {
    return kinds.stream()
        .filter(provider -> provider.options().contains(option))
        .map(provider -> provider.scheme() + ":");
  }

  /**
   * Returns the options that were given for a store.
   *
   * @throws UsageException if an option was given that is for another kind of stores
   * @throws ConfigurationException if a value is invalid
   */
  StoreOptions options(String storeUri, Environment environment) throws IOException {
    return options(storeUri, (Path) matched(SETTINGS), environment)
        .and(fromCommandLine(Stores.provider(storeUri)));
  }

  /**
   * Returns the options that a file and environment variables give for a store other than the
   * command's own.
   *
   * @param file null for none
   * @throws ConfigurationException if a value is invalid
   */
  static StoreOptions options(String storeUri, @Nullable Path file, Environment environment)
      throws IOException {
    StoreProvider provider = Stores.provider(storeUri);
    return fromVariables(provider.accepted(), environment).and(fromFile(file, provider));
  }

  /**
   * Backups at a target, reached as a file and environment variables say. The directory of this
   * client's records of a store is not the target's.
   *
   * @param file null for none
   * @throws ConfigurationException if a value cannot be
   */
  static Backup backup(String target, @Nullable Path file, Environment environment)
      throws IOException {
    if (Backup.isDirectory(target)) {
      if (file != null) {
        throw new UsageException("a directory has no settings: leave " + file + " out");
      }
      return Backup.at(target, StoreOptions.defaults());
    }
    StoreProvider provider = Stores.provider(target);
    StoreOptions settings = fromFile(file, provider);
    StoreOptions variables =
        fromVariables(provider.accepted(), environment).withStateDirectory(null);
    return Backup.at(target, variables.and(settings));
  }

  /**
   * Returns the options in a TOML file, whose keys are the options' names. Every error names file
   * and line.
   */
  private static StoreOptions fromFile(@Nullable Path file, StoreProvider provider)
      throws IOException {
    return file == null ? StoreOptions.defaults() : fromTable(SettingsTable.read(file), provider);
  }

  /**
   * Returns the options in a table of a file, for stores of a kind. Relative paths start at the
   * file's directory.
   *
   * @throws ConfigurationException if a key or a value is invalid
   */
  static StoreOptions fromTable(SettingsTable table, StoreProvider provider) {
    StoreOptions options = StoreOptions.defaults();
    for (String key : table.keys()) {
      StoreOption<?> option = ownOption(provider, key);
      if (option == null) {
        throw table.error(key, "is " + whatElse(key, provider));
      }
      options = with(options, option, table.where(key), table.text(key), table.directory());
    }
    return options;
  }

  private static String whatElse(String key, StoreProvider provider) {
    List<StoreProvider> kinds = Stores.providers();
    for (StoreProvider other : kinds) {
      StoreOption<?> option = ownOption(other, key);
      if (option != null) {
        return notOf(provider, option, kinds) + ": take it out";
      }
    }
    return "no option of any store; " + provider.scheme() + ": stores have " + provider.options();
  }

  /** Returns the arguments that the command line gives. */
  List<String> given() {
    return Stream.concat(Stream.of(SETTINGS), offered().stream().map(StoreArguments::dashed))
        .filter(this::isGiven)
        .toList();
  }

  /** Returns the options that environment variables give. */
  static StoreOptions fromVariables(
      Collection<? extends StoreOption<?>> accepted, Environment environment) {
    StoreOptions options = StoreOptions.defaults();
    for (StoreOption<?> option : accepted) {
      String name = option.variable().orElse("");
      String value = environment.variables().getOrDefault(name, "");
      if (!value.isEmpty()) {
        options = with(options, option, name, value);
      }
    }
    return options;
  }

  private StoreOptions fromCommandLine(StoreProvider provider) {
    StoreOptions options = StoreOptions.defaults();
    for (StoreOption<?> option : offered()) {
      String name = dashed(option);
      if (!isGiven(name)) {
        continue;
      }
      StoreOption<?> own = ownOption(provider, option.name());
      if (own == null) {
        throw new UsageException(
            name + " is " + notOf(provider, option, providers) + ": leave it out");
      }
      options = with(options, own, name, String.valueOf(matched(name)));
    }
    return options;
  }

  /** Returns the option of that name as these stores define it; null if they do not have it. */
  private static @Nullable StoreOption<?> ownOption(StoreProvider provider, String name) {
    return provider.accepted().stream()
        .filter(option -> option.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  /** Says of which stores an option is, in place of those it was given for. */
  private static String notOf(
      StoreProvider provider, StoreOption<?> option, List<StoreProvider> allKinds) {
    return "an option of "
        + schemesWith(option, allKinds).collect(Collectors.joining(" and "))
        + " stores, not of "
        + provider.scheme()
        + ":";
  }

  /**
   * Adds an option that is not from a file.
   *
   * @param said how it was given, for messages
   */
  static <T> StoreOptions with(
      StoreOptions options, StoreOption<T> option, String said, String text) {
    return with(options, option, said, text, Path.of(""));
  }

  private static <T> StoreOptions with(
      StoreOptions options, StoreOption<T> option, String said, String text, Path directory) {
    return options.with(option, option.parse(said, text, directory));
  }

  private boolean isGiven(String name) {
    return matched(name) != null;
  }

  /** Returns the value on the command line; null if there is none. */
  private @Nullable Object matched(String name) {
    if (command == null) {
      throw new IllegalStateException("the arguments were added to no command");
    }
    OptionSpec option = command.commandLine().getParseResult().matchedOption(name);
    return option == null ? null : option.getValue();
  }
}
