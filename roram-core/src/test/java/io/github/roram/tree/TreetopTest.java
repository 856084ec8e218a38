package io.github.roram.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.stash.Stash;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The overflow of the treetop against a search for the best filling. */
class TreetopTest {

  @Property(tries = 500)
  void overflowIsWhatNoFillingCanAvoid(
      @ForAll @IntRange(min = 0, max = 4) int levels,
      @ForAll @IntRange(min = 1, max = 4) int slots,
      @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 31) Integer> labels) {
    TreeGeometry geometry = new TreeGeometry(0, 0, 32, 5, levels, slots);
    Stash stash = new Stash(512);
    int some = labels.size() / 2;
    for (int i = 0; i < labels.size(); i++) {
      if (i == some) {
        stash.hasTreetop(geometry.newTreetop());
      }
      stash.put(i, labels.get(i));
    }
    if (labels.isEmpty()) {
      stash.hasTreetop(geometry.newTreetop());
    }
    // By Hall's theorem: of every subtree, what exceeds its room must pass its root.
    int avoidable = levels == 0 ? labels.size() : excess(labels, slots, levels, 0, 0);
    assertThat(stash.overflow()).isEqualTo(avoidable);
  }

  private static int excess(List<Integer> labels, int slots, int levels, int level, int bucket) {
    int below;
    if (level == levels - 1) {
      below = (int) labels.stream().filter(l -> (l & ((1 << level) - 1)) == bucket).count();
    } else {
      below =
          excess(labels, slots, levels, level + 1, bucket)
              + excess(labels, slots, levels, level + 1, bucket + (1 << level));
    }
    return Math.max(0, below - slots);
  }
}
