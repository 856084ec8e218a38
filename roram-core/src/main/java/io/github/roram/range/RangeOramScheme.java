package io.github.roram.range;

import io.github.roram.AccessCost;
import io.github.roram.ObjectCost;
import io.github.roram.OramConfig;
import io.github.roram.SchemeParameters;
import io.github.roram.SchemeSettings;
import io.github.roram.engine.Engine;
import io.github.roram.engine.OramContext;
import io.github.roram.parameters.RangeOramParameters;
import io.github.roram.parameters.TreeParameters;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** rORAM: see {@link RangeOram}. */
public final class RangeOramScheme extends TreeScheme {

  @Override
  public String id() {
    return RangeOramParameters.SCHEME;
  }

  @Override
  public Set<Trait> traits() {
    return EnumSet.of(
        Trait.JOURNALLED, Trait.REKEYABLE, Trait.WHOLE_RANGES, Trait.TRIMS, Trait.WRITES_ONCE);
  }

  @Override
  public Set<String> parameterNames() {
    return RangeOramParameters.NAMES;
  }

  @Override
  public SchemeParameters parameters(long blocks, int blockBytes, SchemeSettings settings) {
    return RangeOramParameters.of(blocks, blockBytes, settings);
  }

  @Override
  public Optional<AccessCost> accessCost(OramConfig config, int blocks) {
    return accessCost(config, blocks, true);
  }

  @Override
  public Optional<AccessCost> accessCost(OramConfig config, int blocks, boolean writes) {
    return Optional.of(new TreeCosts(config).ofRange(blocks, writes).access());
  }

  @Override
  public Optional<ObjectCost> objectCost(OramConfig config, int blocks, boolean writes) {
    return Optional.of(new TreeCosts(config).ofRange(blocks, writes).objects());
  }

  @Override
  long mostBlocks(OramConfig config) {
    int[] classes = TreeParameters.of(config).sizeClasses();
    return 2L << classes[classes.length - 1];
  }

  @Override
  Engine engine(OramContext context, StoreLayout layout) {
    return new RangeOram(context, layout, null);
  }
}
