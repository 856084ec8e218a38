package io.github.roram.path;

import io.github.roram.OramConfig;
import io.github.roram.SchemeParameters;
import io.github.roram.SchemeSettings;
import io.github.roram.engine.Engine;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.SchemeProvider;
import io.github.roram.parameters.PathParameters;
import io.github.roram.parameters.TreeParameters;
import java.util.EnumSet;
import java.util.Set;

/** Classic Path ORAM: see {@link PathOram}. */
public final class PathScheme implements SchemeProvider {

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
  public Engine engine(OramContext context, byte[] layout) {
    return new PathOram(context, new PathStoreLayout(context.config()));
  }
}
