package example.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.experiment.Experiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.experiment.ExperimentOptions.Scale;
import io.github.roram.bench.experiment.ExperimentReport;
import io.github.roram.bench.experiment.ExperimentRunner;
import io.github.roram.bench.report.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An experiment of somebody else's is found, run and drawn; the page that says how shows it. */
class SeeksExperimentTest {

  private static final Path PAGE = Path.of("../docs/add-an-experiment.md");
  private static final Path SOURCE =
      Path.of("../roram-bench/src/test/java/example/experiment/SeeksExperiment.java");
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @TempDir Path directory;

  @Test
  void isFoundByItsRegistrationAlone() {
    assertThat(Experiment.names()).contains("fig5", "cost", "seeks", "all");
    assertThat(Experiment.named("seeks")).singleElement().isInstanceOf(SeeksExperiment.class);
  }

  @Test
  void isRunCountedAndDrawn() throws IOException {
    Path report = new ExperimentRunner(options(), ProgressListener.NONE).run();
    List<Series> rows = Series.read(directory, "seeks");
    assertThat(rows).extracting(Series::series).containsOnly("path-strong", "roram-two-trees");
    assertThat(seeks(rows, "path-strong"))
        .as("what rORAM is for")
        .isGreaterThan(seeks(rows, "roram-two-trees"));
    assertThat(directory.resolve("seeks-counted.svg")).content().contains("<svg");
    assertThat(report).content().contains("Seeks of an access</h2>", "seeks parameters");
    assertThat(ExperimentReport.draw(directory)).content().contains("Seeks of an access</h2>");
  }

  private static double seeks(List<Series> rows, String series) {
    return rows.stream()
        .filter(row -> row.series().equals(series) && row.x().equals("4"))
        .mapToDouble(Series::mean)
        .findFirst()
        .orElseThrow();
  }

  private ExperimentOptions options() {
    return new ExperimentOptions(
        Experiment.named("seeks"),
        Scale.TINY,
        Set.of(ExperimentDevice.HDD),
        directory,
        1,
        null,
        null,
        ExperimentOptions.Selection.ALL);
  }

  /** All of the page's code, line by line as it is compiled, and no more than a screen. */
  @Test
  void pageShowsWhatIsRun() throws IOException {
    String source = words(Files.readString(SOURCE));
    String page = Files.readString(PAGE);
    Matcher samples = JAVA.matcher(page);
    List<String> found = new ArrayList<>();
    while (samples.find()) {
      found.add(samples.group(1));
      assertThat(source).contains(words(samples.group(1)));
    }
    assertThat(found).isNotEmpty();
    assertThat(page).contains(SeeksExperiment.class.getName());
    assertThat(page.lines().count()).isLessThanOrEqualTo(65);
  }

  private static String words(String code) {
    return code.replaceAll("\\s+", " ").strip();
  }
}
