package io.github.roram.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.store.BucketRuns;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When a chunk may be read while the one before it is written. */
final class ApartChunksTest {

  private static final int HEIGHT = 4;

  /** Level and eviction of each bucket that evictions [first, first + paths) read or write. */
  private static Set<String> buckets(TreeGeometry geometry, long first, int paths, boolean read) {
    EpochHistory epochs = new EpochHistory(geometry.leaves());
    epochs.note(0, 1);
    BucketRuns runs = new BucketRuns();
    Set<String> names = new HashSet<>();
    for (int level = geometry.treetopLevels(); level <= HEIGHT; level++) {
      int width = Math.min(paths, 1 << level);
      long last = first + paths - width;
      // As PathEviction names them: those of a full lap that are read, the last ones written.
      long from = read ? first - (1L << level) : last;
      new TreeVersions(geometry, epochs).addRun(runs, level, from, width);
    }
    for (int unit = 0; unit < runs.units(); unit++) {
      names.add(runs.level(unit) + ":" + runs.eviction(unit));
    }
    return names;
  }

  /** Exactly: fewer levels of treetop would not do. */
  @Test
  void chunksAreApartExactlyIfTheSecondReadsNothingThatTheFirstWrites() {
    int apart = 0;
    for (int top = 0; top <= HEIGHT; top++) {
      TreeGeometry geometry = new TreeGeometry(0, 0, 16, HEIGHT, top, 4);
      for (int first = 1; first <= 20; first++) {
        for (int second = 1; second <= 20; second++) {
          for (long eviction = 64; eviction < 80; eviction++) {
            Set<String> common = buckets(geometry, eviction, first, false);
            common.retainAll(buckets(geometry, eviction + first, second, true));
            assertThat(geometry.areApart(first + second))
                .as("%d levels, %d and %d evictions from %d", top, first, second, eviction)
                .isEqualTo(common.isEmpty());
          }
          apart += geometry.areApart(first + second) ? 1 : 0;
        }
      }
    }
    assertThat(apart).isPositive();
  }
}
