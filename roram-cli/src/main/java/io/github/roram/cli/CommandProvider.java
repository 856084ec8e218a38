package io.github.roram.cli;

import java.util.List;

/**
 * Commands that a jar adds to {@code roram}. They are found by {@link java.util.ServiceLoader}: the
 * jar names a public class with a constructor without arguments in {@code META-INF/services}.
 */
public interface CommandProvider {

  /**
   * Classes with picocli's {@code @Command}, in the order in which help lists them. The class of
   * {@code roram replay} is named {@code ReplayCommand}, so that a command can be found without
   * describing the others.
   */
  List<Class<?>> commands();
}
