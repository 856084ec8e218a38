package io.github.roram.linked;

import io.github.roram.ClientBudget;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.SchemeParameters;
import io.github.roram.SchemeSettings;
import io.github.roram.budget.TreeBudget;
import io.github.roram.journal.Journal;
import io.github.roram.parameters.TaoParameters;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** TaORAM: see {@link LinkedOram}. */
public final class TaoScheme extends LinkedScheme {

  @Override
  public String id() {
    return TaoParameters.SCHEME;
  }

  @Override
  public Set<Trait> traits() {
    return EnumSet.of(Trait.JOURNALLED, Trait.REKEYABLE, Trait.TRIMS);
  }

  @Override
  public Set<String> parameterNames() {
    return TaoParameters.NAMES;
  }

  @Override
  public Set<String> openingParameterNames() {
    return TaoParameters.OPENING_NAMES;
  }

  @Override
  public SchemeParameters parameters(long blocks, int blockBytes, SchemeSettings settings) {
    return TaoParameters.of(blocks, blockBytes, settings);
  }

  @Override
  public void checkOptions(OramConfig config, OpenOptions options) {
    if (options.durabilityOf(this) != Durability.NONE) {
      Journal.checkRecordsFit(config, 1);
    }
  }

  @Override
  public SchemeParameters parametersWithin(
      ClientBudget budget, long blocks, int blockBytes, SchemeSettings settings) {
    List<Map<String, String>> maps = List.of(Map.of());
    return new TreeBudget(this, budget, blocks, blockBytes, settings, true, maps).cheapest();
  }
}
