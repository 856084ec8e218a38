package io.github.roram.bench.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.bench.experiment.Experiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.experiment.ExperimentOptions.Scale;
import io.github.roram.bench.experiment.ExperimentOptions.Selection;
import io.github.roram.bench.experiment.Job;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Experiments that have schemes of their own run those that were chosen. */
class ChoiceTest {

  @TempDir Path directory;

  static Stream<Experiment> experiments() {
    return Experiment.all().stream()
        .filter(experiment -> experiment.getClass().getPackageName().startsWith("io.github.roram"))
        .filter(experiment -> experiment.choices().contains("detwo"));
  }

  private ExperimentOptions options(List<Experiment> experiments, String... schemes) {
    Selection selection = new Selection(Set.of(schemes), Set.of(), null, Map.of());
    return new ExperimentOptions(
        experiments, Scale.TINY, Set.of(ExperimentDevice.HDD), directory, 1, null, null, selection);
  }

  /** Contenders of all that would be run. */
  private Set<String> run(Experiment experiment, String... schemes) {
    ExperimentOptions options = options(List.of(experiment), schemes);
    Set<String> contenders = new TreeSet<>();
    for (Job job : experiment.jobs(options, 0)) {
      for (Job.Step step : job.steps()) {
        if (experiment.isSelected(step.key(), options.selection())) {
          contenders.add(step.key().contender());
        }
      }
    }
    return contenders;
  }

  @Test
  void thereAreTwo() {
    assertThat(experiments().map(Experiment::id)).hasSize(2).contains("paging");
  }

  @ParameterizedTest
  @MethodSource("experiments")
  void aSchemeStandsForItsContenders(Experiment experiment) {
    Set<String> all = run(experiment);
    assertThat(all).contains("path", "roram", "detwo-3", "detwo-3-eager-parallel");
    assertThat(run(experiment, "path")).containsExactly("path");
    assertThat(run(experiment, "detwo-3")).containsExactly("detwo-3");
    Set<String> several = new TreeSet<>(all);
    several.removeIf(contender -> !contender.startsWith("detwo"));
    assertThat(run(experiment, "detwo")).isEqualTo(several).hasSizeGreaterThan(3);
    several.add("roram");
    assertThat(run(experiment, "roram", "detwo")).isEqualTo(several);
    assertThat(experiment.choices()).containsAll(all).doesNotContain("", "path-strong");
  }

  @ParameterizedTest
  @MethodSource("experiments")
  void whatItHasNotIsRefused(Experiment experiment) {
    assertThatThrownBy(() -> options(List.of(experiment), "path", "path-strong"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("'path-strong' cannot be chosen in " + experiment.id());
    // Besides one that has it, only that runs some.
    options(Experiment.all(), "path-strong");
    assertThat(run(experiment, "detwo")).isNotEmpty();
  }
}
