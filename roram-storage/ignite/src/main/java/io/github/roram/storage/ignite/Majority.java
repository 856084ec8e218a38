package io.github.roram.storage.ignite;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.ignite.Ignite;
import org.apache.ignite.cluster.BaselineNode;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.configuration.TopologyValidator;
import org.apache.ignite.resources.IgniteInstanceResource;
import org.jspecify.annotations.Nullable;

/**
 * Allows writes to a cache only while more than half of the nodes that keep it are here. Otherwise
 * each part of a split cluster would go on, and two clients could create one object.
 */
public final class Majority implements TopologyValidator {
  private static final long serialVersionUID = 1L;

  @IgniteInstanceResource private transient @Nullable Ignite ignite;

  /** Creates the validator, for Ignite to call. */
  public Majority() {}

  @Override
  public boolean validate(Collection<ClusterNode> nodes) {
    Ignite here = ignite;
    return here != null
        && isOf(
            here.cluster().currentBaselineTopology(),
            nodes.stream().<Object>map(ClusterNode::consistentId).toList());
  }

  /** Compares validators: nodes that were down together do not start with different ones. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Majority;
  }

  @Override
  public int hashCode() {
    return Majority.class.hashCode();
  }

  /** Returns whether these are more than half of the nodes that keep data. */
  static boolean isOf(@Nullable Collection<BaselineNode> baseline, Collection<Object> ids) {
    if (baseline == null) {
      return false;
    }
    return 2 * present(baseline, ids) > baseline.size();
  }

  /** Returns whether all nodes that keep data are among these; others do not count. */
  static boolean isAllOf(@Nullable Collection<BaselineNode> baseline, Collection<Object> ids) {
    return baseline != null && present(baseline, ids) == baseline.size();
  }

  private static long present(Collection<BaselineNode> baseline, Collection<Object> ids) {
    Set<Object> present = new HashSet<>(ids);
    return baseline.stream().filter(node -> present.contains(node.consistentId())).count();
  }
}
