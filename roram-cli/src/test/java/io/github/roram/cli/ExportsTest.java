package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of exported packages in docs/architecture.md says what the module descriptors say. */
class ExportsTest {

  private static final String EVERYONE = "everyone";

  private static final Pattern MODULE = Pattern.compile("(?m)^module ([a-z.]+) \\{");
  private static final Pattern EXPORT =
      Pattern.compile("(?m)^ *exports ([a-z.]+)(?: to\\s+([a-z.,\\s]+))?;");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z.]+)` \\| (`io[^|]+) \\| (everyone|`[^|]+`)[^|]*\\|$");
  private static final Pattern NAME = Pattern.compile("[a-z.]+");
  private static final Pattern QUOTED = Pattern.compile("`([a-z.]+)`");

  @Test
  void areThoseOfTheDescriptors() throws IOException {
    Map<String, String> declared = new TreeMap<>();
    for (Path file : SourceTree.files()) {
      if (file.endsWith("main/java/module-info.java")) {
        addDeclared(Files.readString(file), declared);
      }
    }
    assertThat(declared).hasSizeGreaterThan(20);
    assertThat(documented()).isEqualTo(declared);
  }

  private static void addDeclared(String descriptor, Map<String, String> declared) {
    Matcher module = MODULE.matcher(descriptor);
    assertThat(module.find()).isTrue();
    Matcher exports = EXPORT.matcher(descriptor);
    while (exports.find()) {
      String to = exports.group(2);
      declared.put(
          module.group(1) + " exports " + exports.group(1),
          to == null
              ? EVERYONE
              : NAME.matcher(to).results().map(MatchResult::group).toList().toString());
    }
  }

  private static Map<String, String> documented() throws IOException {
    Map<String, String> documented = new TreeMap<>();
    Matcher rows = ROW.matcher(Files.readString(SourceTree.ROOT.resolve("docs/architecture.md")));
    while (rows.find()) {
      String to =
          rows.group(3).equals(EVERYONE) ? EVERYONE : quoted(rows.group(3)).toList().toString();
      quoted(rows.group(2)).forEach(name -> documented.put(rows.group(1) + " exports " + name, to));
    }
    return documented;
  }

  private static Stream<String> quoted(String cell) {
    return QUOTED.matcher(cell).results().map(match -> match.group(1));
  }
}
