package io.github.roram;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * A construction, described independently of any store: its parameters, the store size that they
 * need, and its traits. {@link java.util.ServiceLoader} finds schemes under this type, so a jar on
 * the class path or module path can add some. The same object opens stores of the scheme (see
 * {@code io.github.roram.engine.SchemeProvider}).
 *
 * <p>Implementations have a public constructor without arguments, no state, and are safe for use by
 * several threads.
 */
public interface Scheme {

  /** What a scheme can do, for callers that must know it before they have an ORAM. */
  enum Trait {
    /** It keeps a journal if asked to, and has all durabilities; otherwise it has only NONE. */
    JOURNALLED,
    /** A store can get a new master key in place. */
    REKEYABLE,
    /** A range is one access, all or nothing; otherwise each of its blocks is a separate access. */
    WHOLE_RANGES,
    /**
     * It hides only writes: a read goes straight to its blocks, and writes nothing. For adversaries
     * that see the store's content, but no reads.
     */
    HIDES_WRITES_ALONE,
    /**
     * Blocks can be {@linkplain Oram#trim trimmed}: its journal says which blocks an access wrote.
     */
    TRIMS,
    /** It never overwrites what it wrote, so its store can consist of write-once objects. */
    WRITES_ONCE
  }

  /** Returns its name on command lines and in superblocks: 1 to 255 ASCII characters, for ever. */
  String id();

  /** Returns what the scheme can do. */
  Set<Trait> traits();

  /** Returns the names that {@link #parameters} knows. */
  Set<String> parameterNames();

  /**
   * Returns those of {@link #parameterNames} whose values may differ at each opening, because
   * nothing on the store depends on them: see {@link OpenOptions#withParameter}. Empty by default.
   */
  default Set<String> openingParameterNames() {
    return Set.of();
  }

  /**
   * Returns checked parameters for a store; parameters that are not set get a default.
   *
   * @param blocks N, 1 to {@link OramConfig#MAX_BLOCKS}
   * @param blockBytes a multiple of 512, up to {@link OramConfig#MAX_BLOCK_BYTES}
   * @param settings values for names in {@link #parameterNames} only
   * @throws ConfigurationException if a value is out of bounds or does not fit the others
   */
  SchemeParameters parameters(long blocks, int blockBytes, SchemeSettings settings);

  /** Returns the address space in bytes that a store needs, superblock included; may be sparse. */
  long storeBytes(OramConfig config);

  /**
   * Returns parameters as {@link #parameters} does, with values that were not set chosen so that
   * the client stays within its memory budget and accesses cost least: see {@link #clientMemory}
   * and {@link #accessCost}. Values that were set are kept. The memory counts as many accesses in
   * flight as the budget says; the number of processors makes no difference.
   *
   * @throws ConfigurationException also if nothing fits, naming the smallest budget that does, or
   *     if the scheme cannot choose
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
   * Returns the most memory that the client of an open store takes while accesses are made. Empty
   * if the scheme does not say.
   */
  default Optional<ClientMemory> clientMemory(OramConfig config, OpenOptions options) {
    return Optional.empty();
  }

  /**
   * Returns {@link #clientMemory} for a store of objects, each written once and whole: more where
   * an object holds more than is evicted at once elsewhere.
   */
  default Optional<ClientMemory> objectMemory(OramConfig config, OpenOptions options) {
    return clientMemory(config, options);
  }

  /**
   * Returns the most blocks that a stash may hold, beyond which accesses fail: see {@link
   * OramStats.TreeStats#stashBlocks}. By default the parameter {@code stashLimitBlocks}, or empty
   * without one.
   */
  default OptionalInt stashLimit(OramConfig config) {
    String limit = config.parameters().settings().get("stashLimitBlocks");
    return limit == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(limit));
  }

  /**
   * Returns the cost of an access to {@code blocks} blocks, or of a write if the store shows which
   * accesses write. Empty if the scheme does not say.
   *
   * @param blocks 1 to the longest range
   */
  default Optional<AccessCost> accessCost(OramConfig config, int blocks) {
    return Optional.empty();
  }

  /**
   * Returns the cost of a read or a write of {@code blocks} blocks: the same unless the store shows
   * which accesses write. Empty if the scheme does not say.
   *
   * @param blocks 1 to the longest range
   */
  default Optional<AccessCost> accessCost(OramConfig config, int blocks, boolean writes) {
    return accessCost(config, blocks);
  }

  /**
   * Returns the requests of an access to {@code blocks} blocks on a store of objects, with chunks
   * as configured. Empty if the scheme {@linkplain Trait#WRITES_ONCE cannot} be kept in objects, or
   * does not say.
   *
   * @param blocks 1 to the longest range
   * @param writes whether it writes; makes no difference unless the store shows which accesses
   *     write
   */
  default Optional<ObjectCost> objectCost(OramConfig config, int blocks, boolean writes) {
    return Optional.empty();
  }

  /**
   * Returns the parameters that a store of objects, each written once and whole, must have. A
   * parameter that {@link SchemeParameters#settings} does not name has that value.
   */
  default Map<String, String> objectSettings() {
    return Map.of();
  }

  /** Returns the cost of a {@linkplain Oram#scan scan} of a fully written store, if known. */
  default Optional<AccessCost> scanCost(OramConfig config) {
    return Optional.empty();
  }

  /**
   * Returns the number of blocks from which on a scan costs no more than reading them by accesses:
   * the bound on useful ranges (rORAM, §IV-A). Reads beyond the longest range count as several
   * accesses of that length.
   *
   * @param price price of a cost, for example in bytes or as time on a device
   * @return 1 to one more than the store's blocks, which means that no scan pays; empty if the
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

  /** Returns the durability of a store for which none was chosen. */
  default Durability defaultDurability() {
    return traits().contains(Trait.JOURNALLED) ? Durability.SYNC : Durability.NONE;
  }

  /**
   * Returns the scheme with an id.
   *
   * @throws ConfigurationException if no available jar has it; the message names those available
   */
  static Scheme of(String id) {
    return Schemes.of(id);
  }

  /** Returns all available schemes, ordered by id. */
  static List<Scheme> all() {
    return Schemes.all();
  }
}
