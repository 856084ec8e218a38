package io.github.roram.bench.experiment;

import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.experiment.ExperimentReport.About;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

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
    Map<Experiment, List<Point>> results = new LinkedHashMap<>();
    for (Experiment experiment : options.experiments()) {
      List<Job> jobs = new ArrayList<>();
      for (int run = 0; run < options.runs(); run++) {
        jobs.addAll(experiment.jobs(options, run));
      }
      runJobs(experiment, jobs, file);
      List<Point> points =
          file.find(jobs.stream().flatMap(j -> j.steps().stream()).map(Job.Step::key).toList());
      experiment.write(points, options);
      results.put(experiment, points);
    }
    About.of(options, results, file).write(options.directory(), About.ID);
    return ExperimentReport.draw(options.directory());
  }

  private void runJobs(Experiment experiment, List<Job> jobs, PointFile file) throws IOException {
    Predicate<Point.Key> missing =
        key -> experiment.isSelected(key, options.selection()) && !file.contains(key);
    List<Job> open =
        jobs.stream()
            .filter(job -> job.steps().stream().map(Job.Step::key).anyMatch(missing))
            .toList();
    double work = open.stream().mapToDouble(job -> job.work(missing)).sum();
    if (open.isEmpty()) {
      return;
    }
    progress.begin(
        experiment.id() + ", scale " + options.scale().id(),
        "units of work",
        1 + (long) (work / WORK_UNIT));
    try {
      double done = 0;
      for (Job job : open) {
        double before = done;
        done += job.run(missing, ofJob -> alive(before + ofJob), file::append);
      }
    } finally {
      progress.end();
    }
  }

  private Runnable alive(double done) {
    long units = (long) (done / WORK_UNIT);
    return () -> progress.advanceTo(units);
  }
}
