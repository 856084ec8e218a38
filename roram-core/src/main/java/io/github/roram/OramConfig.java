package io.github.roram;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of an ORAM: the number and size of its blocks, and the parameters of its
 * scheme. Immutable, validated, without secrets. The store's superblock holds it in the clear,
 * since it determines what the store sees.
 *
 * <pre>{@code
 * OramConfig.builder(1 << 20).build();                                      // rORAM, 4 GiB
 * OramConfig.builder(1 << 20).maxRangeBlocks(64).sizeClasses(0, 6).build();
 * OramConfig.builder(1 << 20).scheme("path").blockBytes(512).build();
 * OramConfig.builder(1 << 20).scheme("theirs").set("fanout", 8).build();    // of a third party
 * }</pre>
 */
public final class OramConfig {

  /** Smallest block, in bytes; block sizes are multiples of it. */
  public static final int MIN_BLOCK_BYTES = 512;

  /** Largest block, in bytes. */
  public static final int MAX_BLOCK_BYTES = 64 * 1024;

  /** Largest number of blocks of one ORAM. */
  public static final long MAX_BLOCKS = 1L << 30;

  /** Longest range of any scheme, in blocks. */
  public static final int MAX_RANGE_BLOCKS = 1 << 16;

  /** Id of the scheme if none is named. */
  private static final String DEFAULT_SCHEME = "roram";

  private final long blocks;
  private final int blockBytes;
  private final SchemeParameters parameters;

  private OramConfig(long blocks, int blockBytes, SchemeParameters parameters) {
    this.blocks = blocks;
    this.blockBytes = blockBytes;
    this.parameters = parameters;
  }

  /**
   * Returns a configuration of {@code blocks} blocks with parameters that were made for it.
   *
   * @throws ConfigurationException if the parameters were made for a store of another size
   */
  public static OramConfig of(long blocks, int blockBytes, SchemeParameters parameters) {
    Builder builder = builder(blocks).blockBytes(blockBytes).scheme(parameters.scheme());
    parameters.settings().forEach(builder::set);
    OramConfig config = builder.build();
    if (!config.parameters.equals(parameters)) {
      throw new ConfigurationException(
          "the parameters ["
              + parameters
              + "] are not those of a store of "
              + blocks
              + " blocks of "
              + blockBytes
              + " bytes; make them for it, or use OramConfig.builder");
    }
    return config;
  }

  /** Starts a configuration; the number of {@link Builder#blocks} must still be set. */
  public static Builder builder() {
    return new Builder(0);
  }

  /** Starts a configuration for {@code blocks} blocks: 1 … 2^30, any number. */
  public static Builder builder(long blocks) {
    return new Builder(blocks);
  }

  /** Returns a builder with every value of this configuration, derived ones included. */
  public Builder toBuilder() {
    Builder builder = new Builder(blocks).blockBytes(blockBytes).scheme(scheme());
    parameters.settings().forEach(builder::set);
    return builder;
  }

  /**
   * Returns this configuration with another number of blocks. The scheme chooses anew the values
   * that it would have chosen for the present number; the others stay.
   *
   * @throws ConfigurationException if a value that stays does not fit that number
   */
  public OramConfig withBlocks(long others) {
    if (others == blocks) {
      return this;
    }
    Builder builder = toBuilder();
    parameters
        .settings()
        .forEach(
            (name, value) -> {
              if (!isThis(builder.unset(name))) {
                builder.set(name, value);
              }
            });
    return builder.blocks(others).build();
  }

  private boolean isThis(Builder builder) {
    try {
      return equals(builder.build());
    } catch (ConfigurationException e) {
      return false;
    }
  }

  /**
   * Returns this configuration with other values of parameters that may differ at each opening.
   *
   * @param others values by name; may be empty
   * @throws ConfigurationException if a value is out of bounds, or a name is not in {@link
   *     Scheme#openingParameterNames}
   */
  public OramConfig openedWith(Map<String, String> others) {
    Set<String> allowed = Scheme.of(scheme()).openingParameterNames();
    for (String name : others.keySet()) {
      if (!allowed.contains(name)) {
        throw new ConfigurationException(
            "parameter '"
                + name
                + "' cannot be chosen when a store of scheme "
                + scheme()
                + " is opened; "
                + (allowed.isEmpty()
                    ? "it has none that can: leave it out"
                    : "leave it out, or use one of "
                        + allowed.stream().sorted().collect(Collectors.joining(", "))));
      }
    }
    Builder builder = toBuilder();
    others.forEach(builder::set);
    return others.isEmpty() ? this : builder.build();
  }

  /** Returns the id of the scheme: see {@link Scheme#of}. */
  public String scheme() {
    return parameters.scheme();
  }

