package io.github.roram.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The packages of compiled classes. */
final class Packages {

  private Packages() {}

  /** Names of all packages with classes in a directory. */
  static Set<String> under(Path classes) {
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .map(file -> classes.relativize(file).getParent())
          .filter(folder -> folder != null)
          .map(folder -> folder.toString().replace(folder.getFileSystem().getSeparator(), "."))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
