package io.github.roram.cli;

import java.lang.reflect.Field;
import java.util.Set;
import java.util.function.Predicate;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Options that say nothing in what a command was asked for: refused, not ignored. */
final class IdleOptions {

  private IdleOptions() {}

  /**
   * Refuses options.
   *
   * @param names the longest that each has
   * @param why what the message says behind the name
   */
  static void refuse(CommandSpec command, Set<String> names, String why) {
    refuse(command, option -> names.contains(option.longestName()), why);
  }

  /** Refuses any kind of options that have no effect. */
  static void refuse(CommandSpec command, Predicate<OptionSpec> idle, String why) {
    for (OptionSpec given : command.commandLine().getParseResult().matchedOptions()) {
      if (idle.test(given)) {
        throw new UsageException(given.longestName() + " " + why);
      }
    }
  }

  /** Returns whether an option belongs to a class of options. */
  static boolean isOf(Class<?> options, OptionSpec option) {
    return option.userObject() instanceof Field field && field.getDeclaringClass() == options;
  }
}
