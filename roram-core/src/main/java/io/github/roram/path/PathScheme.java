package io.github.roram.path;

import io.github.roram.AccessCost;
import io.github.roram.ClientBudget;
import io.github.roram.ClientMemory;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.SchemeParameters;
import io.github.roram.SchemeSettings;
import io.github.roram.budget.TreeBudget;
import io.github.roram.engine.Engine;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.SchemeProvider;
import io.github.roram.parameters.PathParameters;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.tree.TreeGeometry;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Classic Path ORAM: see {@link PathOram}. */
public final class PathScheme implements SchemeProvider {

  private static final String RECURSIVE = "recursivePositionMap";

  @Override
  public String id() {
    return PathParameters.SCHEME;
  }

  /** None: it overwrites paths in place. */
  @Override
  public Set<Trait> traits() {
    return EnumSet.of(Trait.TRIMS);
  }

  @Override
  public Set<String> parameterNames() {
    return PathParameters.NAMES;
  }

  @Override
  public Set<String> openingParameterNames() {
    return TreeParameters.OPENING_NAMES;
  }

  @Override
  public SchemeParameters parameters(long blocks, int blockBytes, SchemeSettings settings) {
    return PathParameters.of(blocks, blockBytes, settings);
  }

  @Override
  public long storeBytes(OramConfig config) {
    return new PathStoreLayout(config).bytes();
  }

  @Override
  public SchemeParameters parametersWithin(
      ClientBudget budget, long blocks, int blockBytes, SchemeSettings settings) {
    List<Map<String, String>> maps = List.of(Map.of(RECURSIVE, "false"), Map.of(RECURSIVE, "true"));
    return new TreeBudget(this, budget, blocks, blockBytes, settings, false, maps).cheapest();
  }

  @Override
  public Optional<ClientMemory> clientMemory(OramConfig config, OpenOptions options) {
    return Optional.of(PathMemory.most(config));
  }

  @Override
  public Optional<AccessCost> accessCost(OramConfig config, int blocks) {
    PathStoreLayout layout = new PathStoreLayout(config);
    AccessCost cost = AccessCost.NONE;
    for (int tree = 0; tree < layout.trees(); tree++) {
      TreeGeometry geometry = layout.geometry(tree);
      int levels = geometry.height() + 1 - geometry.treetopLevels();
      double bytes = (double) levels * layout.descriptor().sealedBytes();
      cost = cost.plus(new AccessCost(2, 2.0 * levels, bytes, bytes));
    }
    return Optional.of(cost.times(blocks));
  }

  @Override
  public Engine engine(OramContext context, byte[] layout) {
    return new PathOram(context, new PathStoreLayout(context.config()));
  }
}
