package io.github.roram.linked;

import io.github.roram.AccessCost;
import io.github.roram.ClientMemory;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.engine.Engine;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.SchemeProvider;
import io.github.roram.tree.BucketWalk;
import java.util.Optional;

/** The common part of {@link PathScheme} and {@link TaoScheme}: a {@link LinkedOram}. */
abstract class LinkedScheme implements SchemeProvider {

  @Override
  public final long storeBytes(OramConfig config) {
    return new LinkedStoreLayout(config).bytes();
  }

  @Override
  public final Optional<ClientMemory> clientMemory(OramConfig config, OpenOptions options) {
    return Optional.of(new LinkedMemory(config, options).most());
  }

  @Override
  public final Optional<AccessCost> accessCost(OramConfig config, int blocks) {
    return Optional.of(new LinkedStoreLayout(config).cost(blocks));
  }

  @Override
  public final Optional<AccessCost> scanCost(OramConfig config) {
    LinkedStoreLayout layout = new LinkedStoreLayout(config);
    return Optional.of(BucketWalk.cost(layout.geometry(0), layout.descriptor().sealedBytes()));
  }

  @Override
  public final Engine engine(OramContext context, byte[] layout) {
    return new LinkedOram(context, new LinkedStoreLayout(context.config()));
  }
}
