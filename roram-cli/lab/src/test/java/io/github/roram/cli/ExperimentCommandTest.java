package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.Experiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code experiment}: results are written, drawn anew, and not run twice. */
final class ExperimentCommandTest {

  @TempDir Path directory;

  private CommandRun run(String... more) {
    String[] arguments = new String[more.length + 3];
    arguments[0] = "experiment";
    System.arraycopy(more, 0, arguments, 1, more.length);
    arguments[more.length + 1] = "--out";
    arguments[more.length + 2] = directory.toString();
    return CommandRun.of(arguments);
  }

  @Tag("gate")
  @Test
  void figureIsRunAndRedrawn() throws IOException {
    CommandRun first =
        run("fig6", "--scale", "tiny", "--runs", "1", "--device", "hdd", "--ranges", "0,5");
    assertThat(first.exitCode()).describedAs(first.messages()).isZero();
    assertThat(first.messages()).contains("report.html");
    Path csv = directory.resolve("fig6.csv");
    assertThat(csv).content().contains("hdd,roram,5,").doesNotContain("hdd,roram,3,");
    Path chart = directory.resolve("fig6-hdd.svg");
    Files.delete(chart);
    Files.delete(directory.resolve("points.jsonl"));
    assertThat(run("fig6", "--redraw").exitCode()).isZero();
    assertThat(chart).exists();
    assertThat(directory.resolve("points.jsonl")).doesNotExist();
  }

  @Test
  void helpIsMadeFromWhatIsThere() {
    String help = CommandRun.of("experiment", "--help").text().replaceAll("\\s+", " ");
    assertThat(Experiment.all())
        .isNotEmpty()
        .allSatisfy(e -> assertThat(help).contains(e.id() + ": " + e.help() + "."));
    assertThat(Contenders.ALL).allSatisfy(c -> assertThat(help).contains(c.id()));
    assertThat(help)
        .contains("fig5, fig6, fig7, levers, stash, cost")
        .doesNotContain("EXPERIMENTS");
  }

  @Test
  void wrongNamesAreRefused() {
    assertThat(run("fig8").messages()).contains("'fig8'", "fig5, fig6, fig7");
    assertThat(run("fig6", "--scale", "huge").messages()).contains("'huge'", "small");
    assertThat(run("fig6", "--device", "tape").messages()).contains("'tape'", "hdd");
    assertThat(run("fig6", "--scheme", "oram").messages()).contains("'oram'", "path-strong");
    assertThat(run("paging", "--scheme", "path-strong").messages())
        .contains("'path-strong' cannot be chosen in paging", "detwo-3-eager");
    assertThat(run("stash", "--scheme", "roram").messages()).contains("there is nothing to choose");
    assertThat(run("fig6", "--scale", "tiny", "--ranges", "0,99").messages())
        .contains("range '99' cannot be chosen in fig6; use some of 0, 3, 5");
    assertThat(run("fig6", "--device", "measured", "--ranges", "10").messages())
        .contains("range '10' cannot be chosen in fig6", "use some of 0, 2, 4, 5, 6, 8");
    assertThat(run("fig5", "--ranges", "0").messages())
        .contains("range '0' cannot be chosen in fig5; leave it out");
    CommandRun none = run("fig6", "--device", "measured", "--scheme", "path-strong-recursive");
    assertThat(none.messages())
        .contains("is of scheme path-strong-recursive on measured; choose other");
    assertThat(none.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(run("fig6", "--redraw", "--ranges", "0").messages())
        .contains("--ranges is for runs, and --redraw makes none");
    assertThat(run("fig6", "--runs", "0").messages()).contains("runs is 0");
    assertThat(directory).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource({
    "fig6, --queries, 5, 'fig7, levers, arrivals, peers'",
    "fig5, --traces, ., 'fig7, levers, arrivals'",
    "fig7, --accesses, 5, stash",
    "fig7, --peer, oramfs=f, peers",
  })
  void whatAnExperimentDoesNotTakeIsRefused(
      String experiment, String option, String value, String takers) {
    CommandRun run = run(experiment, "--scale", "tiny", "--runs", "1", option, value);
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(run.messages())
        .contains(
            option.substring(2) + " is of no use in " + experiment + ": it is for " + takers + ";");
    assertThat(directory).isEmptyDirectory();
  }
}
