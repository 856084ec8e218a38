package io.github.roram.bench.plan;

import io.github.roram.AccessCost;
import io.github.roram.ClientMemory;
import io.github.roram.ConfigurationException;
import io.github.roram.ObjectCost;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.bench.plan.PlanGrid.ClassChoice;
import io.github.roram.bench.replay.LoadProfile;
import io.github.roram.client.TreeChoice;
import io.github.roram.object.ObjectTraits.Prices;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.device.IoCounts;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The result of planning: what was compared, and what is proposed.
 *
 * @param options options of the plan
 * @param load the load
 * @param candidates all candidates that fit, the cheapest first
 * @param usual the store that results if only the client's memory is given, whether it fits or not
 */
public record Plan(
    PlanOptions options, LoadProfile load, List<Prediction> candidates, Prediction usual) {

  /** Longer requests are cut: an access holds all of its blocks in memory. */
  private static final int MOST_RANGE_BLOCKS = 256;

  /** K of a store of objects, unless another is set. */
  static final int OBJECT_CHUNK = 32;

  /** Copies the list. */
  public Plan {
    candidates = List.copyOf(candidates);
  }

  /** Returns the longest access for requests of this many blocks: a power of two. */
  public static int longestAccess(long requestBlocks, long deviceBlocks) {
    long most = Math.min(MOST_RANGE_BLOCKS, deviceBlocks);
    int blocks = 1;
    while (blocks < requestBlocks && 2L * blocks <= most) {
      blocks *= 2;
    }
    return blocks;
  }

  /**
   * Plans for a load.
   *
   * @param load cut into accesses of at most {@code longest} blocks
   * @param longest {@link #longestAccess} of its longest request
   * @throws io.github.roram.ConfigurationException if nothing fits
   */
  public static Plan of(PlanOptions options, LoadProfile load, int longest) {
    List<Prediction> candidates =
        new PlanGrid(options, longest)
            .configs().stream()
                .map(config -> ClassChoice.choose(config, load, options))
                .map(config -> Prediction.of(config, load))
                .sorted(Comparator.comparingDouble(options::price))
                .toList();
    return new Plan(options, load, candidates, Prediction.of(usual(options, longest), load));
  }

  /**
   * Returns what {@code create} makes with this memory and no other option; without the memory if
   * it is too little.
   */
  private static OramConfig usual(PlanOptions options, int longest) {
    OramConfig.Builder builder =
        OramConfig.builder(options.blocks())
            .blockBytes(options.blockBytes())
            .maxRangeBlocks(longest);
    if (options.prices() != null) {
      builder.chunkPaths(OBJECT_CHUNK);
    }
    try {
      return TreeChoice.of(builder.clientMemory(options.clientBytes()), options.device()).config();
    } catch (ConfigurationException e) {
      return OramConfig.builder(options.blocks())
          .blockBytes(options.blockBytes())
          .maxRangeBlocks(longest)
          .build();
    }
  }

  /** Returns what it proposes. */
  public Prediction proposal() {
    return candidates.get(0);
  }

  /** Returns how many times faster, or cheaper, the proposal is than the usual. */
  public double gain() {
    return options.price(usual) / options.price(proposal());
  }

  /**
   * Returns the number of blocks from which a scan of the proposed store takes no longer than
   * accesses.
   */
  public OptionalLong scanPaysFrom() {
    OramConfig config = proposal().config();
    return Scheme.of(config.scheme()).scanPaysFrom(config, options.device()::seconds);
  }

  /** Returns how many times the data's size a store takes. */
  static double space(OramConfig config) {
    return (double) Scheme.of(config.scheme()).storeBytes(config) / config.bytes();
  }

  /** Returns the most memory of the client. */
  static long memory(OramConfig config) {
    return Scheme.of(config.scheme())
        .clientMemory(config, OpenOptions.defaults())
        .map(ClientMemory::bytes)
        .orElse(0L);
  }

  /**
   * What a plan is for.
   *
   * @param blocks N, of the store
   * @param blockBytes bytes in a block
   * @param device what accesses are to take little time on
   * @param prices to have little paid for accesses of a store of objects instead; null for time
   * @param clientBytes the most memory of the client
   * @param spaceFactor how many times the data the store may take, at most
   * @param mostClasses how many range sizes the store may tell apart, at least 2
   * @param writeShare the public share of writes that may be declared; 1 to declare none
   * @param clientDisk whether the client has a disk that no observer sees, where its position map
   *     may be
   */
  public record PlanOptions(
      long blocks,
      int blockBytes,
      DeviceModel device,
      @Nullable Prices prices,
      long clientBytes,
      double spaceFactor,
      int mostClasses,
      double writeShare,
      boolean clientDisk) {

    /** Creates options of a plan by time. */
    public PlanOptions(
        long blocks,
        int blockBytes,
        DeviceModel device,
        long clientBytes,
        double spaceFactor,
        int mostClasses,
        double writeShare,
        boolean clientDisk) {
      this(
          blocks,
          blockBytes,
          device,
          null,
          clientBytes,
          spaceFactor,
          mostClasses,
          writeShare,
          clientDisk);
    }

    /** Seconds, or dollars, that a load takes. */
    public double price(Prediction load) {
      return prices == null ? load.seconds(device) : prices.dollars(load.objects(), load.cost());
    }

    /** Seconds, or dollars, of an access to this many blocks. */
    double price(OramConfig config, int blocks) {
      Scheme scheme = Scheme.of(config.scheme());
      AccessCost cost = scheme.accessCost(config, blocks).orElseThrow();
      return prices == null
          ? device.seconds(cost)
          : prices.dollars(scheme.objectCost(config, blocks, true).orElseThrow(), cost);
    }

    /** Checks the bounds; what a configuration may be is its own to say. */
    public PlanOptions {
      if (!(spaceFactor >= 1)) {
        throw new ConfigurationException(
            "spaceFactor is "
                + spaceFactor
                + ", must be at least 1; the compact preset takes 2 a tree");
      }
      if (mostClasses < 2) {
        throw new ConfigurationException(
            "classesAtMost is "
                + mostClasses
                + ", must be at least 2: single blocks and the longest range");
      }
      if (!(writeShare > 0 && writeShare <= 1)) {
        throw new ConfigurationException(
            "writeShare is " + writeShare + ", must be above 0 and at most 1");
      }
    }
  }

  /**
   * What a load costs in all on a configuration, from its parameters alone. Syncs are not counted:
   * a replay has none.
   *
   * @param config the configuration
   * @param cost of the whole load
   * @param objects as a store of objects; none where it cannot be one
   * @param requests of the load
   */
  public record Prediction(OramConfig config, AccessCost cost, ObjectCost objects, long requests) {

    /** Returns the prediction for a load. */
    public static Prediction of(OramConfig config, LoadProfile load) {
      Scheme scheme = Scheme.of(config.scheme());
      AccessCost all = AccessCost.NONE;
      ObjectCost objects = ObjectCost.NONE;
      for (Map.Entry<Integer, Long> accesses : load.accesses().entrySet()) {
        AccessCost each = scheme.accessCost(config, accesses.getKey()).orElseThrow();
        all = all.plus(each.times(accesses.getValue()));
        objects =
            objects.plus(
                scheme
                    .objectCost(config, accesses.getKey(), true)
                    .orElse(ObjectCost.NONE)
                    .times(accesses.getValue()));
      }
      return new Prediction(config, all, objects, load.requests());
    }

    /** Returns what the store is asked for. */
    public IoCounts counts() {
      return counts(cost);
    }

    static IoCounts counts(AccessCost cost) {
      return new IoCounts(
          Math.round(cost.requests()),
          Math.round(cost.extents()),
          Math.round(cost.extents()),
          0,
          Math.round(cost.bytesRead()),
          Math.round(cost.bytesWritten()));
    }

    /** Modelled seconds of the whole load. */
    public double seconds(DeviceModel device) {
      return device.seconds(counts());
    }

    /** Modelled milliseconds of a request of the load. */
    public double millis(DeviceModel device) {
      return seconds(device) * 1e3 / requests;
    }
  }
}
