package io.github.roram.detwo;

import io.github.roram.OramConfig;
import io.github.roram.SchemeParameters;
import io.github.roram.SchemeSettings;
import io.github.roram.engine.Engine;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.SchemeProvider;
import java.util.EnumSet;
import java.util.Set;

/** DetWoORAM: see {@link DetWoOram}. */
public final class DetWoScheme implements SchemeProvider {

  @Override
  public String id() {
    return DetWoParameters.SCHEME;
  }

  @Override
  public Set<Trait> traits() {
    return EnumSet.of(
        Trait.JOURNALLED, Trait.REKEYABLE, Trait.WHOLE_RANGES, Trait.HIDES_WRITES_ALONE);
  }

  @Override
  public Set<String> parameterNames() {
    return DetWoParameters.NAMES;
  }

  @Override
  public Set<String> openingParameterNames() {
    return DetWoParameters.OPENING_NAMES;
  }

  @Override
  public SchemeParameters parameters(long blocks, int blockBytes, SchemeSettings settings) {
    return DetWoParameters.of(blocks, settings);
  }

  @Override
  public long storeBytes(OramConfig config) {
    return new Areas(config).bytes();
  }

  @Override
  public byte[] layout(OramConfig config) {
    return AreasDescriptor.encode(new Areas(config));
  }

  @Override
  public Engine engine(OramContext context, byte[] layout) {
    return new DetWoOram(context, AreasDescriptor.decode(context.config(), layout));
  }
}
