package io.github.roram.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.FigureStyle.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a reader needs of a chart, whatever its values are. */
class ChartTest {

  private static final String DEVICE = "hdd";

  private static FigureStyle style(Kind kind) {
    return new FigureStyle("test", "Test", "", "Places", "Values", kind);
  }

  private static Series row(String series, int x, double mean, double arm) {
    return new Series(DEVICE, series, Integer.toString(x), mean, mean - arm, mean + arm, 3);
  }

  private static String svg(FigureStyle style, List<Series> rows) {
    return Chart.of(style, "Test", rows).svg();
  }

  /** Also where all values lie within a fraction of a decade, as those of figure 5 on an SSD. */
  @Test
  void everyAxisHasThreeLabelsAndHoldsItsValues() {
    Random random = new Random(1);
    for (int i = 0; i < 2000; i++) {
      double low = Math.pow(10, random.nextDouble() * 12 - 6);
      double high =
          low * (random.nextInt(4) == 0 ? 1 : 1 + Math.pow(10, random.nextDouble() * 9 - 4));
      for (Axis axis :
          List.of(Axis.logarithmic(low, high), Axis.linear(low, high), Axis.between(low, high))) {
        String values = low + " to " + high;
        assertThat(axis.ticks()).as(values).hasSizeBetween(3, 12);
        assertThat(axis.share(low)).as(values).isBetween(-1e-9, 1 + 1e-9);
        assertThat(axis.share(high)).as(values).isBetween(-1e-9, 1 + 1e-9);
        assertThat(List.of(Axis.label(axis.ticks()[0])))
            .doesNotContain(Axis.label(axis.ticks()[1]));
      }
    }
  }

  @Test
  void seriesDifferWithoutColoursAndCoveredOnesAreNamed() {
    List<Series> rows = new ArrayList<>();
    List<String> names = List.of("roram", "path-strong", "one", "two", "three");
    for (String name : names) {
      rows.add(row(name, 1, name.equals("two") ? 1000.1 : 10 * name.length(), 0));
      rows.add(row(name, 5, name.equals("two") ? 900 : 10 * name.length(), 0));
    }
    rows.add(row("covering", 1, 1000, 0));
    rows.add(row("covering", 5, 900, 0));
    String svg = svg(style(Kind.LOGARITHMIC_CURVES), rows);
    List<String> marks =
        Pattern.compile("mark\" d=\"M[0-9.,]+(\\S+?)\"><title>(\\S+)</title>")
            .matcher(svg)
            .results()
            .map(mark -> mark.group(1))
            .distinct()
            .toList();
    assertThat(marks).hasSize(names.size() + 1);
    assertThat(svg).contains(">covering lies on two.<").doesNotContain("lies on one");
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void intervalsAreDrawnOrSaidToBeHidden(Kind kind) {
    assertThat(svg(style(kind), List.of(row("a", 1, 5, 3), row("b", 2, 6, 0))))
        .contains("class=\"ink\"", "95 % confidence intervals, 3 runs.");
    assertThat(svg(style(kind), List.of(row("a", 1, 5, 0.001), row("b", 2, 6, 0))))
        .doesNotContain("class=\"ink\"")
        .contains("within the marks");
  }

  /** As that of a distinguisher that learned nothing. */
  @Test
  void anIntervalAroundZeroIsWhole() {
    assertThat(svg(style(Kind.BARS), List.of(row("a", 1, 0, 0.08), row("b", 1, 0.01, 0.08))))
        .containsPattern(">-0\\.[01]8?<")
        .contains(">0.1<");
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void ratiosAreToTheBaselineAndHaveWhatWasPublished(Kind kind) {
    FigureStyle ratios =
        style(kind).ratios("base", true, Series.exact(DEVICE, "paper: ours", "1", 2));
    String svg = svg(ratios, List.of(row("base", 1, 8, 0), row("ours", 1, 2, 0)));
    assertThat(svg)
        .contains("Times as fast as base", "paper: ours", "4.00", "2.00", "class=\"ink mark\"")
        .doesNotContain(">base<", "NaN", "Infinity");
  }

  /** An auditor's series has a point for each of 10^5 accesses. */
  @Test
  void manyPointsMakeASmallPicture() {
    List<Series> rows = new ArrayList<>();
    for (int i = 1; i <= 100_000; i++) {
      rows.add(row("side A", i, i % 7, 0));
    }
    assertThat(svg(style(Kind.CURVES), rows).length()).isLessThan(100_000);
  }

  /** Written anew, files are replaced: whoever reads the old ones still reads all of them. */
  @Test
  void filesAreReplacedAsAWhole(@TempDir Path directory) throws IOException {
    List<String> names = List.of("test.csv", "test.json", "test-hdd.svg", "report.html");
    List<Chapter> chapters = List.of(Chapter.of(style(Kind.CURVES)));
    Series.write(List.of(row("before", 1, 2, 0)), directory, "test");
    Report.draw(directory, chapters);
    for (String name : names) {
      Files.createLink(directory.resolve("old-" + name), directory.resolve(name));
    }
    Series.write(List.of(row("after", 1, 3, 0)), directory, "test");
    Report.draw(directory, chapters);
    for (String name : names) {
      assertThat(directory.resolve("old-" + name))
          .content()
          .contains("before")
          .doesNotContain("after");
      assertThat(directory.resolve(name)).content().contains("after").doesNotContain("before");
    }
    assertThat(directory).isDirectoryNotContaining("glob:**.part");
  }
}
