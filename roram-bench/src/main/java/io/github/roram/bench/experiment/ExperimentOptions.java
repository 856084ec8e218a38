package io.github.roram.bench.experiment;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.device.DeviceModel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What to run.
 *
 * @param experiments the experiments, in the order in which they run
 * @param scale the scale
 * @param media media whose times are of interest
 * @param directory receives the results, and one store at a time for measurements
 * @param runs number of runs with fresh randomness, 1 to 1000; with fewer than 5, confidence
 *     intervals are poor
 * @param traces a directory with {@code seq-16g.csv.gz}, {@code fileserver-16g.csv.gz} and {@code
 *     videoserver-16g.csv.gz} for devices of 2^22 blocks; null for the bundled traces of 2^18
 * @param stashAccesses block accesses of the stash experiment; null for the scale's
 * @param selection points to run now; results show all that are finished
 */
public record ExperimentOptions(
    List<Experiment> experiments,
    Scale scale,
    Set<ExperimentDevice> media,
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
   *     scheme or a range size that was selected, or takes a {@link Setting} that was given
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
    Set<ExperimentDevice> chosen = media;
    check("scheme", experiments, Experiment::choices, selection.schemes());
    check("range", experiments, each -> each.ranges(scale, chosen), selection.ranges());
    check(Setting.TRACES, traces != null, experiments);
    check(Setting.ACCESSES, stashAccesses != null, experiments);
    check(Setting.QUERIES, selection.traceQueries() != null, experiments);
    check(Setting.PEER, !selection.peers().isEmpty(), experiments);
  }

  private static void check(Setting setting, boolean given, List<Experiment> experiments) {
    if (given && experiments.stream().noneMatch(each -> each.settings().contains(setting))) {
      throw new ConfigurationException(
          "%s is of no use in %s: it is for %s; leave it out"
              .formatted(
                  setting.name().toLowerCase(Locale.ROOT),
                  ids(experiments.stream()),
                  ids(Experiment.all().stream().filter(e -> e.settings().contains(setting)))));
    }
  }

  private static String ids(Stream<Experiment> experiments) {
    return experiments.map(Experiment::id).collect(Collectors.joining(", "));
  }

  private static <T> void check(
      String what,
      List<Experiment> experiments,
      Function<Experiment, Set<T>> choices,
      Set<T> selected) {
    Set<T> all = new TreeSet<>();
    experiments.forEach(experiment -> all.addAll(choices.apply(experiment)));
    for (T each : selected) {
      if (!all.contains(each)) {
        String some = all.stream().map(String::valueOf).collect(Collectors.joining(", "));
        throw new ConfigurationException(
            what
                + " '"
                + each
                + "' cannot be chosen in "
                + ids(experiments.stream())
                + (all.isEmpty()
                    ? "; leave it out: there is nothing to choose"
                    : "; use some of " + some));
      }
    }
  }

  /** What some experiments take and others do not, by the names on command lines. */
  public enum Setting {
    /** A directory of traces. */
    TRACES,
    /** How many block accesses. */
    ACCESSES,
    /** How many requests of a trace. */
    QUERIES,
    /** Implementations of others. */
    PEER
  }

  /**
   * A part of the points.
   *
   * @param schemes of the experiments' {@linkplain Experiment#choices choices}; empty for all
   * @param ranges exponents of range sizes in figure 6; empty for all
   * @param traceQueries requests counted of each trace; null for the scale's
   * @param peers where implementations of others are, by their names
   */
  public record Selection(
      Set<String> schemes,
      Set<Integer> ranges,
      @Nullable Long traceQueries,
      Map<String, Path> peers) {

    /** Everything. */
    public static final Selection ALL = new Selection(Set.of(), Set.of(), null, Map.of());

    /**
     * Copies the sets.
     *
     * @throws ConfigurationException if a count is not positive
     */
    public Selection {
      schemes = Set.copyOf(schemes);
      ranges = Set.copyOf(ranges);
      peers = Map.copyOf(peers);
      if (traceQueries != null && traceQueries < 1) {
        throw new ConfigurationException("queries is " + traceQueries + ", must be at least 1");
      }
    }
  }

  /** Returns whether a device that is modelled was chosen. */
  public boolean isModelled() {
    return media.stream().anyMatch(ExperimentDevice::isModelled);
  }

  /** Returns whether this machine's disk was chosen. */
  public boolean isMeasured() {
    return media.contains(ExperimentDevice.MEASURED);
  }

  /**
   * Returns the key of a point at this scale.
   *
   * @param real whether it runs on this machine's disk, with data
   * @param config all parameters of the contender, in its words
   */
  public Point.Key key(
      String experiment,
      boolean real,
      String contender,
      String x,
      int run,
      Object config,
      long amount) {
    return new Point.Key(
        experiment, scale.id(), real, contender, x, run, config.toString(), amount);
  }

  /** What times are of: a modelled device, or this machine's disk. */
  public enum ExperimentDevice {
    /** The paper's hard disk, modelled. */
    HDD("hdd"),
    /** The paper's SSD, modelled. */
    SSD("ssd"),
    /** The paper's network disk, modelled. */
    NETWORK("net"),
    /** This machine's disk, past the page cache: real data, measured time. */
    MEASURED("measured");

    private final String id;

    ExperimentDevice(String id) {
      this.id = id;
    }

    private @Nullable DeviceModel model() {
      return switch (this) {
        case HDD -> DeviceModel.HDD;
        case SSD -> DeviceModel.SSD;
        case NETWORK -> DeviceModel.NETWORK;
        case MEASURED -> null;
      };
    }

    /** Returns the name on command lines and in files. */
    public String id() {
      return id;
    }

    /** Seconds that a point took, or would take. */
    public double seconds(Point point) {
      DeviceModel model = model();
      return model == null ? point.seconds() : model.seconds(point.total());
    }

    /** Returns whether times are computed from counts. */
    public boolean isModelled() {
      return this != MEASURED;
    }

    /** Returns the parameters of the model. */
    public String description() {
      DeviceModel model = model();
      return model == null ? "this machine's disk, direct I/O, measured" : model.description();
    }

    /**
     * Returns the medium of that name.
     *
     * @throws ConfigurationException if there is none
     */
    public static ExperimentDevice of(String id) {
      return Arrays.stream(values())
          .filter(medium -> medium.id.equals(id))
          .findFirst()
          .orElseThrow(
              () ->
                  new ConfigurationException(
                      "device '" + id + "' is unknown; use one of hdd, ssd, net, measured"));
    }
  }

  /** The scale of the experiments, from which each experiment derives its sizes. */
  public enum Scale {
    /** Seconds, to try it out. */
    TINY("tiny", 1 << 10, 1 << 5, 1 << 9),
    /** Minutes. */
    SMALL("small", 1 << 18, 1 << 14, 1 << 14),
    /** About an hour. */
    MEDIUM("medium", 1 << 20, 1 << 14, 1 << 16),
    /** The paper's scale. */
    PAPER("paper", 1 << 22, 1 << 14, 1 << 18);

    private final String id;
    private final long blocks;
    private final int maxRange;
    private final long measuredBlocks;

    Scale(String id, long blocks, int maxRange, long measuredBlocks) {
      this.id = id;
      this.blocks = blocks;
      this.maxRange = maxRange;
      this.measuredBlocks = measuredBlocks;
    }

    /** Returns the name on the command line. */
    public String id() {
      return id;
    }

    /** Returns N of modelled devices. */
    public long blocks() {
      return blocks;
    }

    /** Returns L, the longest range in blocks. */
    public int maxRange() {
      return maxRange;
    }

    /** Returns N of measurements on this machine's disk. */
    public long measuredBlocks() {
      return measuredBlocks;
    }

    /** Returns one of these values, by scale. */
    public <T> T pick(T tiny, T small, T medium, T paper) {
      return switch (this) {
        case TINY -> tiny;
        case SMALL -> small;
        case MEDIUM -> medium;
        case PAPER -> paper;
      };
    }

    /** Returns the exponents 0, 1, … {@code last}. */
    public static List<Integer> upTo(int last) {
      return IntStream.rangeClosed(0, last).boxed().toList();
    }

    /**
     * Returns the scale of that name.
     *
     * @throws ConfigurationException if there is none
     */
    public static Scale of(String id) {
      return Arrays.stream(values())
          .filter(scale -> scale.id.equals(id))
          .findFirst()
          .orElseThrow(
              () ->
                  new ConfigurationException(
                      "scale '"
                          + id
                          + "' is unknown; use one of "
                          + Arrays.stream(values())
                              .map(Scale::id)
                              .collect(Collectors.joining(", "))));
    }
  }
}
