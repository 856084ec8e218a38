package io.github.roram.tao;

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
import io.github.roram.parameters.TaoParameters;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** TaORAM: see {@link TaoOram}. */
public final class TaoScheme implements SchemeProvider {

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
  public long storeBytes(OramConfig config) {
    return new TaoLayout(config).bytes();
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

  @Override
  public Optional<ClientMemory> clientMemory(OramConfig config, OpenOptions options) {
    return Optional.of(new TaoMemory(config, options).most());
  }

  @Override
  public Optional<AccessCost> accessCost(OramConfig config, int blocks) {
    return Optional.of(TaoCosts.of(config, blocks));
  }

  @Override
  public Engine engine(OramContext context, byte[] layout) {
    return new TaoOram(context, new TaoLayout(context.config()));
  }
}
