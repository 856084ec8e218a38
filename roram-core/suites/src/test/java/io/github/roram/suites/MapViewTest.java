package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelSource;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.range.SizeClasses;
import io.github.roram.store.IoPhase;
import io.github.roram.testkit.RecordingStore.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a server sees of a position map on its store: each access reads every tree of the map once,
 * the uppermost first, as many paths as its class can touch map blocks; the labels are uniform.
 */
@Tag("server-view")
class MapViewTest {

  private static final int BLOCKS = 1024;
  private static final int FAN = 8;
  private static final int ACCESSES = 1500;
  private static final int DATA_TREES = 2;

  private static final OramConfig CONFIG =
      OramConfig.builder(BLOCKS)
          .blockBytes(512)
          .maxRangeBlocks(16)
          .sizeClasses(0, 1, 4)
          .trees(0, 2)
          .chunkPaths(8)
          .treetopBytes(0)
          .positionMap("recursive")
          .set("blocksPerMapBlock", FAN)
          .set("clientLabels", 16)
          .build();

  @Test
  void mapRequestsFollowFromTheClassAlone() throws IOException {
    SizeClasses classes = new SizeClasses(TreeParameters.of(CONFIG));
    Random random = new Random(3);
    List<Integer> labels = new ArrayList<>();
    List<Integer> before = new ArrayList<>();
    // Of look-ups at the end of the map, where blocks are left to be read for nothing.
    int lookUps = 0;
    int whole = 0;
    try (ServerView view = new ServerView(CONFIG, LabelSource.secure())) {
      for (int i = 0; i < ACCESSES; i++) {
        int count = i % 3 == 0 ? 16 : i % 3;
        int block = i % 7 == 0 ? BLOCKS - count : random.nextInt(BLOCKS - count + 1);
        List<Long> evictions =
            view.oram().stats().trees().stream().map(tree -> tree.evictions()).toList();
        view.clear();
        access(view, block, count, i % 4 < 2);
        List<Request> reads =
            view.requests().stream().filter(read -> read.phase() == IoPhase.READ).toList();
        int sizeClass = classes.of(count);
        int tree = classes.tree(sizeClass);
        boolean all = i > ACCESSES / 2;
        if (all) {
          assertThat(reads).extracting(Request::tree).containsExactly(3, 2, tree);
          for (Request read : reads.subList(0, 2)) {
            int group = read.tree() - DATA_TREES + 1;
            int runs = runs(group, classes.exponent(tree), classes.ranges(sizeClass));
            List<Integer> leaves = view.map().leaves(read, evictions.get(read.tree()));
            // Two runs may be one by chance, never more.
            assertThat(leaves).doesNotHaveDuplicates().hasSizeBetween(1, runs);
            lookUps += i % 7 == 0 ? 1 : 0;
            whole += i % 7 == 0 && leaves.size() == runs ? 1 : 0;
            if (read.tree() == DATA_TREES && runs == 1) {
              labels.add(leaves.get(0));
              before.add(block & 3);
            }
          }
        }
      }
    }
    assertThat(whole).isGreaterThan(3 * lookUps / 4);
    ChiSquared.assertUniform(labels, 1 << 5);
    ChiSquared.assertIndependent(before, labels.stream().map(label -> label & 3).toList(), 4);
  }

  /** ⌈(n − 1)·2^t / G⌉ + 1, of a level whose map blocks are of G = 8^k blocks. */
  private static int runs(int level, int exponent, int ranges) {
    int group = (int) Math.pow(FAN, level);
    return (((ranges - 1) << exponent) + group - 1) / group + 1;
  }

  private static void access(ServerView view, int block, int count, boolean write)
      throws IOException {
    if (write) {
      view.oram().write(block, ByteBuffer.allocate(count * CONFIG.blockBytes()));
    } else {
      view.oram().read(block, count);
    }
  }
}
