package io.github.roram.range;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.SchemeParameters;
import io.github.roram.SchemeSettings;
import io.github.roram.engine.Engine;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.SchemeProvider;
import io.github.roram.journal.Journal;
import io.github.roram.parameters.RangeOramParameters;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.ring.LevelTableDescriptor;
import java.util.EnumSet;
import java.util.Set;

/** rORAM: see {@link RangeOram}. */
public final class RangeOramScheme implements SchemeProvider {

  @Override
  public String id() {
    return RangeOramParameters.SCHEME;
  }

  @Override
  public Set<Trait> traits() {
    return EnumSet.of(Trait.JOURNALLED, Trait.REKEYABLE, Trait.WHOLE_RANGES);
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
  public long storeBytes(OramConfig config) {
    return new StoreLayout(config).bytes();
  }

  @Override
  public void checkOptions(OramConfig config, OpenOptions options) {
    if (options.durabilityOf(this) != Durability.NONE) {
      int[] classes = TreeParameters.of(config).sizeClasses();
      Journal.checkRecordsFit(config, 2L << classes[classes.length - 1]);
    }
  }

  @Override
  public byte[] layout(OramConfig config) {
    return LevelTableDescriptor.encode(new StoreLayout(config).table());
  }

  @Override
  public Engine engine(OramContext context, byte[] layout) {
    return new RangeOram(
        context, new StoreLayout(context.config(), LevelTableDescriptor.decode(layout)));
  }
}
