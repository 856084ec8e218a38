package io.github.roram.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

/**
 * A fault, as one of the tables in {@code src/test/mutants} describes it.
 *
 * @param id its name
 * @param breaks what it breaks, in a sentence
 * @param file the source that it changes, from the root of this repository
 * @param edits what it replaces by what, each at one place
 * @param caughtBy of tests their class, or class and method ({@code a.b.CTest#method}); or the
 *     arguments of an audit ({@code audit --pairs …}): each of these finds it, and nothing wrong
 *     without it
 * @param isShort whether {@code .ci/run} has it
 */
record Mutant(
    String id, String breaks, Path file, List<Edit> edits, List<String> caughtBy, boolean isShort) {

  private static final Path TABLES = Path.of("src", "test", "mutants");

  /**
   * One replacement.
   *
   * @param old text that the file has once; blanks and new lines are as good as others
   * @param replacement what is there instead
   */
  record Edit(String old, String replacement) {
    private Pattern pattern() {
      return Pattern.compile(
          Pattern.compile("\\s+")
              .splitAsStream(old.strip())
              .map(Pattern::quote)
              .collect(Collectors.joining("\\s+")));
    }

    private String applyTo(String source, String where) {
      Matcher matcher = pattern().matcher(source);
      long found = matcher.results().count();
      if (found != 1) {
        throw new AssertionError(
            where + ": the source has " + found + " times, not once, the text: " + old);
      }
      return matcher.reset().replaceFirst(Matcher.quoteReplacement(replacement));
    }
  }

  /** All of them, by file and place. */
  static List<Mutant> all() throws IOException {
    List<Mutant> mutants = new ArrayList<>();
    try (var tables = Files.newDirectoryStream(TABLES, "*.toml")) {
      for (Path table : tables) {
        TomlParseResult parsed = Toml.parse(table);
        if (parsed.hasErrors()) {
          throw new IOException(table + ": " + parsed.errors());
        }
        TomlArray found = parsed.getArrayOrEmpty("mutant");
        for (int i = 0; i < found.size(); i++) {
          mutants.add(of(found.getTable(i)));
        }
      }
    }
    return mutants;
  }

  private static Mutant of(TomlTable table) {
    TomlArray pairs = table.getArrayOrEmpty("replace");
    List<Edit> edits = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      TomlArray pair = pairs.getArray(i);
      edits.add(new Edit(pair.getString(0), pair.getString(1)));
    }
    TomlArray names = table.getArrayOrEmpty("caught-by");
    List<String> caughtBy = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      caughtBy.add(names.getString(i));
    }
    return new Mutant(
        table.getString("id", () -> ""),
        table.getString("breaks", () -> ""),
        Path.of(table.getString("file", () -> "")),
        edits,
        caughtBy,
        table.getBoolean("short", () -> false));
  }

  /**
   * The source with the fault in it.
   *
   * @throws AssertionError if the source has not what it replaces, or has it more than once
   */
  String source(Path root) throws IOException {
    String source = Files.readString(root.resolve(file));
    for (Edit edit : edits) {
      source = edit.applyTo(source, id);
    }
    return source;
  }

  @Override
  public String toString() {
    return id + ": " + breaks;
  }
}
