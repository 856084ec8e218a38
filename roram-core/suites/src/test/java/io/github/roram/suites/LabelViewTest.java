package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelSource;
import io.github.roram.store.IoPhase;
import io.github.roram.testkit.RecordingStore.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The labels that reads show, worked out from their extents as a server can: uniform, independent
 * of addresses and of each other, and each shown once.
 */
@Tag("server-view")
class LabelViewTest {

  private static final int BLOCKS = 256;
  private static final int LEAVES = 64;

  /** Accesses whose labels are followed; fewer where each access takes long. */
  int followedAccesses() {
    return 2000;
  }

  private static OramConfig config(String scheme, int treetopBuckets) {
    OramConfig.Builder builder =
        OramConfig.builder(BLOCKS)
            .scheme(scheme)
            .blockBytes(512)
            .maxRangeBlocks(4)
            .chunkPaths(8)
            .treetopBytes(treetopBuckets * 4L * 512);
    return "roram".equals(scheme) ? builder.sizeClasses(0, 2).build() : builder.build();
  }

  /** How the addresses of single blocks follow each other. */
  enum Pattern {
    SAME,
    SEQUENTIAL,
    RANDOM;

    int next(int i, Random random) {
      return switch (this) {
        case SAME -> 5;
        case SEQUENTIAL -> i % BLOCKS;
        case RANDOM -> random.nextInt(BLOCKS);
      };
    }
  }

  @ParameterizedTest
  @CsvSource({
    "path,SAME", "path,SEQUENTIAL", "path,RANDOM",
    "path-batched,SAME", "path-batched,SEQUENTIAL", "path-batched,RANDOM",
    "roram,SAME", "roram,SEQUENTIAL", "roram,RANDOM"
  })
  void labelsAreUniformAndIndependent(String scheme, Pattern pattern) throws IOException {
    Random random = new Random(1);
    List<Integer> addresses = new ArrayList<>();
    List<Integer> labels = new ArrayList<>();
    try (ServerView view = new ServerView(config(scheme, 0), LabelSource.secure())) {
      for (int i = 0; i < 3000; i++) {
        int address = pattern.next(i, random);
        long evictions = view.oram().stats().trees().get(0).evictions();
        view.clear();
        view.oram().read(address, 1);
        List<Integer> shown = view.map().leaves(theRead(view), evictions);
        assertThat(shown).hasSize(1);
        for (int label : shown) {
          addresses.add(address);
          labels.add(label);
        }
      }
    }
    ChiSquared.assertUniform(labels, LEAVES);
    assertIndependent(labels.subList(0, labels.size() - 1), labels.subList(1, labels.size()));
    if (pattern != Pattern.SAME) {
      assertIndependent(addresses, labels);
    }
    assertNotCorrelatedAcrossAccesses(addresses, labels);
  }

  /** Labels of consecutive accesses, by the lowest bits and by the highest. */
  private static void assertIndependent(List<Integer> first, List<Integer> second) {
    ChiSquared.assertIndependent(lowBits(first), lowBits(second), 8);
    ChiSquared.assertIndependent(lowBits(first), highBits(second), 8);
  }

  /** The label that an access shows, against the address of the next one. */
  private static void assertNotCorrelatedAcrossAccesses(
      List<Integer> addresses, List<Integer> labels) {
    if (addresses.stream().distinct().count() > 1) {
      int last = labels.size() - 2;
      assertIndependent(addresses.subList(2, last), labels.subList(0, last - 2));
    }
  }

  private static List<Integer> lowBits(List<Integer> values) {
    return values.stream().map(value -> value & 7).toList();
  }

  private static List<Integer> highBits(List<Integer> values) {
    return values.stream().map(value -> (value & (LEAVES - 1)) >> 3).toList();
  }

  private static Request theRead(ServerView view) {
    List<Request> reads =
        view.requests().stream().filter(request -> request.phase() == IoPhase.READ).toList();
    assertThat(reads).hasSize(1);
    return reads.get(0);
  }

  /**
   * With a known source of labels: a range shows the label that it was given when it was last
   * accessed, and so never one that was shown before. What is shown is thus a function of the
   * source alone.
   */
  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao"})
  void aLabelIsShownOnceByTheRangeThatItWasDrawnFor(String scheme) throws IOException {
    List<Integer> drawn = new ArrayList<>();
    Random source = new Random(2);
    LabelSource labels =
        leaves -> {
          drawn.add(source.nextInt(leaves));
          return drawn.get(drawn.size() - 1);
        };
    Random random = new Random(3);
    try (ServerView view = new ServerView(config(scheme, 3), labels)) {
      List<Map<Integer, Integer>> current = List.of(new HashMap<>(), new HashMap<>());
      for (int i = 0; i < followedAccesses(); i++) {
        boolean wide = "roram".equals(scheme) && random.nextBoolean();
        int tree = wide ? 1 : 0;
        int count = wide ? 4 : 1;
        int address = random.nextInt(random.nextBoolean() ? 8 : BLOCKS - count);
        long evictions = view.oram().stats().trees().get(tree).evictions();
        view.clear();
        drawn.clear();
        if (random.nextBoolean()) {
          view.oram().read(address, count);
        } else {
          view.oram().write(address, ByteBuffer.allocate(count * 512));
        }
        Request read = theRead(view);
        assertThat(read.tree()).isEqualTo(tree);
        List<Integer> shown = view.map().leaves(read, evictions);
        int ranges = wide ? 2 : 1;
        List<Set<Integer>> expected = new ArrayList<>();
        for (int r = 0; r < ranges; r++) {
          int range = (address / count + r) % (BLOCKS / count);
          expected.add(run(current.get(tree).get(range), count));
          current.get(tree).put(range, drawn.get(r));
        }
        checkRuns(shown, expected, count);
        assertThat(drawn).hasSize(ranges);
      }
    }
  }

  /** The label of a range that was never accessed is pseudorandom and cannot be foretold here. */
  private static Set<Integer> run(@Nullable Integer label, int count) {
    Set<Integer> run = new HashSet<>();
    for (int i = 0; label != null && i < count; i++) {
      run.add((label + i) & (LEAVES - 1));
    }
    return run;
  }

  /** Each leaf that a run has is shown once, and no others but those of runs that are not known. */
  private static void checkRuns(List<Integer> shown, List<Set<Integer>> runs, int count) {
    assertThat(shown).doesNotHaveDuplicates();
    Set<Integer> known = new HashSet<>();
    runs.forEach(known::addAll);
    assertThat(shown).containsAll(known);
    long unknown = runs.stream().filter(Set::isEmpty).count();
    assertThat(shown.size()).isLessThanOrEqualTo(known.size() + (int) unknown * count);
  }
}
