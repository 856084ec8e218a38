package io.github.roram;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * A construction that a store can hold, and what it tells of itself without one: its parameters,
 * how much store they need, what it can do. Schemes are found by {@link java.util.ServiceLoader}
 * under this type, so that a jar on the class path or module path adds some; what opens a store of
 * the scheme is in the same object (see {@code io.github.roram.engine.SchemeProvider}).
 *
 * <p>Implementations have a public constructor without arguments, no state, and are safe for use by
 * several threads.
 */
public interface Scheme {

  /** What a scheme can do, for callers that must know it before there is an ORAM. */
  enum Trait {
    /** It keeps a journal where that is wanted, so all durabilities are there; otherwise NONE. */
    JOURNALLED,
    /** A store can get a new master key in place. */
    REKEYABLE,
    /** A range is one access, all or nothing; otherwise its blocks are accesses of their own. */
    WHOLE_RANGES,
    /**
     * Only writes are hidden: a read goes straight to the blocks that are asked for, and writes
     * nothing. For adversaries that see the store's content, but no reads.
     */
    HIDES_WRITES_ALONE,
    /**
     * Blocks can be {@linkplain Oram#trim trimmed}: its journal says which blocks an access wrote.
     */
    TRIMS,
    /** It never overwrites what it wrote, so that a store may keep objects, written once. */
    WRITES_ONCE
  }

  /** The name on command lines and in superblocks: 1 to 255 characters of ASCII, for ever. */
  String id();

  /** What it can do. */
  Set<Trait> traits();

  /** The names that {@link #parameters} knows. */
  Set<String> parameterNames();

  /**
   * Those of {@link #parameterNames} that may be another at each opening, as nothing that is on a
   * store follows from them: see {@link OpenOptions#withParameter}. None unless said.
   */
  default Set<String> openingParameterNames() {
    return Set.of();
  }

  /**
   * The parameters for a store, checked; what is not set has a default.
   *
   * @param blocks N, 1 to {@link OramConfig#MAX_BLOCKS}
   * @param blockBytes a multiple of 512, up to {@link OramConfig#MAX_BLOCK_BYTES}
   * @param settings of {@link #parameterNames} only
   * @throws ConfigurationException if a value is out of bounds or does not fit the others
   */
  SchemeParameters parameters(long blocks, int blockBytes, SchemeSettings settings);

  /** Bytes of address space that a store needs, superblock included; it may be sparse. */
  long storeBytes(OramConfig config);

  /**
   * As {@link #parameters}, with what was not set chosen so that the client takes no more memory
   * than it may, and accesses then cost least: see {@link #clientMemory} and {@link #accessCost}.
   * What was set is kept. Counted are as many accesses at a time as the budget says, on a machine
   * with any number of processors.
   *
   * @throws ConfigurationException also if nothing fits, naming the least that does; or if the
   *     scheme cannot choose
   */
  default SchemeParameters parametersWithin(
      ClientBudget budget, long blocks, int blockBytes, SchemeSettings settings) {
    throw new ConfigurationException(
        "client memory is given as "
            + budget.bytes()
            + " bytes, scheme "
            + id()
            + " has nothing to choose by it; leave it out, or use scheme roram, path-batched,"
            + " path or tao");
  }

  /**
   * The most that the client of a store takes while accesses are made, once it is open. Empty if
   * the scheme does not say.
   */
  default Optional<ClientMemory> clientMemory(OramConfig config, OpenOptions options) {
    return Optional.empty();
  }

  /**
   * The most blocks that a stash may hold, beyond which accesses fail: see {@link
   * OramStats.TreeStats#stashBlocks}. By default the parameter {@code stashLimitBlocks}; empty
   * without one.
   */
  default OptionalInt stashLimit(OramConfig config) {
    String limit = config.parameters().settings().get("stashLimitBlocks");
    return limit == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(limit));
  }

  /**
   * What an access of so many blocks costs; of a store that shows which accesses write, one that
   * does. Empty if the scheme does not say.
   *
   * @param blocks 1 to the longest range
   */
  default Optional<AccessCost> accessCost(OramConfig config, int blocks) {
    return Optional.empty();
  }

  /**
   * What an access of so many blocks costs that reads, or that writes: the same unless the store
   * shows which accesses write. Empty if the scheme does not say.
   *
   * @param blocks 1 to the longest range
   */
  default Optional<AccessCost> accessCost(OramConfig config, int blocks, boolean writes) {
    return accessCost(config, blocks);
  }

  /**
   * What an access of so many blocks asks an engine for where the store keeps objects, in chunks as
   * they are configured. Empty if the scheme {@linkplain Trait#WRITES_ONCE cannot} be kept so, or
   * does not say.
   *
   * @param blocks 1 to the longest range
   * @param writes whether it writes; of no matter unless the store shows that
   */
  default Optional<ObjectCost> objectCost(OramConfig config, int blocks, boolean writes) {
    return Optional.empty();
  }

  /**
   * Parameters that a store of objects must have, which are written once and whole; one that {@link
   * SchemeParameters#settings} does not name has that value.
   */
  default Map<String, String> objectSettings() {
    return Map.of();
  }

  /**
   * What a {@linkplain Oram#scan scan} costs of a store that was written all over. Empty if the
   * scheme does not say.
   */
  default Optional<AccessCost> scanCost(OramConfig config) {
    return Optional.empty();
  }

  /**
   * From how many blocks on a scan costs no more than reading them by accesses: the bound on useful
   * ranges (rORAM, §IV-A). Beyond the longest range accesses of that follow one another.
   *
   * @param price of a cost, as bytes or as time on a device
   * @return 1 to one more than the store's blocks, which says that no scan pays; empty if the
   *     scheme does not say what accesses and scans cost
   */
  default OptionalLong scanPaysFrom(OramConfig config, ToDoubleFunction<AccessCost> price) {
    Optional<AccessCost> scan = scanCost(config);
    int longest = config.maxRangeBlocks();
    if (scan.isEmpty() || accessCost(config, longest, false).isEmpty()) {
      return OptionalLong.empty();
    }
    double most = price.applyAsDouble(scan.get());
    double access = 0;
    for (int blocks = 1; blocks <= longest; blocks *= 2) {
      access = price.applyAsDouble(accessCost(config, blocks, false).orElseThrow());
      if (access >= most) {
        return OptionalLong.of(blocks / 2 + 1L);
      }
    }
    long blocks = (long) Math.ceil(most / access * longest);
    return OptionalLong.of(Math.min(blocks, config.blocks() + 1));
  }

  /** What an acknowledged access is safe from where nothing else was chosen. */
  default Durability defaultDurability() {
    return traits().contains(Trait.JOURNALLED) ? Durability.SYNC : Durability.NONE;
  }

  /**
   * The scheme with an id.
   *
   * @throws ConfigurationException if no jar at hand has it, naming those that are there
   */
  static Scheme of(String id) {
    return Schemes.of(id);
  }

  /** All schemes at hand, by id. */
  static List<Scheme> all() {
    return Schemes.all();
  }
}
