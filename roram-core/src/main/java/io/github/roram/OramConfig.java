package io.github.roram;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an ORAM is: how many blocks of what size, and the parameters of its scheme. Immutable,
 * validated, without secrets; stored in the clear in the store's superblock, since it shapes what
 * the store sees.
 *
 * <pre>{@code
 * OramConfig.builder(1 << 20).build();                                      // rORAM, 4 GiB
 * OramConfig.builder(1 << 20).maxRangeBlocks(64).sizeClasses(0, 6).build();
 * OramConfig.builder(1 << 20).scheme("path").blockBytes(512).build();
 * OramConfig.builder(1 << 20).scheme("theirs").set("fanout", 8).build();    // of a third party
 * }</pre>
 */
public final class OramConfig {

  /** Smallest block, in bytes; every block is a multiple of it. */
  public static final int MIN_BLOCK_BYTES = 512;

  /** Largest block, in bytes. */
  public static final int MAX_BLOCK_BYTES = 64 * 1024;

  /** Most blocks that one ORAM can hold. */
  public static final long MAX_BLOCKS = 1L << 30;

  /** Longest range of any scheme, in blocks. */
  public static final int MAX_RANGE_BLOCKS = 1 << 16;

  /** Id of the scheme where none is named. */
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
   * A store of {@code blocks} blocks with parameters that were made for it.
   *
   * @throws ConfigurationException if they are of a store of another size
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

  /** Starts a configuration; the number of {@link Builder#blocks} is to be set. */
  public static Builder builder() {
    return new Builder(0);
  }

  /** Starts a configuration for {@code blocks} blocks (1 … 2^30; any number). */
  public static Builder builder(long blocks) {
    return new Builder(blocks);
  }

  /** A builder with every value of this configuration, derived ones included. */
  public Builder toBuilder() {
    Builder builder = new Builder(blocks).blockBytes(blockBytes).scheme(scheme());
    parameters.settings().forEach(builder::set);
    return builder;
  }

  /**
   * This configuration of another number of blocks: what the scheme would choose for this number it
   * chooses anew, the rest stays.
   *
   * @throws ConfigurationException if what stays does not fit that number
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
   * This configuration with other values of parameters that may be another at each opening.
   *
   * @param others by name; none changes nothing
   * @throws ConfigurationException if a value is out of bounds, or a name is none of {@link
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

  /** Id of the construction: see {@link Scheme#of}. */
  public String scheme() {
    return parameters.scheme();
  }

  /** The parameters of the construction. */
  public SchemeParameters parameters() {
    return parameters;
  }

  /** Whether the construction has a trait. */
  public boolean has(Scheme.Trait trait) {
    return Scheme.of(scheme()).traits().contains(trait);
  }

  /** N, the number of blocks. */
  public long blocks() {
    return blocks;
  }

  /** Bytes in a block. */
  public int blockBytes() {
    return blockBytes;
  }

  /** N · blockBytes, the size of the {@link Oram#channel} view. */
  public long bytes() {
    return blocks * blockBytes;
  }

  /** L, the longest range of one access, in blocks. */
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

