package io.github.roram.bench.experiment;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is run.
 *
 * @param experiments in the order in which they run
 * @param scale how large
 * @param media where times are of
 * @param directory gets the results; a store at a time for what is measured, too
 * @param runs runs with fresh randomness, 1 to 1000; fewer than 5 make poor confidence intervals
 * @param traces a directory with {@code seq-16g.csv.gz}, {@code fileserver-16g.csv.gz} and {@code
 *     videoserver-16g.csv.gz} for devices of 2^22 blocks; null for the bundled traces of 2^18
 * @param stashAccesses block accesses of the stash experiment; null for the scale's
 * @param selection which points to run now; results show all that are finished
 */
public record ExperimentOptions(
    List<Experiment> experiments,
    Scale scale,
    Set<Medium> media,
    Path directory,
    int runs,
    @Nullable Path traces,
    @Nullable Long stashAccesses,
    Selection selection) {

  private static final int MOST_RUNS = 1000;

  /**
   * Copies the collections.
   *
   * @throws ConfigurationException if a value is out of bounds, or none of the experiments has a
   *     scheme that was selected
   */
  public ExperimentOptions {
    experiments = List.copyOf(experiments);
    media = EnumSet.copyOf(media);
    if (runs < 1 || runs > MOST_RUNS) {
      throw new ConfigurationException(
          "runs is " + runs + ", must be 1 to " + MOST_RUNS + "; 5 or more give fair intervals");
    }
    if (stashAccesses != null && stashAccesses < 1) {
      throw new ConfigurationException("accesses is " + stashAccesses + ", must be at least 1");
    }
    checkSchemes(experiments, selection.schemes());
  }

  private static void checkSchemes(List<Experiment> experiments, Set<String> schemes) {
    Set<String> choices = new TreeSet<>();
    experiments.forEach(experiment -> choices.addAll(experiment.choices()));
    for (String scheme : schemes) {
      if (!choices.contains(scheme)) {
        String ids = experiments.stream().map(Experiment::id).collect(Collectors.joining(", "));
        throw new ConfigurationException(
            "scheme '"
                + scheme
                + "' cannot be chosen in "
                + ids
                + (choices.isEmpty()
                    ? "; leave it out: there is nothing to choose"
                    : "; use some of " + String.join(", ", choices)));
      }
    }
  }

  /**
   * A part of the points.
   *
   * @param schemes of the experiments' {@linkplain Experiment#choices choices}; empty for all
   * @param ranges exponents of range sizes in figure 6; empty for all
   * @param traceQueries requests counted of each trace in figure 7; null for the scale's
   */
  public record Selection(Set<String> schemes, Set<Integer> ranges, @Nullable Long traceQueries) {

    /** Everything. */
    public static final Selection ALL = new Selection(Set.of(), Set.of(), null);

    /**
     * Copies the sets.
     *
     * @throws ConfigurationException if a count is not positive
     */
    public Selection {
      schemes = Set.copyOf(schemes);
      ranges = Set.copyOf(ranges);
      if (traceQueries != null && traceQueries < 1) {
        throw new ConfigurationException("queries is " + traceQueries + ", must be at least 1");
      }
    }
  }

  /** Whether a device that is modelled was chosen. */
  public boolean isModelled() {
    return media.stream().anyMatch(Medium::isModelled);
  }

  /** Whether this machine's disk was chosen. */
  public boolean isMeasured() {
    return media.contains(Medium.MEASURED);
  }

  /**
   * The key of a point at this scale.
   *
   * @param real whether it runs on this machine's disk, with data
   * @param config all parameters of the contender
   */
  public Point.Key key(
      String experiment,
      boolean real,
      String contender,
      String x,
      int run,
      OramConfig config,
      long amount) {
    return new Point.Key(
        experiment, scale.id(), real, contender, x, run, config.toString(), amount);
  }
}
