package io.github.roram.range;

import io.github.roram.AccessCost;
import io.github.roram.ClientBudget;
import io.github.roram.ClientMemory;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.SchemeParameters;
import io.github.roram.SchemeSettings;
import io.github.roram.budget.TreeBudget;
import io.github.roram.engine.Engine;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.SchemeProvider;
import io.github.roram.journal.Journal;
import io.github.roram.maptree.MapShape;
import io.github.roram.object.ObjectStore;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.ring.LevelTableDescriptor;
import io.github.roram.store.BlockStore;
import io.github.roram.tree.BucketWalk;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the schemes on the tree engine share: their store has a table of the levels of all trees.
 */
abstract class TreeScheme implements SchemeProvider {

  /** Returns the most blocks that one access reads and writes. */
  abstract long mostBlocks(OramConfig config);

  /** Creates an engine on a store with this layout. */
  abstract Engine engine(OramContext context, StoreLayout layout);

  @Override
  public final Set<String> openingParameterNames() {
    return TreeParameters.OPENING_NAMES;
  }

  @Override
  public final long storeBytes(OramConfig config) {
    return new StoreLayout(config).bytes();
  }

  @Override
  public final void checkOptions(OramConfig config, OpenOptions options) {
    SchemeProvider.super.checkOptions(config, options);
    if (options.durabilityOf(this) != Durability.NONE) {
      Journal.checkRecordsFit(config, mostBlocks(config) + mostLookedUp(config));
    }
  }

  @Override
  public final SchemeParameters parametersWithin(
      ClientBudget budget, long blocks, int blockBytes, SchemeSettings settings) {
    List<Map<String, String>> maps =
        List.of(Map.of("positionMap", "local"), Map.of("positionMap", "recursive"));
    return new TreeBudget(this, budget, blocks, blockBytes, settings, true, maps).cheapest();
  }

  @Override
  public final Optional<ClientMemory> clientMemory(OramConfig config, OpenOptions options) {
    return Optional.of(new TreeMemory(config, options, false).most());
  }

  @Override
  public final Optional<ClientMemory> objectMemory(OramConfig config, OpenOptions options) {
    return Optional.of(new TreeMemory(inUnits(config), options, true).most());
  }

  @Override
  public final Optional<AccessCost> scanCost(OramConfig config) {
    StoreLayout layout = new StoreLayout(config);
    int tree = layout.dataTrees() - 1;
    return Optional.of(
        BucketWalk.cost(layout.geometry(tree), layout.descriptor(tree).sealedBytes()));
  }

  /** Returns the size in blocks of the map content that one access looks up on the store. */
  private static long mostLookedUp(OramConfig config) {
    TreeParameters parameters = TreeParameters.of(config);
    MapShape shape = new StoreLayout(config).maps();
    return shape == null
        ? 0
        : new SizeClasses(parameters).mostLookUpBytes(shape) / config.blockBytes() + 1;
  }

  /** Objects are whole: each has buckets of all that its evictions meet. */
  @Override
  public final Map<String, String> objectSettings() {
    return Map.of("treetopPart", "0");
  }

  /** In a store of objects, chunks are whole: each has as many evictions as an object. */
  @Override
  public final OramConfig fitted(OramConfig config, BlockStore store) {
    OramConfig fitted = SchemeProvider.super.fitted(config, store);
    return store.keepsObjects() ? inUnits(fitted) : fitted;
  }

  private static OramConfig inUnits(OramConfig config) {
    TreeParameters wanted = TreeParameters.of(config);
    int bucketBytes = new StoreLayout(config).descriptor(0).sealedBytes();
    int most = ObjectStore.mostTogether(wanted.leaves(), bucketBytes);
    int unit = Integer.highestOneBit(Math.min(wanted.chunkPaths(), most));
    int window = Math.max(wanted.windowBlocks(), wanted.blocksEvictedBy(unit));
    return config.toBuilder().chunkPaths(unit).windowBlocks(window).build();
  }

  @Override
  public final byte[] layout(OramConfig config) {
    return LevelTableDescriptor.encode(new StoreLayout(config).table());
  }

  @Override
  public final Engine engine(OramContext context, byte[] layout) {
    return engine(context, new StoreLayout(context.config(), LevelTableDescriptor.decode(layout)));
  }
}