  /** Returns the parameters of the scheme. */
  public SchemeParameters parameters() {
    return parameters;
  }

  /** Returns whether the scheme has a trait. */
  public boolean has(Scheme.Trait trait) {
    return Scheme.of(scheme()).traits().contains(trait);
  }

  /** Returns N, the number of blocks. */
  public long blocks() {
    return blocks;
  }

  /** Returns the bytes of a block. */
  public int blockBytes() {
    return blockBytes;
  }

  /** Returns N · blockBytes, the size of the {@link Oram#channel} view. */
  public long bytes() {
    return blocks * blockBytes;
  }

  /** Returns L, the longest range of one access, in blocks. */
  public int maxRangeBlocks() {
    return parameters.maxRangeBlocks();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OramConfig that
        && blocks == that.blocks
        && blockBytes == that.blockBytes
        && parameters.equals(that.parameters);
  }

  @Override
  public int hashCode() {
    return Objects.hash(blocks, blockBytes, parameters);
  }

  /** Returns every parameter as {@code name=value}, separated by spaces. */
  @Override
  public String toString() {
    return "scheme="
        + scheme()
        + " blocks="
        + blocks
        + " blockBytes="
        + blockBytes
        + parameters.settings().entrySet().stream()
            .map(entry -> " " + entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining());
  }

  /**
   * Collects parameters; the scheme chooses those that are not set. The named setters are for the
   * schemes that come with roram. Each is short for {@link #set}, and a scheme refuses parameters
   * that it does not have. {@link #build} checks the values.
   */
  public static final class Builder {
    private long blocks;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private String scheme = DEFAULT_SCHEME;
    private int blockBytes = 4096;
    private @Nullable ClientBudget budget;
    private boolean inObjects;

    /** Whether a local position map was asked for; schemes with no other kind lack the setting. */
    private boolean keepsLocalMap;

    private Builder(long blocks) {
      this.blocks = blocks;
    }

    /** Sets N, the number of blocks: 1 … 2^30, any number. */
    public Builder blocks(long value) {
      blocks = value;
      return this;
    }

    /** Sets the scheme's id: roram (default), path, path-batched, ring, tao, detwo or another. */
    public Builder scheme(String id) {
      scheme = id;
      return this;
    }

    /** Sets the bytes of a block: a multiple of 512 up to 65536; default 4096. */
    public Builder blockBytes(int value) {
      blockBytes = value;
      return this;
    }

    /**
     * Sets a parameter of the scheme by its name, as on the command line.
     *
     * @param value converted to text; the numbers of an {@code int[]} are separated by commas
     */
    public Builder set(String name, Object value) {
      settings.put(name, value instanceof int[] numbers ? text(numbers) : String.valueOf(value));
      return this;
    }

    /** Returns whether a parameter of the scheme was set. */
    public boolean has(String name) {
      return settings.containsKey(name);
    }

    private static String text(int[] numbers) {
      return Arrays.stream(numbers).mapToObj(String::valueOf).collect(Collectors.joining(","));
    }

    /** Leaves a parameter to the scheme. */
    private Builder unset(String name) {
      settings.remove(name);
      return this;
    }

    /** Sets the preset, the source of values that are not set; default compact. */
    public Builder preset(Preset value) {
      return set("preset", value.id());
    }

    /** Sets L, the longest range in blocks; default 256, or all blocks if there are fewer. */
    public Builder maxRangeBlocks(int value) {
      return set("maxRangeBlocks", value);
    }

    /** Sets the exponents of the range sizes that accesses show, 0 up to that of L; default all. */
    public Builder sizeClasses(int... exponents) {
      return set("sizeClasses", exponents);
    }

    /**
     * Sets the exponents of the range sizes that have a tree, from 0 on; scheme roram only. The
     * default is 0 and 5, or the size classes if those are set or no range is longer than 16
     * blocks. Fewer trees move fewer bytes and take less space, but cost more seeks in accesses of
     * the size classes in between: an access of class i reads {@code 2^(i−t) + 1} ranges of 2^t
     * blocks (2^i of one block) from the tree with the largest t ≤ i. The paper's preset has a tree
     * for each.
     */
    public Builder trees(int... exponents) {
      return set("trees", exponents);
    }

    /** Sets Z, the block slots in a bucket: 2 to 64. */
    public Builder bucketSlots(int value) {
      return set("bucketSlots", value);
    }

    /**
     * Sets A, the blocks inserted for each path eviction: 1 to Z, in steps of 0.5. A larger A means
     * fewer evictions and a larger stash: docs/reproducing.md tries 3.5 instead of 3 with Z = 4.
     */
    public Builder evictionRate(double value) {
      return set("evictionRate", value);
    }

