package io.github.roram.bench.paging;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.bench.experiment.Experiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.experiment.ExperimentOptions.Scale;
import io.github.roram.bench.experiment.Job;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.experiment.TinyRun;
import io.github.roram.bench.paging.Mixing.Trial;
import io.github.roram.bench.paging.program.PagedPrograms;
import io.github.roram.bench.paging.program.PagedPrograms.Program;
import io.github.roram.bench.report.Chapter;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Report;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import io.github.roram.paging.PagingOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment is found by its registration, runs and reports; the parts of it that count. */
class PagingExperimentTest {

  @TempDir Path directory;

  /** Each run compares what programs compute with plain memory, and fails if it differs. */
  @Tag("gate")
  @Test
  void everyProgramRunsOnEveryScheme() throws IOException {
    ExperimentOptions options =
        TinyRun.options("paging", ExperimentDevice.HDD, directory, ExperimentOptions.Selection.ALL);
    Experiment experiment = options.experiments().get(0);
    List<Point> points = new ArrayList<>();
    for (Job job : experiment.jobs(options, 0)) {
      job.run(key -> true, done -> () -> {}, points::add);
    }
    experiment.write(points, options);
    // One chart stands for all: to draw them takes longer than to run everything.
    Chapter all = experiment.chapter();
    List<FigureStyle> threads =
        all.figures().stream().filter(f -> f.id().equals(PagingExperiment.THREADS)).toList();
    Path report = Report.draw(directory, List.of(new Chapter(threads, all.tables())));
    checkReport(report);
  }

  private void checkReport(Path report) throws IOException {
    assertThat(report).content().contains("Oblivious paging", "7.4x", "under an emulator");
    Table all = Table.read(directory, PagingExperiment.ALL, List.of());
    List<Program> programs = PagedPrograms.of(Scale.TINY);
    assertThat(all.rows()).hasSize(programs.size() * PageContender.ofPaging().size());
    for (Program program : programs) {
      List<List<String>> rows =
          all.rows().stream().filter(row -> row.get(0).equals(program.id())).toList();
      assertThat(rows)
          .extracting(row -> all.cell(row, "faults"))
          .as(program.id())
          .doesNotContain("0");
      assertThat(rows)
          .extracting(row -> all.cell(row, "faults"))
          .as("all alike")
          .containsOnly(all.cell(rows.get(0), "faults"));
    }
    assertThat(Series.read(directory, PagingExperiment.SCHEMES))
        .extracting(Series::series)
        .contains("path", "path-batched", "roram")
        .doesNotContain("none");
  }

  /** Sealed pages move two a fault, less what was never written; Path ORAM two paths each. */
  @Test
  void hostIsAskedForWhatTheSchemesMove() throws IOException {
    Program program = PagedPrograms.randomWrites(Scale.TINY);
    PagingOptions options = PagingOptions.defaults().withWorkingSetPages(1);
    Trial none = Trial.run(program, PageContender.NONE, options, 0, () -> {});
    Trial path = Trial.run(program, PageContender.PATH, options, 0, () -> {});
    assertThat(none.paging().faults()).isEqualTo(path.paging().faults());
    assertThat(none.paging().pageReads()).isEqualTo(none.paging().faults());
    assertThat(none.paging().pageWrites()).isEqualTo(none.paging().faults() - 1);
    long requests = path.phases().values().stream().mapToLong(counts -> counts.requests()).sum();
    assertThat(requests)
        .as("a request to read a path and one to write it, for each page read or written")
        .isEqualTo(2 * (path.paging().pageReads() + path.paging().pageWrites()));
  }
}
