package io.github.roram.storage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Directories for tests. */
public final class Directories {

  private Directories() {}

  /** The entries of a directory. */
  public static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.toList();
    }
  }

  /** The bytes of each file in a directory, as text, by its name. */
  public static Map<String, String> contents(Path directory) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    for (Path file : list(directory)) {
      contents.put(String.valueOf(file.getFileName()), Files.readString(file, ISO_8859_1));
    }
    return contents;
  }
}
