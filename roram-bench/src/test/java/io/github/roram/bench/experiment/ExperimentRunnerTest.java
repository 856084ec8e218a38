package io.github.roram.bench.experiment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.contender.Levers;
import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.experiment.ExperimentOptions.Scale;
import io.github.roram.bench.report.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole of it, at a scale of seconds. */
class ExperimentRunnerTest {

  @TempDir Path directory;

  private ExperimentOptions options(String name, Set<ExperimentDevice> media, int runs) {
    return new ExperimentOptions(
        Experiment.named(name),
        Scale.TINY,
        media,
        directory,
        runs,
        null,
        null,
        ExperimentOptions.Selection.ALL);
  }

  @Tag("gate")
  @Test
  void everythingIsWritten() throws IOException {
    ExperimentOptions all = options("all", EnumSet.of(ExperimentDevice.HDD), 1);
    Path report = new ExperimentRunner(all, ProgressListener.NONE).run();
    for (String name :
        List.of("fig5", "fig6", "fig7", "stash-tail", "stash-max", "cost-n", "cost-r")) {
      List<Series> rows = Series.read(directory, name);
      assertThat(rows).as(name).isNotEmpty();
      for (String panel : rows.stream().map(Series::panel).distinct().toList()) {
        String shown = name.equals("fig7") ? "fig7-ratio" : name;
        assertThat(directory.resolve(shown + "-" + panel + ".svg")).content().contains("<svg");
      }
      assertThat(directory.resolve(name + ".json")).isNotEmptyFile();
    }
    assertThat(report)
        .content()
        .contains("The paper", "file server: rORAM", "Theorem 1", "<svg ")
        .doesNotContainPattern("src=|href=")
        .doesNotContain("{{");
    assertThat(report.toFile().length()).isLessThan(1_000_000);
    assertThat(directory.resolve("levers.csv")).content().hasLineCount(1 + Levers.ALL.size());
    assertThat(directory.resolve("stash-bounds.csv")).content().doesNotContain("EXCEEDED");
  }

  @Test
  void anExperimentWithoutChartsHasAReport() throws IOException {
    ExperimentOptions levers =
        options("levers", EnumSet.of(ExperimentDevice.SSD, ExperimentDevice.NETWORK), 2);
    assertThat(new ExperimentRunner(levers, ProgressListener.NONE).run())
        .content(UTF_8)
        .contains("trees 0, 2", "± %")
        .doesNotContain("one run", "not run", "NaN");
  }

  @Test
  void finishedPointsAreNotRunAgain() throws IOException {
    ExperimentOptions one = options("fig6", EnumSet.of(ExperimentDevice.HDD), 1);
    new ExperimentRunner(one, ProgressListener.NONE).run();
    Path points = directory.resolve(ExperimentRunner.POINTS);
    String first = Files.readString(points);
    new ExperimentRunner(one, ProgressListener.NONE).run();
    assertThat(points).hasContent(first);
    ExperimentOptions two = options("fig6", EnumSet.of(ExperimentDevice.HDD), 2);
    new ExperimentRunner(two, ProgressListener.NONE).run();
    assertThat(Files.readString(points)).startsWith(first).hasLineCount(2 * lines(first));
  }

  private static int lines(String text) {
    return (int) text.lines().count();
  }

  @Test
  void interruptedExperimentGoesOn() throws IOException {
    ExperimentOptions some = options("fig5", EnumSet.of(ExperimentDevice.SSD), 2);
    ProgressListener interrupting =
        new ProgressListener() {
          private int calls;

          @Override
          public void begin(String task, String unit, long total) {}

          @Override
          public void advanceTo(long done) {
            if (++calls > 1500) {
              throw new IllegalStateException("interrupted");
            }
          }

          @Override
          public void end() {}
        };
    assertThatThrownBy(() -> new ExperimentRunner(some, interrupting).run())
        .hasMessage("interrupted");
    Path points = directory.resolve(ExperimentRunner.POINTS);
    String before = Files.readString(points);
    assertThat(lines(before)).isBetween(1, 9);
    new ExperimentRunner(some, ProgressListener.NONE).run();
    assertThat(Files.readString(points)).startsWith(before).hasLineCount(10);
  }

  @Tag("gate")
  @Test
  void measuredPointsHoldDataAndLeaveNoStore() throws IOException {
    ExperimentOptions real = options("fig6", EnumSet.of(ExperimentDevice.MEASURED), 1);
    new ExperimentRunner(real, ProgressListener.NONE).run();
    assertThat(Series.read(directory, "fig6"))
        .isNotEmpty()
        .allMatch(row -> row.panel().equals("measured") && row.mean() > 0);
    assertThat(directory).isDirectoryNotContaining(path -> Files.isDirectory(path));
  }

  @Test
  void figuresAreDrawnFromCsvAlone() throws IOException {
    Series.write(
        List.of(
            new Series("hdd", "roram", "0", 2, 1.5, 2.5, 5),
            new Series("hdd", "roram", "4", 0.5, Double.NaN, Double.NaN, 1)),
        directory,
        "fig6");
    ExperimentReport.draw(directory);
    assertThat(directory.resolve("fig6-hdd.svg")).isNotEmptyFile();
    assertThat(directory.resolve("fig6-ratio-hdd.svg")).content().contains("paper: rORAM");
    assertThat(directory.resolve(ExperimentRunner.POINTS)).doesNotExist();
  }

  @Test
  void nothingToDrawIsAnError() {
    assertThatThrownBy(() -> ExperimentReport.draw(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no results to draw");
  }
}
