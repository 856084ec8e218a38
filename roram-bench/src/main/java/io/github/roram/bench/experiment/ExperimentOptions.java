package io.github.roram.bench.experiment;

import io.github.roram.ConfigurationException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is run.
 *
 * @param kinds the experiments
 * @param scale tiny, small, medium or paper
 * @param media where times are of
 * @param directory gets the results; a store at a time for what is measured, too
 * @param runs runs with fresh randomness, 1 to 1000; fewer than 5 make poor confidence intervals
 * @param traces a directory with {@code seq-16g.csv.gz}, {@code fileserver-16g.csv.gz} and {@code
 *     videoserver-16g.csv.gz} for devices of 2^22 blocks; null for the bundled traces of 2^18
 * @param stashAccesses block accesses of the stash experiment; null for the scale's
 */
public record ExperimentOptions(
    Set<ExperimentKind> kinds,
    String scale,
    Set<Medium> media,
    Path directory,
    int runs,
    @Nullable Path traces,
    @Nullable Long stashAccesses) {

  private static final int MOST_RUNS = 1000;

  /**
   * Copies the sets.
   *
   * @throws ConfigurationException if a value is out of bounds
   */
  public ExperimentOptions {
    kinds = EnumSet.copyOf(kinds);
    media = EnumSet.copyOf(media);
    Scale.of(scale);
    if (runs < 1 || runs > MOST_RUNS) {
      throw new ConfigurationException(
          "runs is " + runs + ", must be 1 to " + MOST_RUNS + "; 5 or more give fair intervals");
    }
    if (stashAccesses != null && stashAccesses < 1) {
      throw new ConfigurationException("accesses is " + stashAccesses + ", must be at least 1");
    }
  }

  boolean isModelled() {
    return media.stream().anyMatch(Medium::isModelled);
  }

  boolean isMeasured() {
    return media.contains(Medium.MEASURED);
  }
}
