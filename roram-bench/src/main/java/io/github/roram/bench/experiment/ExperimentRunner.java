package io.github.roram.bench.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.roram.ConfigurationException;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.experiment.ExperimentOptions.Selection;
import io.github.roram.bench.experiment.ExperimentReport.About;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

  /** Creates a runner, which has written nothing yet. */
  public ExperimentRunner(ExperimentOptions options, ProgressListener progress) {
    this.options = options;
    this.progress = progress;
  }

  /**
   * Runs the points that are not finished, then draws.
   *
   * @return the report
   * @throws ConfigurationException if no experiment has a point that was selected: nothing is
   *     written
   * @throws IOException if results cannot be read or written, or the measured disk fails
   */
  public Path run() throws IOException {
    Map<Experiment, List<Job>> all = new LinkedHashMap<>();
    options.experiments().forEach(experiment -> all.put(experiment, jobs(experiment)));
    checkSelected(all);
    Files.createDirectories(options.directory());
    PointFile file = new PointFile(options.directory().resolve(POINTS));
    Map<Experiment, List<Point>> results = new LinkedHashMap<>();
    for (Experiment experiment : options.experiments()) {
      List<Job> jobs = all.getOrDefault(experiment, List.of());
      runJobs(experiment, jobs, file);
      List<Point> points = file.find(keys(jobs).toList());
      experiment.write(points, options);
      results.put(experiment, points);
    }
    About.of(options, results, file).write(options.directory(), About.ID);
    return ExperimentReport.draw(options.directory());
  }

  private List<Job> jobs(Experiment experiment) {
    List<Job> jobs = new ArrayList<>();
    for (int run = 0; run < options.runs(); run++) {
      jobs.addAll(experiment.jobs(options, run));
    }
    return jobs;
  }

  private static Stream<Point.Key> keys(List<Job> jobs) {
    return jobs.stream().flatMap(job -> job.steps().stream()).map(Job.Step::key);
  }

  /** Checks the selection: a selected contender may exist only on other devices. */
  private void checkSelected(Map<Experiment, List<Job>> all) {
    Selection selection = options.selection();
    boolean some =
        all.entrySet().stream()
            .anyMatch(
                of -> keys(of.getValue()).anyMatch(key -> of.getKey().isSelected(key, selection)));
    if (!some && !selection.schemes().isEmpty()) {
      throw new ConfigurationException(
          "nothing that was chosen is of scheme "
              + String.join(", ", new TreeSet<>(selection.schemes()))
              + " on "
              + options.media().stream().map(ExperimentDevice::id).collect(Collectors.joining(", "))
              + "; choose other schemes, ranges or devices, or leave the schemes out");
    }
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

  /**
   * The finished points, a line of JSON each, appended as they come, so that an interrupted
   * experiment goes on where it was. Not thread safe.
   */
  static final class PointFile {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Path file;
    private final Map<Point.Key, Point> points = new LinkedHashMap<>();

    /**
     * Opens the file, or begins one. A last line that was cut off is dropped: its point is run
     * again.
     *
     * @throws IOException if another line cannot be read
     */
    PointFile(Path file) throws IOException {
      this.file = file;
      if (Files.exists(file)) {
        load(Files.readString(file));
      }
    }

    private void load(String text) throws IOException {
      int complete = text.lastIndexOf('\n') + 1;
      List<String> lines = text.substring(0, complete).lines().toList();
      for (int i = 0; i < lines.size(); i++) {
        try {
          Point point = MAPPER.readValue(lines.get(i), Point.class);
          points.put(point.key(), point);
        } catch (JsonProcessingException e) {
          throw new IOException(
              file + ", line " + (i + 1) + " is not a result; delete that line, or the file", e);
        }
      }
      if (complete < text.length()) {
        // In place: whatever happens meanwhile, the lines before stay.
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.truncate(text.substring(0, complete).getBytes(StandardCharsets.UTF_8).length);
        }
      }
    }

    /** Returns whether this point is finished. */
    boolean contains(Point.Key key) {
      return points.containsKey(key);
    }

    /** Adds a finished point, at once. */
    void append(Point point) throws IOException {
      byte[] line = (MAPPER.writeValueAsString(point) + "\n").getBytes(StandardCharsets.UTF_8);
      Files.write(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      points.put(point.key(), point);
    }

    /** Returns how many finished points are of an experiment, whatever their parameters. */
    int count(String experiment) {
      return (int)
          points.keySet().stream().filter(key -> key.experiment().equals(experiment)).count();
    }

    /** Returns the finished ones among these points. */
    List<Point> find(Collection<Point.Key> keys) {
      List<Point> found = new ArrayList<>();
      for (Point.Key key : keys) {
        Point point = points.get(key);
        if (point != null) {
          found.add(point);
        }
      }
      return found;
    }
  }
}
