package io.github.roram.cli;

import io.github.roram.ConfigurationException;
import io.github.roram.netserver.config.SettingsTable;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreProvider;
import io.github.roram.storage.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Options of a store in a TOML file: a key is an option's name, relative paths start at the file's
 * directory. Every error names file and line.
 */
final class StoreSettings {

  private StoreSettings() {}

  /**
   * Reads what is said of a store of that kind.
   *
   * @throws ConfigurationException if the file is no TOML, or a key or value cannot be
   */
  static StoreOptions read(Path file, StoreProvider provider) throws IOException {
    return of(SettingsTable.read(file), provider);
  }

  /** What a table says of a store of that kind. */
  static StoreOptions of(SettingsTable table, StoreProvider provider) {
    StoreOptions options = StoreOptions.defaults();
    for (String key : table.keys()) {
      StoreOption<?> option = StoreArguments.ownOption(provider, key);
      if (option == null) {
        throw table.error(key, "is " + whatElse(key, provider));
      }
      options = with(options, option, table);
    }
    return options;
  }

  private static <T> StoreOptions with(
      StoreOptions options, StoreOption<T> option, SettingsTable table) {
    String key = option.name();
    return options.with(option, option.parse(table.where(key), table.text(key), table.directory()));
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
