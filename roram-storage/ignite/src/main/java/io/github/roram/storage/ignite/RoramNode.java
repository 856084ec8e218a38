package io.github.roram.storage.ignite;

import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import javax.cache.Cache;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cache.query.ScanQuery;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.WALMode;
import org.apache.ignite.lang.IgniteBiPredicate;
import org.apache.ignite.lang.IgniteCallable;
import org.apache.ignite.resources.IgniteInstanceResource;
import org.apache.ignite.services.Service;
import org.jspecify.annotations.Nullable;

/**
 * A service on each node of the cluster, named {@code roram} in the nodes' configuration. It
 * creates the caches with the settings on which safety rests, refuses caches with others, and lists
 * names.
 */
public final class RoramNode implements Service, ClusterSide {
  private static final long serialVersionUID = 1L;

  @IgniteInstanceResource private transient @Nullable Ignite ignite;

  /** Creates the service, for Ignite to call. */
  public RoramNode() {}

  private Ignite ignite() {
    return Objects.requireNonNull(ignite);
  }

  @Override
  public String prepare(String caches) {
    Ignite here = ignite();
    if (!here.cluster().state().active()) {
      return "the cluster is not active: once all nodes are there, control.sh --set-state ACTIVE";
    }
    if (here.cluster().isBaselineAutoAdjustEnabled()) {
      return "nodes that are away are taken out of the baseline, so no part of the cluster knows"
          + " whether it is most of it: control.sh --baseline auto_adjust disable";
    }
    Collection<String> nodes =
        here.compute(here.cluster().forServers()).broadcast(new NodeSettings());
    for (String wrong : nodes) {
      if (!wrong.isEmpty()) {
        return wrong;
      }
    }
    for (CacheSettings settings : CacheSettings.all(caches)) {
      String wrong = settings.findWrong(here.getOrCreateCache(settings.configuration()));
      if (!wrong.isEmpty()) {
        return wrong;
      }
    }
    takeBack(caches);
    return "";
  }

  /**
   * Checks that a node keeps what it has acknowledged. The result is what is wrong and the remedy,
   * or empty.
   */
  private static final class NodeSettings implements IgniteCallable<String> {
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

  /** Opens partitions again that had lost all their nodes, once all nodes are back. */
  private void takeBack(String caches) {
    Ignite here = ignite();
    List<String> lost =
        CacheSettings.all(caches).stream()
            .map(CacheSettings::name)
            .filter(name -> !here.cache(name).lostPartitions().isEmpty())
            .toList();
    List<Object> nodes =
        here.cluster().forServers().nodes().stream().map(ClusterNode::consistentId).toList();
    if (!lost.isEmpty() && Majority.isAllOf(here.cluster().currentBaselineTopology(), nodes)) {
      here.resetLostPartitions(lost);
    }
  }

  @Override
  public String[] keys(String caches, String prefix, String after) {
    Ignite here = ignite();
    TreeSet<String> first = new TreeSet<>();
    for (CacheSettings settings : CacheSettings.all(caches)) {
      if (settings.hasObjects()) {
        addKeys(here.cache(settings.name()), new Wanted(prefix, after), first);
      }
    }
    requireMajority();
    return first.toArray(new String[0]);
  }

  @Override
  public byte @Nullable [] read(String cache, String key, int mostBytes) {
    byte[] part =
        ignite().<String, byte[]>cache(cache).invoke(key, new Entry.ReadPart(), 0L, mostBytes);
    requireMajority();
    return part;
  }

  /** Asks the nodes, since one that has just left may still be among those known here. */
  private void requireMajority() {
    Ignite here = ignite();
    Collection<Object> answers;
    try {
      answers = here.compute(here.cluster().forServers()).broadcast(new NodeId());
    } catch (IgniteException e) {
      throw new IllegalStateException("a node has gone: " + e.getMessage(), e);
    }
    if (!Majority.isOf(here.cluster().currentBaselineTopology(), answers)) {
      throw new IllegalStateException("less than half of the cluster's nodes are here");
    }
  }

  /** Returns the id of the node that it runs on. */
  private static final class NodeId implements IgniteCallable<Object> {
    private static final long serialVersionUID = 1L;

    @IgniteInstanceResource private transient @Nullable Ignite ignite;

    @Override
    public Object call() {
      return Objects.requireNonNull(ignite).cluster().localNode().consistentId();
    }
  }

  /**
   * Queries one partition after another: while nodes come and go, a query of all partitions can
   * omit some, but a query of one partition fails.
   */
  private void addKeys(
      IgniteCache<String, byte[]> cache, Wanted wanted, NavigableSet<String> first) {
    int partitions = ignite().affinity(cache.getName()).partitions();
    for (int partition = 0; partition < partitions; partition++) {
      ScanQuery<String, byte[]> query = new ScanQuery<>(wanted);
      query.setPartition(partition);
      try (QueryCursor<String> keys = cache.query(query, Cache.Entry::getKey)) {
        for (String key : keys) {
          first.add(key);
          if (first.size() > NAMES_AT_ONCE) {
            first.pollLast();
          }
        }
      }
    }
  }

  /** Accepts keys with a prefix after a key. Not a record, whose fields Ignite could not send. */
  private static final class Wanted implements IgniteBiPredicate<String, byte[]> {
    private static final long serialVersionUID = 1L;

    private final String prefix;
    private final String after;

    Wanted(String prefix, String after) {
      this.prefix = prefix;
      this.after = after;
    }

    @Override
    public boolean apply(String key, byte[] value) {
      return key.startsWith(prefix) && key.compareTo(after) > 0;
    }
  }
}
