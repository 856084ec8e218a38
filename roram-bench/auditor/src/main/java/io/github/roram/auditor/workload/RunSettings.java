package io.github.roram.auditor.workload;

import io.github.roram.ConfigurationException;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.open.Orams;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.store.BlockStore;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What runs are made on.
 *
 * @param config the ORAM
 * @param options how it is used, the durability above all; threads do not count. The journal's
 *     bound should be small, so that runs have checkpoints
 * @param place where the stores are
 * @param way how requests come to the ORAM
 * @param accesses how many a run has, at least 2
 * @param isProvoked whether the store fails requests, and tampers, by a {@link Provocation}
 */
public record RunSettings(
    OramConfig config,
    OpenOptions options,
    Place place,
    Way way,
    int accesses,
    boolean isProvoked) {

  /** Accesses of a short run. */
  public static final int SHORT_RUN_ACCESSES = 64;

  /** Blocks of a small store. */
  public static final int SMALL_BLOCKS = 512;

  /** Bytes of its blocks. */
  public static final int SMALL_BLOCK_BYTES = 512;

  /** Checks the number of accesses. */
  public RunSettings {
    if (accesses < 2) {
      throw new ConfigurationException("accesses is " + accesses + ", must be at least 2");
    }
  }

  /**
   * What of a store so small that a run of {@link #SHORT_RUN_ACCESSES} accesses takes milliseconds,
   * and has evictions and checkpoints, is other than a scheme chooses: by the names of parameters,
   * of which a scheme takes those that it has.
   */
  public static Map<String, Object> smallParameters() {
    return Map.of("maxRangeBlocks", 16, "treetopBytes", 0, "chunkPaths", 16, "windowBlocks", 16);
  }

  /** Such a store of a scheme, with parameters that were given; these count before all others. */
  public static OramConfig smallConfig(String scheme, Map<String, ?> given) {
    OramConfig.Builder builder =
        OramConfig.builder(SMALL_BLOCKS).scheme(scheme).blockBytes(SMALL_BLOCK_BYTES);
    Map<String, Object> parameters = new LinkedHashMap<>(smallParameters());
    parameters.keySet().retainAll(Scheme.of(scheme).parameterNames());
    parameters.putAll(given);
    parameters.forEach(builder::set);
    return builder.build();
  }

  /**
   * What was made is what was asked for, as anyone can read from the store.
   *
   * @throws ConfigurationException if it is another
   */
  public static void requireMade(OramConfig asked, BlockStore store) throws IOException {
    OramConfig made = Orams.inspect(store).config();
    if (!made.equals(asked)) {
      throw new ConfigurationException(
          "the store that was made is " + made + ", asked for was " + asked);
    }
  }

  /** Where the position map is, for reports. */
  public static String mapForm(OramConfig config) {
    if (!(config.parameters() instanceof TreeParameters parameters)) {
      return "no position map";
    }
    boolean recursive = parameters.mapForm().isRecursive() || parameters.recursivePositionMap();
    return "position map " + (recursive ? "in trees on the store" : "local");
  }

  /** These settings on a store that fails requests, and tampers. */
  public RunSettings provoked() {
    return new RunSettings(config, options, place, way, accesses, true);
  }

  /**
   * Runs of that ORAM as it is used by default, by calls, but for a checkpoint every 64 KiB of
   * journal.
   */
  public static RunSettings of(OramConfig config, Place place, int accesses) {
    OpenOptions options =
        OpenOptions.defaults().withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES);
    return new RunSettings(config, options, place, Way.direct(), accesses, false);
  }

  /** These settings with other options of use. */
  public RunSettings withOptions(OpenOptions value) {
    return new RunSettings(config, value, place, way, accesses, isProvoked);
  }

  /** These settings with another way to the ORAM. */
  public RunSettings withWay(Way value) {
    return new RunSettings(config, options, place, value, accesses, isProvoked);
  }

  /** These settings with another number of accesses. */
  public RunSettings withAccesses(int value) {
    return new RunSettings(config, options, place, way, value, isProvoked);
  }
}