  /** Every parameter as {@code name=value}, separated by spaces. */
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
   * Collects parameters; what is not set is the scheme's to choose. The named setters are those of
   * the schemes that come with roram; each is short for {@link #set}, and a scheme refuses what it
   * has not. Values are checked by {@link #build}.
   */
  public static final class Builder {
    private long blocks;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private String scheme = DEFAULT_SCHEME;
    private int blockBytes = 4096;
    private @Nullable ClientBudget budget;

    /** Whether a local position map was asked for: schemes that have no other take no setting. */
    private boolean keepsLocalMap;

    private Builder(long blocks) {
      this.blocks = blocks;
    }

    /** N, the number of blocks: 1 … 2^30; any number. */
    public Builder blocks(long value) {
      blocks = value;
      return this;
    }

    /** Id of the construction: path, path-batched, roram (the default), or one of a third party. */
    public Builder scheme(String id) {
      scheme = id;
      return this;
    }

    /** Bytes in a block: a multiple of 512 up to 65536; default 4096. */
    public Builder blockBytes(int value) {
      blockBytes = value;
      return this;
    }

    /**
     * A parameter of the scheme by its name, as command lines give it.
     *
     * @param value its text counts; numbers of an {@code int[]} are separated by commas
     */
    public Builder set(String name, Object value) {
      settings.put(name, value instanceof int[] numbers ? text(numbers) : String.valueOf(value));
      return this;
    }

    /** Whether a parameter of the scheme was set. */
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

    /** Source of the values that are not set; default compact. */
    public Builder preset(Preset value) {
      return set("preset", value.id());
    }

    /** L, the longest range in blocks; default 256, or all blocks where there are fewer. */
    public Builder maxRangeBlocks(int value) {
      return set("maxRangeBlocks", value);
    }

    /** Exponents of the range sizes that accesses show, from 0 up to that of L; default all. */
    public Builder sizeClasses(int... exponents) {
      return set("sizeClasses", exponents);
    }

    /**
     * Exponents of the range sizes that have a tree, from 0 on, scheme roram only; default 0 and 5;
     * where size classes are set, or no range is longer than 16 blocks, the size classes. Fewer
     * trees cost fewer bytes and less space, and more seeks in accesses of the classes between: an
     * access of class i reads {@code 2^(i−t) + 1} ranges of 2^t blocks (2^i of one block) from the
     * tree with the largest t ≤ i. The paper's preset has a tree for each class.
     */
    public Builder trees(int... exponents) {
      return set("trees", exponents);
    }

    /** Z, block slots in a bucket: 2 to 64. */
    public Builder bucketSlots(int value) {
      return set("bucketSlots", value);
    }

    /**
     * A, blocks inserted for each path eviction: 1 to Z, in steps of 0.5. Fewer evictions with a
     * larger one, and a larger stash: 3.5 instead of 3 with Z = 4 is tried (docs/reproducing.md).
     */
    public Builder evictionRate(double value) {
      return set("evictionRate", value);
    }

    /** N divided by the number of leaves: 1 to Z. */
    public Builder blocksPerLeaf(int value) {
      return set("blocksPerLeaf", value);
    }

    /**
     * The most bytes of memory that the client may take, in all: what is not set is chosen so that
     * it fits, and accesses then cost least ({@link Scheme#parametersWithin}). The configuration
     * holds what was chosen, not the budget.
     */
    public Builder clientMemory(long bytes) {
      return clientMemory(ClientBudget.of(bytes));
    }

    /** As {@link #clientMemory(long)}, with accesses that overlap. */
    public Builder clientMemory(ClientBudget value) {
      budget = value;
      return this;
    }

    /** Client memory for the treetops of all trees together, in bytes; 0 for none. */
    public Builder treetopBytes(long value) {
      return set("treetopBytes", value);
    }

    /** K, the most paths of one eviction chunk: 1 to 2^18. */
    public Builder chunkPaths(int value) {
      return set("chunkPaths", value);
    }

    /** W, blocks that may wait for their eviction: 0 (evicts after every access) to 2^24. */
    public Builder windowBlocks(int value) {
      return set("windowBlocks", value);
    }

    /** Blocks beyond treetop and window that a tree may hold; the default is 4L, at least 1024. */
    public Builder stashLimitBlocks(int value) {
      return set("stashLimitBlocks", value);
    }

    /**
     * ρ, above 0 and at most 1, rounded up to a multiple of 2^-15; scheme roram only. Loads that
     * write a smaller part of what they access then cost less. A load that writes more for long
     * shows that it does.
     */
    public Builder writeShare(double value) {
      return value == 1 ? unset("writeShare") : set("writeShare", value);
    }

    /**
     * Shows the store which accesses read and which write, beyond the size classes; scheme roram
     * only (rORAM, §VIII-C). Reads then evict in no tree but the one that they read, and writes of
     * one block in one other tree, in turn. Off unless set, and not with a {@link #writeShare}.
     */
    public Builder revealOperationType(boolean value) {
      return value ? set("revealOperationType", true) : unset("revealOperationType");
    }

    /**
     * Where the labels are: {@code local}, in client memory; {@code file}, in a file of the
     * client's ({@link OpenOptions#mapDirectory}); or {@code recursive}, in smaller trees on the
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
     * The configuration.
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
              : found.parametersWithin(budget, blocks, blockBytes, given);
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
