package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What comments and documents cite is there: documents, their sections, files, tests, anchors. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CitationsTest {

  private static final Path ROOT = SourceTree.ROOT;

  /** "construction, section 2.2", "construction, sections 2.3 and 2.4", "construction, 2.4". */
  private static final Pattern SECTIONS =
      Pattern.compile(
          "[Cc]onstruction, (?:sections? )?([0-9.]+)((?:(?:,| and) (?:section )?[0-9.]+)*)");

  private static final Pattern NUMBER = Pattern.compile("[0-9]+(?:\\.[0-9]+)*");
  private static final Pattern PAGE = Pattern.compile("docs/[a-z-]+\\.md");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]*)#([^)]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+)$");
  private static final Pattern TEST = Pattern.compile("`([A-Z][A-Za-z]+Test)[`.#]");

  /**
   * A file of the map from concepts to files: `tree/PathRead`, `TreeOram`, `RangeTree.planRead`.
   */
  private static final Pattern FILE =
      Pattern.compile("`((?:[a-z]+/)*(?:[A-Z]+[a-z]+){1,6})(?:[.#][a-zA-Z()]+)?`");

  private static final Pattern QUOTE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private final List<Path> javaFiles = new ArrayList<>();
  private final List<Path> pages = new ArrayList<>();

  @BeforeAll
  void findFiles() throws IOException {
    for (Path file : SourceTree.files()) {
      String name = file.toString();
      if (name.endsWith(".java")) {
        javaFiles.add(file);
      } else if (name.toLowerCase(Locale.ROOT).endsWith(".md")) {
        pages.add(file);
      }
    }
    assertThat(javaFiles).hasSizeGreaterThan(300);
    assertThat(pages).hasSizeGreaterThan(8);
  }

  @Test
  void sectionsOfTheConstructionAreThere() throws IOException {
    Set<String> sections = sections();
    assertThat(sections).contains("2.1", "6");
    List<String> missing = new ArrayList<>();
    int cited = 0;
    for (Path file : Stream.concat(javaFiles.stream(), pages.stream()).toList()) {
      Matcher citations = SECTIONS.matcher(proseOf(file));
      while (citations.find()) {
        Matcher numbers = NUMBER.matcher(citations.group(1) + citations.group(2));
        while (numbers.find()) {
          cited++;
          if (!sections.contains(numbers.group())) {
            missing.add(file + ": construction, section " + numbers.group());
          }
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(cited).isGreaterThan(20);
  }

  private static Set<String> sections() throws IOException {
    Set<String> sections = new HashSet<>();
    Matcher headings = HEADING.matcher(read(ROOT.resolve("docs/construction.md")));
    while (headings.find()) {
      Matcher number = NUMBER.matcher(headings.group(1));
      if (number.lookingAt()) {
        sections.add(number.group());
      }
    }
    return sections;
  }

  @Test
  void pagesAreThere() {
    for (Path file : Stream.concat(javaFiles.stream(), pages.stream()).toList()) {
      Matcher cited = PAGE.matcher(read(file));
      while (cited.find()) {
        assertThat(ROOT.resolve(cited.group())).as("cited in " + file).exists();
      }
    }
  }

  @Test
  void anchorsAreThere() {
    for (Path page : pages) {
      Matcher links = LINK.matcher(read(page));
      while (links.find()) {
        Path target = links.group(1).isEmpty() ? page : page.resolveSibling(links.group(1));
        assertThat(anchors(target))
            .as("anchors that " + page + " links to")
            .contains(links.group(2));
      }
    }
  }

  /** As the hosts of repositories make them. */
  private static Set<String> anchors(Path page) {
    Set<String> anchors = new HashSet<>();
    Matcher headings = HEADING.matcher(read(page));
    while (headings.find()) {
      String heading = headings.group(1).toLowerCase(Locale.ROOT);
      anchors.add(heading.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'));
    }
    return anchors;
  }

  /** A claim's test that was renamed or removed would leave the claim without proof. */
  @Test
  void testsThatDocumentsNameAreThere() {
    Set<String> names = new HashSet<>();
    javaFiles.forEach(file -> names.add(file.getFileName().toString()));
    for (Path page : pages) {
      Matcher tests = TEST.matcher(read(page));
      while (tests.find()) {
        assertThat(names).as("tests that " + page + " names").contains(tests.group(1) + ".java");
      }
    }
  }

  @Test
  void filesOfTheArchitectureAreThere() {
    Matcher cited = FILE.matcher(read(ROOT.resolve("docs/architecture.md")));
    int count = 0;
    while (cited.find()) {
      Path file = Path.of(cited.group(1) + ".java");
      assertThat(javaFiles).as(cited.group()).anyMatch(path -> path.endsWith(file));
      count++;
    }
    assertThat(count).isGreaterThan(40);
  }

  /** What construction.md shows of the paper's algorithms is what the tests run. */
  @Test
  void theSpecificationIsQuotedAsItIs() {
    Path file =
        javaFiles.stream()
            .filter(path -> path.endsWith("PaperSpecification.java"))
            .findAny()
            .orElseThrow();
    Matcher quotes = QUOTE.matcher(read(ROOT.resolve("docs/construction.md")));
    int count = 0;
    while (quotes.find()) {
      assertThat(read(file)).contains(quotes.group(1).indent(2).replaceAll("(?m) +$", ""));
      count++;
    }
    assertThat(count).isPositive();
  }

  /** Measured figures say how they came about, and some page links to them. */
  @Test
  void resultsHaveCommandDateAndCommit() throws IOException {
    String prose = pages.stream().map(CitationsTest::read).collect(Collectors.joining());
    try (Stream<Path> results = Files.list(ROOT.resolve("docs/results"))) {
      for (Path file : results.toList()) {
        String name = file.getFileName().toString();
        assertThat(prose).as("pages that link to results").contains("results/" + name);
        assertThat(read(file))
            .as(name)
            .containsPattern("\\b(by|with)\\b")
            .containsPattern("\\d{4}-\\d{2}-\\d{2}.*commit\\s[0-9a-f]{8}");
      }
    }
  }

  /** Comments break lines in the middle of citations. */
  private static String proseOf(Path file) {
    return read(file).replaceAll("\\s*\\n\\s*(?:\\*|//)?\\s*", " ");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
