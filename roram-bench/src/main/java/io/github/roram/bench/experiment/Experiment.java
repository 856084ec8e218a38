package io.github.roram.bench.experiment;

import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.claim.Claim;
import io.github.roram.bench.report.Chapter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An experiment: what is run, what comes out, how it is shown, and what the paper says of it. One
 * is added by a class with a public constructor without parameters, and a line with its name in
 * {@code META-INF/services/io.github.roram.bench.experiment.Experiment} on the class path.
 */
public interface Experiment {

  /** The name on command lines, of points and of files: small letters and digits. */
  String id();

  /** What it is, as the command's help has it behind the name. */
  String help();

  /**
   * The jobs of a run; the points of all runs are one result.
   *
   * @param run from 0 on
   * @return none if it has nothing for the devices that were chosen
   */
  List<Job> jobs(ExperimentOptions options, int run);

  /**
   * Writes what its figures and tables are drawn from into the directory of the options.
   *
   * @param points all that are finished, in the order of the jobs
   */
  void write(List<Point> points, ExperimentOptions options) throws IOException;

  /** Its figures and tables in the report. */
  Chapter chapter();

  /**
   * What the paper claims, beside what came out.
   *
   * @param directory what was written, by this call or an earlier one
   * @return without claims of which nothing was run
   */
  default List<Claim> claims(Path directory) throws IOException {
    return List.of();
  }

  /**
   * What may be named to run a part of it ({@code --scheme}): by default all contenders. None where
   * nothing can be chosen.
   */
  default Set<String> choices() {
    return Contenders.ALL.stream().map(Contender::id).collect(Collectors.toUnmodifiableSet());
  }

  /** Whether a point is to be run now; others are shown if they are finished. */
  default boolean isSelected(Point.Key point, ExperimentOptions.Selection selection) {
    return selection.schemes().isEmpty() || selection.schemes().contains(point.contender());
  }
}
