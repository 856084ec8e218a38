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
import io.github.roram.parameters.BatchedPathParameters;
import io.github.roram.ring.LevelTableDescriptor;
import java.util.EnumSet;
import java.util.Set;

/** Path ORAM with batched evictions: see {@link BatchedPathOram}. */
public final class BatchedPathScheme implements SchemeProvider {

  @Override
  public String id() {
    return BatchedPathParameters.SCHEME;
  }

  @Override
  public Set<Trait> traits() {
    return EnumSet.of(Trait.JOURNALLED, Trait.REKEYABLE);
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
  public long storeBytes(OramConfig config) {
    return new StoreLayout(config).bytes();
  }

  @Override
  public void checkOptions(OramConfig config, OpenOptions options) {
    if (options.durabilityOf(this) != Durability.NONE) {
      Journal.checkRecordsFit(config, 1);
    }
  }

  @Override
  public byte[] layout(OramConfig config) {
    return LevelTableDescriptor.encode(new StoreLayout(config).table());
  }

  @Override
  public Engine engine(OramContext context, byte[] layout) {
    return new BatchedPathOram(
        context, new StoreLayout(context.config(), LevelTableDescriptor.decode(layout)));
  }
}
