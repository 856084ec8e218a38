package io.github.roram.range;

import io.github.roram.AccessCost;
import io.github.roram.ObjectCost;
import io.github.roram.OramConfig;
import io.github.roram.SchemeParameters;
import io.github.roram.SchemeSettings;
import io.github.roram.engine.Engine;
import io.github.roram.engine.OramContext;
import io.github.roram.parameters.BatchedPathParameters;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Path ORAM with batched evictions: see {@link BatchedPathOram}. */
public final class BatchedPathScheme extends TreeScheme {

  @Override
  public String id() {
    return BatchedPathParameters.SCHEME;
  }

  @Override
  public Set<Trait> traits() {
    return EnumSet.of(Trait.JOURNALLED, Trait.REKEYABLE, Trait.TRIMS, Trait.WRITES_ONCE);
  }

  @Override
  public Set<String> parameterNames() {
    return BatchedPathParameters.NAMES;
  }

  @Override
  public SchemeParameters parameters(long blocks, int blockBytes, SchemeSettings settings) {
    return BatchedPathParameters.of(blocks, blockBytes, settings);
  }

  @Override
  public Optional<AccessCost> accessCost(OramConfig config, int blocks) {
    return Optional.of(new TreeCosts(config).ofBlock().times(blocks).access());
  }

  @Override
  public Optional<ObjectCost> objectCost(OramConfig config, int blocks, boolean writes) {
    return Optional.of(new TreeCosts(config).ofBlock().times(blocks).objects());
  }

  @Override
  long mostBlocks(OramConfig config) {
    return 1;
  }

  @Override
  Engine engine(OramContext context, StoreLayout layout) {
    return new BatchedPathOram(context, layout, null);
  }
}
