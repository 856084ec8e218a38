package io.github.roram.storage.ignite;

import java.util.Objects;
import org.apache.ignite.Ignite;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.WALMode;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.resources.IgniteInstanceResource;
import org.jspecify.annotations.Nullable;

/** Whether a node keeps what it acknowledged: what is wrong and its remedy, or nothing. */
final class NodeSettings implements IgniteCallable<String> {
  private static final long serialVersionUID = 1L;

  @IgniteInstanceResource private transient @Nullable Ignite ignite;

  @Override
  public String call() {
    Ignite here = Objects.requireNonNull(ignite);
    String node = "node " + here.cluster().localNode().consistentId();
    DataStorageConfiguration storage = here.configuration().getDataStorageConfiguration();
    if (storage == null || !storage.getDefaultDataRegionConfiguration().isPersistenceEnabled()) {
      return node
          + " keeps nothing on its disk: set persistenceEnabled of its"
          + " defaultDataRegionConfiguration";
    }
    if (storage.getWalMode() != WALMode.FSYNC) {
      return node
          + " has walMode "
          + storage.getWalMode()
          + ", with which a power failure undoes what was acknowledged: set FSYNC";
    }
    return "";
  }
}
