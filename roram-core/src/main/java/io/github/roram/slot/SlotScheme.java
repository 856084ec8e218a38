package io.github.roram.slot;

import io.github.roram.AccessCost;
import io.github.roram.ClientBudget;
import io.github.roram.ClientMemory;
import io.github.roram.Durability;
import io.github.roram.ObjectCost;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.SchemeParameters;
import io.github.roram.SchemeSettings;
import io.github.roram.budget.BudgetSearch;
import io.github.roram.engine.Engine;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.SchemeProvider;
import io.github.roram.journal.Journal;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The ring of large buckets: see {@link SlotOram}. */
public final class SlotScheme implements SchemeProvider {

  @Override
  public String id() {
    return SlotParameters.SCHEME;
  }

  @Override
  public Set<Trait> traits() {
    return EnumSet.of(Trait.JOURNALLED, Trait.REKEYABLE, Trait.TRIMS, Trait.WRITES_ONCE);
  }

  @Override
  public Set<String> parameterNames() {
    return SlotParameters.NAMES;
  }

  @Override
  public SchemeParameters parameters(long blocks, int blockBytes, SchemeSettings settings) {
    return SlotParameters.of(blocks, blockBytes, settings);
  }

  @Override
  public SchemeParameters parametersWithin(
      ClientBudget budget, long blocks, int blockBytes, SchemeSettings settings) {
    BudgetSearch search =
        new BudgetSearch(this, budget, blocks, blockBytes, settings).withoutHardDisks();
    SlotShape.of(blocks, settings).forEach(shape -> search.tries(SlotParameters.settings(shape)));
    return search.cheapest();
  }

  /**
   * In a store of objects, evictions read whole buckets, which is one request each instead of one
   * for each slot.
   */
  @Override
  public Map<String, String> objectSettings() {
    return Map.of(SlotParameters.READS, SlotParameters.BUCKETS);
  }

  @Override
  public void checkOptions(OramConfig config, OpenOptions options) {
    SchemeProvider.super.checkOptions(config, options);
    if (options.durabilityOf(this) != Durability.NONE) {
      int most = new SlotGeometry(config).mostRead(config.maxRangeBlocks());
      Journal.checkRecordsFit(config, most);
    }
  }

  @Override
  public long storeBytes(OramConfig config) {
    return new SlotGeometry(config).bytes();
  }

  @Override
  public Optional<ClientMemory> clientMemory(OramConfig config, OpenOptions options) {
    return Optional.of(new SlotMemory(config, options).most());
  }

  /** Returns a limit that follows from the tree's shape. */
  @Override
  public OptionalInt stashLimit(OramConfig config) {
    return OptionalInt.of(new SlotGeometry(config).stashLimit());
  }

  @Override
  public Optional<AccessCost> accessCost(OramConfig config, int blocks) {
    return Optional.of(cost(config, blocks));
  }

  /**
   * Returns the cost of a read of {@code blocks} blocks: one slot of each level for each path, and
   * a share of the evictions, which read Z slots or all slots of a path's buckets, and write whole
   * buckets.
   */
  static AccessCost cost(OramConfig config, int blocks) {
    SlotGeometry geometry = new SlotGeometry(config);
    boolean sweeps = ((SlotParameters) config.parameters()).sweeps();
    int paths = SlotParameters.shown(blocks);
    double evictions = (double) paths / geometry.rate();
    double reads = Math.max(1, Math.ceil(evictions));
    double slots = (double) geometry.levels() * paths;
    double written = geometry.pathSlots() * evictions;
    double read = sweeps ? written : geometry.pathRoom() * evictions;
    double runs = sweeps ? geometry.levels() * evictions : read * (1 - read / written);
    int bytes = geometry.slotBytes();
    return new AccessCost(
        reads + 2 * evictions,
        slots + runs + geometry.levels() * evictions,
        (slots + read) * bytes,
        written * bytes);
  }

  /**
   * Returns one ranged read of an object for each level and path, and a share of the evictions,
   * which read and write whole objects.
   */
  @Override
  public Optional<ObjectCost> objectCost(OramConfig config, int blocks, boolean writes) {
    SlotGeometry geometry = new SlotGeometry(config);
    int paths = SlotParameters.shown(blocks);
    double evicted = (double) paths * geometry.levels() / geometry.rate();
    return Optional.of(new ObjectCost((double) paths * geometry.levels() + evicted, evicted));
  }

  @Override
  public Optional<AccessCost> scanCost(OramConfig config) {
    SlotGeometry geometry = new SlotGeometry(config);
    return Optional.of(
        new AccessCost(
            SlotWalk.requests(geometry),
            geometry.levels() * 2.0,
            (double) geometry.storedSlots() * geometry.slotBytes(),
            0));
  }

  @Override
  public Engine engine(OramContext context, byte[] layout) {
    return new SlotOram(context);
  }
}
