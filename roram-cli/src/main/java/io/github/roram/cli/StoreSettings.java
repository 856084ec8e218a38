package io.github.roram.cli;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreProvider;
import io.github.roram.storage.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;

/**
 * Options of a store in a TOML file: a key is an option's name, relative paths start at the file's
 * directory. Every error names file and line.
 */
final class StoreSettings {

  private final Path file;
  private final TomlParseResult parsed;

  private StoreSettings(Path file, TomlParseResult parsed) {
    this.file = file;
    this.parsed = parsed;
  }

  /**
   * Reads what is said of a store of that kind.
   *
   * @throws ConfigurationException if the file is no TOML, or a key or value cannot be
   */
  static StoreOptions read(Path file, StoreProvider provider) throws IOException {
    TomlParseResult parsed = Toml.parse(file);
    if (parsed.hasErrors()) {
      TomlParseError first = parsed.errors().get(0);
      throw new ConfigurationException(
          file + ":" + first.position().line() + ": is no TOML: " + first.getMessage());
    }
    StoreSettings settings = new StoreSettings(file, parsed);
    StoreOptions options = StoreOptions.defaults();
    for (String key : parsed.keySet()) {
      options = settings.with(options, key, provider);
    }
    return options;
  }

  private StoreOptions with(StoreOptions options, String key, StoreProvider provider) {
    StoreOption<?> option = StoreArguments.ownOption(provider, key);
    if (option == null) {
      throw new ConfigurationException(place(key) + " is " + whatElse(key, provider));
    }
    return with(options, option);
  }

  private <T> StoreOptions with(StoreOptions options, StoreOption<T> option) {
    String value = String.valueOf(parsed.get(List.of(option.name())));
    @Nullable Path parent = file.toAbsolutePath().getParent();
    Path base = Objects.requireNonNull(parent, "a file that was read has a directory");
    return options.with(option, option.parse(place(option.name()), value, base));
  }

  private String place(String key) {
    return file
        + ":"
        + Objects.requireNonNull(parsed.inputPositionOf(List.of(key)), "a key that is there").line()
        + ": "
        + key;
  }

  private static String whatElse(String key, StoreProvider provider) {
    List<StoreProvider> kinds = Stores.providers();
    for (StoreProvider other : kinds) {
      StoreOption<?> option = StoreArguments.ownOption(other, key);
      if (option != null) {
        return StoreArguments.notOf(provider, option, kinds) + ": take it out";
      }
    }
    return "no option of any store; " + provider.scheme() + ": stores have " + provider.options();
  }
}
