package io.github.roram.bench.plan;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.Scheme;
import io.github.roram.bench.plan.Plan.PlanOptions;
import io.github.roram.bench.replay.LoadProfile;
import io.github.roram.parameters.RangeOramParameters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All configurations that a planner compares. With L the longest access:
 *
 * <ul>
 *   <li>scheme {@code roram}: trees 0; 0 and any other; 0, any other and that of L; presets compact
 *       and proven, and compact with A = 3.5 if there is one tree; position map local, recursive,
 *       or in a file if the client has a disk of its own; chunks of 16, 64 and 256 paths; the write
 *       share that may be declared, or none;
 *   <li>{@code path-batched}: the same maps, the same chunks;
 *   <li>{@code path}: the first two maps;
 *   <li>{@code ring}: the shape that fits the client's memory.
 * </ul>
 *
 * For a store of objects, those that are possible there, with larger chunks.
 *
 * <p>Each has the largest treetop that the client's memory has room for; configurations that fit
 * neither memory nor space are left out.
 */
final class PlanGrid {

  private static final int[] CHUNKS = {16, 64, 256};

  /** Numbers of evictions per object, each of which costs a request, however long. */
  private static final int[] OBJECT_CHUNKS = {Plan.OBJECT_CHUNK, 64, 256, 1024};

  private final PlanOptions options;
  private final int longest;
  private final List<OramConfig> configs = new ArrayList<>();
  private @Nullable ConfigurationException refusal;

  /**
   * Creates the grid.
   *
   * @param longest L, a power of two
   */
  PlanGrid(PlanOptions options, int longest) {
    this.options = options;
    this.longest = longest;
  }

  /**
   * Returns all that fit.
   *
   * @throws ConfigurationException if none does
   */
  List<OramConfig> configs() {
    addRangeOrams();
    for (String map : maps()) {
      for (int chunk : chunks()) {
        add("path-batched", Map.of("positionMap", map, "chunkPaths", String.valueOf(chunk)));
      }
    }
    add("path", Map.of("recursivePositionMap", "false"));
    add("path", Map.of("recursivePositionMap", "true"));
    add("ring", Map.of());
    if (configs.isEmpty()) {
      throw new ConfigurationException(
          "nothing fits "
              + options.clientBytes()
              + " bytes of client memory and "
              + options.spaceFactor()
              + " times the data: "
              + (refusal == null ? "allow more space" : refusal.getMessage()));
    }
    return configs;
  }

  private void addRangeOrams() {
    for (String trees : trees()) {
      for (String map : maps()) {
        for (int chunk : chunks()) {
          addRangeOrams(trees, map, chunk);
        }
      }
    }
  }

  private void addRangeOrams(String trees, String map, int chunk) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("trees", trees);
    settings.put("positionMap", map);
    settings.put("chunkPaths", String.valueOf(chunk));
    if (options.writeShare() < 1) {
      settings.put("writeShare", String.valueOf(options.writeShare()));
    }
    add("roram", settings);
    settings.put("preset", Preset.PROVEN.id());
    add("roram", settings);
    if (trees.equals("0")) {
      settings.put("preset", Preset.COMPACT.id());
      settings.put("evictionRate", "3.5");
      add("roram", settings);
    }
  }

  /** Returns a store of objects never overwrites what it wrote. */
  private boolean fitsEngine(OramConfig config) {
    return options.prices() == null
        || Scheme.of(config.scheme()).objectCost(config, 1, true).isPresent();
  }

  private int[] chunks() {
    return options.prices() == null ? CHUNKS : OBJECT_CHUNKS;
  }

  private List<String> maps() {
    return options.clientDisk()
        ? List.of("local", "file", "recursive")
        : List.of("local", "recursive");
  }

  private List<String> trees() {
    int top = Integer.numberOfTrailingZeros(longest);
    List<String> trees = new ArrayList<>(List.of("0"));
    for (int exponent = 1; exponent <= top; exponent++) {
      trees.add("0," + exponent);
      if (exponent < top) {
        trees.add("0," + exponent + "," + top);
      }
    }
    return trees;
  }

  private void add(String scheme, Map<String, String> settings) {
    OramConfig.Builder builder =
        OramConfig.builder(options.blocks())
            .scheme(scheme)
            .blockBytes(options.blockBytes())
            .maxRangeBlocks(longest)
            .clientMemory(options.clientBytes());
    settings.forEach(builder::set);
    if (options.prices() != null) {
      Scheme.of(scheme).objectSettings().forEach(builder::set);
      builder.inObjects();
    }
    try {
      OramConfig config = builder.build();
      if (Plan.space(config) <= options.spaceFactor() && fitsEngine(config)) {
        configs.add(config);
      }
    } catch (ConfigurationException e) {
      refusal = e;
    }
  }

  /**
   * Chooses size classes for a load: as few as cost no more than a thousandth above the best that
   * is allowed, since the store learns the less the fewer there are.
   */
  static final class ClassChoice {

    private static final double AS_GOOD = 1.001;

    private final double[] accesses;
    private final double[] prices;
    private final int top;

    private ClassChoice(double[] accesses, double[] prices) {
      this.accesses = accesses;
      this.prices = prices;
      top = accesses.length - 1;
    }

    /** Returns a configuration with chosen classes; schemes without classes stay as they are. */
    static OramConfig choose(OramConfig config, LoadProfile load, PlanOptions options) {
      if (!(config.parameters() instanceof RangeOramParameters)) {
        return config;
      }
      int top = Integer.numberOfTrailingZeros(config.maxRangeBlocks());
      double[] accesses = new double[top + 1];
      load.accesses().forEach((blocks, count) -> accesses[exponent(blocks)] += count);
      double[] prices = new double[top + 1];
      for (int exponent = 0; exponent <= top; exponent++) {
        prices[exponent] = options.price(config, 1 << exponent);
      }
      int most = Math.min(options.mostClasses(), top + 1);
      int[] classes = new ClassChoice(accesses, prices).best(most);
      int[] trees = ((RangeOramParameters) config.parameters()).trees();
      return config.toBuilder().sizeClasses(classes).trees(trees).build();
    }

    private static int exponent(int blocks) {
      return Integer.SIZE - Integer.numberOfLeadingZeros(blocks - 1);
    }

    private int[] best(int most) {
      if (top == 0) {
        return new int[] {0};
      }
      int[][][] chosen = new int[most + 1][top + 1][];
      double[][] cost = new double[most + 1][top + 1];
      for (double[] row : cost) {
        Arrays.fill(row, Double.POSITIVE_INFINITY);
      }
      cost[1][0] = accesses[0] * prices[0];
      chosen[1][0] = new int[] {0};
      for (int count = 2; count <= most; count++) {
        for (int last = 1; last <= top; last++) {
          for (int before = 0; before < last; before++) {
            double with = cost[count - 1][before] + between(before, last) * prices[last];
            if (with < cost[count][last]) {
              cost[count][last] = with;
              int[] classes = Arrays.copyOf(chosen[count - 1][before], count);
              classes[count - 1] = last;
              chosen[count][last] = classes;
            }
          }
        }
      }
      double least = Double.POSITIVE_INFINITY;
      for (double[] row : cost) {
        least = Math.min(least, row[top]);
      }
      int count = 2;
      while (cost[count][top] > AS_GOOD * least) {
        count++;
      }
      return chosen[count][top];
    }

    /** Accesses that are too long for one class and not for the next. */
    private double between(int before, int last) {
      double sum = 0;
      for (int exponent = before + 1; exponent <= last; exponent++) {
        sum += accesses[exponent];
      }
      return sum;
    }
  }
}
