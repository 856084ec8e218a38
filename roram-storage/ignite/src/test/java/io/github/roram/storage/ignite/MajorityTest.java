package io.github.roram.storage.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.ignite.cluster.BaselineNode;
import org.apache.ignite.internal.cluster.DetachedClusterNode;
import org.junit.jupiter.api.Test;

/** Which nodes count, and for what. */
final class MajorityTest {

  private static final Collection<BaselineNode> BASELINE =
      Stream.of("a", "b", "c")
          .<BaselineNode>map(id -> new DetachedClusterNode(id, Map.of()))
          .toList();

  @Test
  void moreThanHalfOfThoseThatKeepDataIsAMajority() {
    assertThat(Majority.isOf(BASELINE, List.of("a", "c"))).isTrue();
    assertThat(Majority.isOf(BASELINE, List.of("a", "d", "e"))).isFalse();
    assertThat(Majority.isOf(null, List.of("a"))).isFalse();
  }

  /** A node that was added, and keeps nothing, is not the one whose copies are missing. */
  @Test
  void anotherNodeStandsForNoneThatIsAway() {
    assertThat(Majority.isAllOf(BASELINE, List.of("a", "b", "c", "d"))).isTrue();
    assertThat(Majority.isAllOf(BASELINE, List.of("a", "b", "d"))).isFalse();
    assertThat(Majority.isAllOf(null, List.of())).isFalse();
  }
}
