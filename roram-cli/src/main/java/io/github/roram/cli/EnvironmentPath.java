package io.github.roram.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A path that an environment variable names where the command line does not. */
final class EnvironmentPath {

  private EnvironmentPath() {}

  /** What the option says, or else the variable, if it is set and not empty. */
  static @Nullable Path choice(@Nullable Path option, String variable, Environment environment) {
    String value = environment.variables().get(variable);
    if (option != null || value == null || value.isEmpty()) {
      return option;
    }
    try {
      return Path.of(value);
    } catch (InvalidPathException e) {
      throw new UsageException(variable + " is \"" + value + "\", no path: " + e.getMessage());
    }
  }
}
