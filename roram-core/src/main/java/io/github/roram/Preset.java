package io.github.roram;

/**
 * Parameter sets for the trees (construction, section 2.2). {@code Z} is the number of blocks in a
 * bucket, {@code A} the number of blocks inserted for each path eviction.
 */
public enum Preset {
  /**
   * The paper's algorithm in everything that affects cost: Z = 4, A = 1, N leaves; every access
   * evicts 2·2^i paths in every tree at once; no treetop, no window. The yardstick for other
   * presets.
   */
  PAPER("paper", 4, 1, 1),
  /** Z = 8, A = 8, N/4 leaves: the stash is bounded by Ring ORAM's proof. Trees of 4N slots. */
  PROVEN("proven", 8, 8, 4),
  /** Z = 4, A = 3, N/4 leaves: trees of 2N slots. The stash bound is simulated, and enforced. */
  COMPACT("compact", 4, 3, 4);

  private final String id;
  private final int bucketSlots;
  private final int evictionRate;
  private final int blocksPerLeaf;

  Preset(String id, int bucketSlots, int evictionRate, int blocksPerLeaf) {
    this.id = id;
    this.bucketSlots = bucketSlots;
    this.evictionRate = evictionRate;
    this.blocksPerLeaf = blocksPerLeaf;
  }

  /** Returns the preset's name on command lines. */
  public String id() {
    return id;
  }

  /** Returns Z, the block slots in a bucket. */
  public int bucketSlots() {
    return bucketSlots;
  }

  /** Returns A, the blocks inserted for each path eviction. */
  public int evictionRate() {
    return evictionRate;
  }

  /** Returns N divided by the number of leaves. */
  public int blocksPerLeaf() {
    return blocksPerLeaf;
  }

  /** Returns the preset with a name; throws {@link ConfigurationException} if there is none. */
  public static Preset of(String id) {
    for (Preset preset : values()) {
      if (preset.id.equals(id)) {
        return preset;
      }
    }
    throw new ConfigurationException(
        "preset '" + id + "' is unknown; use one of paper, proven, compact");
  }
}
