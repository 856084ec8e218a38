package io.github.roram.linked;

import io.github.roram.ClientBudget;
import io.github.roram.SchemeParameters;
import io.github.roram.SchemeSettings;
import io.github.roram.budget.TreeBudget;
import io.github.roram.parameters.PathParameters;
import io.github.roram.parameters.TreeParameters;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Classic Path ORAM: see {@link LinkedOram}. */
public final class PathScheme extends LinkedScheme {

  private static final String RECURSIVE = "recursivePositionMap";

  @Override
  public String id() {
    return PathParameters.SCHEME;
  }

  /** Without a journal, since it overwrites paths in place. */
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
  public SchemeParameters parametersWithin(
      ClientBudget budget, long blocks, int blockBytes, SchemeSettings settings) {
    List<Map<String, String>> maps = List.of(Map.of(RECURSIVE, "false"), Map.of(RECURSIVE, "true"));
    return new TreeBudget(this, budget, blocks, blockBytes, settings, false, maps).cheapest();
  }
}
