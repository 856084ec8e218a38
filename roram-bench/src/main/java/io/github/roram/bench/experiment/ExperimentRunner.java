package io.github.roram.bench.experiment;

import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.figure.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs experiments and puts results, charts and a report into a directory. Points that an earlier
 * call finished there are not run again.
 */
public final class ExperimentRunner {

  /** The file of finished points. */
  static final String POINTS = "points.jsonl";

  private static final double WORK_UNIT = 1e6;

  private final ExperimentOptions options;
  private final ProgressListener progress;

  /** Prepares; nothing is written yet. */
  public ExperimentRunner(ExperimentOptions options, ProgressListener progress) {
    this.options = options;
    this.progress = progress;
  }

  /**
   * Runs what is not finished, then draws.
   *
   * @return the report
   * @throws IOException if results cannot be read or written, or the disk that is measured fails
   */
  public Path run() throws IOException {
    Files.createDirectories(options.directory());
    PointFile file = new PointFile(options.directory().resolve(POINTS));
    Plan plan = new Plan(options);
    Map<ExperimentKind, List<Point>> results = new TreeMap<>();
    for (ExperimentKind kind : options.kinds()) {
      List<Job> jobs = plan.jobs(kind);
      runJobs(kind, jobs, file);
      results.put(
          kind,
          file.find(jobs.stream().flatMap(j -> j.steps().stream()).map(Job.Step::key).toList()));
    }
    new Results(options, results).write(options.directory());
    return Figures.draw(options.directory());
  }

  private void runJobs(ExperimentKind kind, List<Job> jobs, PointFile file) throws IOException {
    List<Job> open = new ArrayList<>();
    double work = 0;
    for (Job job : jobs) {
      List<Job.Step> missing =
          job.steps().stream()
              .filter(step -> options.selection().holds(step.key()))
              .filter(step -> !file.contains(step.key()))
              .toList();
      if (!missing.isEmpty()) {
        open.add(new Job(job.name(), job.fillWork(), job.source(), missing));
        work += job.fillWork() + missing.stream().mapToDouble(Job.Step::work).sum();
      }
    }
    if (open.isEmpty()) {
      return;
    }
    progress.begin(
        kind.id() + ", scale " + options.scale(), "units of work", 1 + (long) (work / WORK_UNIT));
    try {
      double done = 0;
      for (Job job : open) {
        done = run(job, file, done);
      }
    } finally {
      progress.end();
    }
  }

  private double run(Job job, PointFile file, double before) throws IOException {
    double done = before;
    Runnable alive = alive(before);
    try (Subject subject = job.source().open(alive)) {
      done += job.fillWork();
      for (Job.Step step : job.steps()) {
        file.append(step.measure().on(subject, alive(done)));
        done += step.work();
      }
    }
    return done;
  }

  private Runnable alive(double done) {
    long units = (long) (done / WORK_UNIT);
    return () -> progress.advanceTo(units);
  }
}
