package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.bench.experiment.Experiment;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import picocli.CommandLine;

/**
 * The table of all claims of the papers (docs/results/claims.md): no claim without an answer, and
 * the files, tests and commands that it names are there.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ClaimsTableTest {

  private static final int CLAIMS = 66;
  private static final int CELLS = 6;
  private static final int WHERE = 2;
  private static final int COMMAND = 3;
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

  private final List<List<String>> rows = new ArrayList<>();
  private final Set<String> files = new HashSet<>();

  @BeforeAll
  void readTable() throws IOException {
    String page = Files.readString(SourceTree.ROOT.resolve("docs/results/claims.md"));
    page.lines().filter(line -> line.contains(" | ")).skip(2).forEach(this::addRow);
    SourceTree.files().forEach(file -> files.add(file.getFileName().toString()));
  }

  private void addRow(String line) {
    String cells = line.substring(1, line.length() - 1); // between the outer bars
    rows.add(Arrays.stream(cells.split("\\|", -1)).map(String::strip).toList());
  }

  private static List<String> quoted(String cell) {
    List<String> quoted = new ArrayList<>();
    for (Matcher matcher = QUOTED.matcher(cell); matcher.find(); ) {
      quoted.add(matcher.group(1));
    }
    return quoted;
  }

  @Test
  void everyClaimHasAnAnswer() {
    assertThat(rows).hasSize(CLAIMS);
    assertThat(rows)
        .allSatisfy(row -> assertThat(row).hasSize(CELLS).noneMatch(String::isEmpty))
        .allSatisfy(row -> assertThat(row.get(0)).matches("[RTK] .+"))
        .doesNotHaveDuplicates();
  }

  @Test
  void filesAreThere() {
    for (List<String> row : rows) {
      List<String> named = quoted(row.get(WHERE));
      assertThat(named).as(row.toString()).isNotEmpty();
      assertThat(files)
          .as(row.toString())
          .containsAll(named.stream().map(n -> n + ".java").toList());
    }
  }

  @Test
  void commandsAndTestsAreThere() {
    Set<String> experiments = new HashSet<>(Experiment.names());
    CommandLine commands = RoramCommand.commandLine(Environment.ofProcess());
    for (List<String> row : rows) {
      List<String> named = quoted(row.get(COMMAND));
      assertThat(named).as(row.toString()).hasSize(1);
      String command = named.get(0);
      if (command.endsWith("Test") || command.endsWith("Benchmark")) {
        assertThat(files).contains(command + ".java");
        continue;
      }
      String[] words = command.split(" ");
      // Throws for what the command does not know.
      CommandLine.ParseResult parsed = commands.parseArgs(words);
      assertThat(parsed.hasSubcommand()).as(command).isTrue();
      if (words[0].equals("experiment")) {
        assertThat(experiments).contains(words[1]);
      }
    }
  }
}