    /** Sets N divided by the number of leaves: 1 to Z. */
    public Builder blocksPerLeaf(int value) {
      return set("blocksPerLeaf", value);
    }

    /**
     * Limits the memory that the client takes in all, in bytes. The scheme chooses values that are
     * not set so that the client fits and accesses cost least ({@link Scheme#parametersWithin}).
     * The configuration holds the chosen values, not the budget.
     */
    public Builder clientMemory(long bytes) {
      return clientMemory(ClientBudget.of(bytes));
    }

    /** Limits the client's memory as {@link #clientMemory(long)} does, when opened so. */
    public Builder clientMemory(ClientBudget value) {
      budget = value;
      return this;
    }

    /** Limits {@link #clientMemory}, if at all, as a store of objects needs it. */
    public Builder inObjects() {
      inObjects = true;
      return this;
    }

    /** Sets the client memory for the treetops of all trees together, in bytes; 0 for none. */
    public Builder treetopBytes(long value) {
      return set("treetopBytes", value);
    }

    /** Sets K, the most paths of one eviction chunk: 1 to 2^18. */
    public Builder chunkPaths(int value) {
      return set("chunkPaths", value);
    }

    /** Sets W, the blocks that may wait for eviction: 0 (evict after every access) to 2^24. */
    public Builder windowBlocks(int value) {
      return set("windowBlocks", value);
    }

    /** Sets how many blocks a tree may hold beyond treetop and window; default max(4L, 1024). */
    public Builder stashLimitBlocks(int value) {
      return set("stashLimitBlocks", value);
    }

    /**
     * Sets ρ, the write share: above 0 and at most 1, rounded up to a multiple of 2^-15; scheme
     * roram only. With ρ below 1, loads that write at most this share of their accesses cost less,
     * and a load that keeps writing more reveals that it does.
     */
    public Builder writeShare(double value) {
      return value == 1 ? unset("writeShare") : set("writeShare", value);
    }

    /**
     * Shows the store which accesses read and which write, beyond the size classes; scheme roram
     * only (rORAM, §VIII-C). Reads then evict only in the tree that they read, and writes of one
     * block in one other tree, in turn. Off by default; cannot be combined with a {@link
     * #writeShare}.
     */
    public Builder revealOperationType(boolean value) {
      return value ? set("revealOperationType", true) : unset("revealOperationType");
    }

    /**
     * Sets where the labels are kept: {@code local}, in client memory; {@code file}, in a file of
     * the client ({@link OpenOptions#mapDirectory}); or {@code recursive}, in smaller trees on the
     * store; schemes roram and path-batched.
     */
    public Builder positionMap(String value) {
      keepsLocalMap = "local".equals(value);
      return keepsLocalMap ? unset("positionMap") : set("positionMap", value);
    }

    /** Keeps the position map in smaller ORAMs on the store; scheme path only. */
    public Builder recursivePositionMap(boolean value) {
      return value ? set("recursivePositionMap", true) : unset("recursivePositionMap");
    }

    /**
     * Returns the configuration.
     *
     * @throws ConfigurationException if a value is out of bounds or does not fit the others, or if
     *     the scheme is unknown or has no such parameter
     */
    public OramConfig build() {
      SchemeSettings.check("blocks", blocks, 1, MAX_BLOCKS, "use larger blocks, or several stores");
      SchemeSettings.check(
          "blockBytes", blockBytes, MIN_BLOCK_BYTES, MAX_BLOCK_BYTES, "choose one within");
      if (blockBytes % MIN_BLOCK_BYTES != 0) {
        throw new ConfigurationException(
            "blockBytes is " + blockBytes + ", must be a multiple of " + MIN_BLOCK_BYTES);
      }
      Scheme found = Scheme.of(scheme);
      SchemeSettings given = new SchemeSettings(settings);
      Schemes.checkNames(found, given);
      boolean open = !given.has("positionMap") && hasMapForms(found);
      if (keepsLocalMap && budget != null && open) {
        given = new SchemeSettings(with("positionMap", "local"));
      }
      SchemeParameters parameters =
          budget == null
              ? found.parameters(blocks, blockBytes, given)
              : found.parametersWithin(
                  inObjects ? budget.forObjects() : budget, blocks, blockBytes, given);
      return new OramConfig(blocks, blockBytes, parameters);
    }

    private static boolean hasMapForms(Scheme scheme) {
      return scheme.parameterNames().contains("positionMap");
    }

    private Map<String, String> with(String name, String value) {
      Map<String, String> all = new LinkedHashMap<>(settings);
      all.put(name, value);
      return all;
    }
  }
}
