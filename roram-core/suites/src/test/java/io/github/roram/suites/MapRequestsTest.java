package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.OramStats.TreeStats;
import io.github.roram.Preset;
import io.github.roram.eviction.EvictionSchedule;
import io.github.roram.eviction.EvictionSchedule.WriteShare;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.pattern.PatternOram;
import io.github.roram.range.SizeClasses;
import io.github.roram.store.IoPhase;
import io.github.roram.testkit.RecordingStore;
import io.github.roram.testkit.RecordingStore.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests to a position map on the store are a function of class and configuration: of each tree
 * of the map one read of so many paths, and chunks of evictions that a counter drives. Each access
 * is held to the number that follows, wherever it is and whether it reads or writes.
 */
@Tag("server-view")
class MapRequestsTest {

  private static final int BLOCKS = 700;

  /** Accesses that are held to all counts, of each class. */
  private static final int COUNTED = 60;

  static Stream<OramConfig> configurations() {
    List<OramConfig> all = new ArrayList<>();
    for (int fan : new int[] {4, 16, 64}) {
      all.add(recursive(builder("roram", Preset.COMPACT).trees(0, 2), fan, 4));
      all.add(recursive(builder("roram", Preset.COMPACT).trees(0), fan, 16));
      all.add(recursive(builder("roram", Preset.PROVEN).sizeClasses(0, 1, 2, 3, 4), fan, 1));
      all.add(recursive(builder("path-batched", Preset.COMPACT), fan, 4));
    }
    all.add(recursive(builder("roram", Preset.COMPACT).sizeClasses(0, 4).windowBlocks(0), 8, 8));
    all.add(recursive(builder("roram", Preset.COMPACT).trees(0, 3).writeShare(0.5), 8, 8));
    return all.stream();
  }

  private static OramConfig.Builder builder(String scheme, Preset preset) {
    return OramConfig.builder(BLOCKS)
        .scheme(scheme)
        .preset(preset)
        .blockBytes(512)
        .maxRangeBlocks(16)
        .chunkPaths(8);
  }

  private static OramConfig recursive(OramConfig.Builder builder, int fan, int clientLabels) {
    return builder
        .positionMap("recursive")
        .set("blocksPerMapBlock", fan)
        .set("clientLabels", clientLabels)
        .build();
  }

  /** A level of the map as the configuration has it, worked out without the code under test. */
  private static final class Level {
    private final int exponent;
    private final EvictionSchedule schedule;

    /** The most leaves that a read of it met. */
    private int mostLeaves;

    Level(TreeParameters parameters, int exponent, int leaves) {
      this.exponent = exponent;
      int chunk = Math.min(Math.min(leaves, 32), parameters.chunkPaths());
      int window = Math.min(parameters.windowBlocks(), parameters.blocksEvictedBy(chunk));
      schedule =
          new EvictionSchedule(
              parameters.evictionHalfBlocks(), window, chunk, leaves, WriteShare.WHOLE);
    }

    /** ⌈(n − 1)·2^t / G⌉ + 1 map blocks for n ranges of 2^t; all ranges where they are longer. */
    int runs(int rangeExponent, int ranges) {
      if (rangeExponent >= exponent) {
        return ranges << (rangeExponent - exponent);
      }
      int group = 1 << exponent;
      return (((ranges - 1) << rangeExponent) + group - 1) / group + 1;
    }

    /** Chunks that are due after so many map blocks were looked up. */
    int chunksAfter(int runs) {
      schedule.owe(runs);
      int chunks = 0;
      for (int due = schedule.due(); due > 0; due = schedule.due()) {
        schedule.done(due);
        chunks++;
      }
      return chunks;
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void followFromTheClassAlone(OramConfig config) throws IOException {
    TreeParameters parameters = TreeParameters.of(config);
    SizeClasses classes = new SizeClasses(parameters);
    RecordingStore[] recording = new RecordingStore[1];
    try (PatternOram oram =
        PatternOram.create(config, store -> recording[0] = new RecordingStore(store))) {
      oram.fill(bytes -> {});
      StoreMap map = new StoreMap(config, oram.stats());
      List<Level> levels = levels(config, parameters, oram, map);
      Random random = new Random(config.toString().hashCode());
      for (int exponent : parameters.sizeClasses()) {
        int blocks = config.scheme().equals("roram") ? 1 << exponent : 1;
        int sizeClass = classes.of(blocks);
        int tree = classes.tree(sizeClass);
        for (int counted = 0; counted < COUNTED; ) {
          boolean all = isWrittenAllOver(oram, map);
          List<Long> evictions = oram.stats().trees().stream().map(TreeStats::evictions).toList();
          recording[0].clear();
          access(oram, blocks, random);
          for (int level = 0; level < levels.size(); level++) {
            Level of = levels.get(level);
            int number = parameters.trees().length + level;
            int runs = of.runs(classes.exponent(tree), classes.ranges(sizeClass));
            int chunks = of.chunksAfter(runs);
            assertThat(count(recording[0], number, IoPhase.EVICT_WRITE)).isEqualTo(chunks);
            if (all) {
              assertThat(count(recording[0], number, IoPhase.READ)).isEqualTo(1);
              assertThat(count(recording[0], number, IoPhase.EVICT_READ)).isEqualTo(chunks);
              Request read = theRead(recording[0], number);
              int leaves = map.leaves(read, evictions.get(number)).size();
              assertThat(leaves).isBetween(1, runs);
              of.mostLeaves = Math.max(of.mostLeaves, leaves * 1000 / runs);
            }
          }
          counted += all ? 1 : 0;
        }
      }
      // Paths may share a leaf by chance, never all of them all of the time.
      assertThat(levels.get(0).mostLeaves).isEqualTo(1000);
    }
  }

  private static List<Level> levels(
      OramConfig config, TreeParameters parameters, PatternOram oram, StoreMap map) {
    int fan = Integer.numberOfTrailingZeros(parameters.mapForm().blocksPerMapBlock());
    List<Level> levels = new ArrayList<>();
    int exponent = 0;
    int blocks = BLOCKS;
    while (levels.isEmpty() || blocks > parameters.mapForm().clientLabels()) {
      exponent += fan;
      blocks = ((BLOCKS - 1) >> exponent) + 1;
      int tree = parameters.trees().length + levels.size();
      levels.add(new Level(parameters, exponent, 1 << map.height(tree)));
    }
    assertThat(oram.stats().trees()).hasSize(parameters.trees().length + levels.size());
    assertThat(config.blocks()).isEqualTo(BLOCKS);
    return levels;
  }

  /** A bulk load writes no map; buckets that were never written are not asked for. */
  private static boolean isWrittenAllOver(PatternOram oram, StoreMap map) {
    List<TreeStats> trees = oram.stats().trees();
    for (int tree = 0; tree < trees.size(); tree++) {
      if (trees.get(tree).isMap() && trees.get(tree).evictions() < 1L << map.height(tree)) {
        return false;
      }
    }
    return true;
  }

  /** Anywhere, the last block among others, read or written. */
  private static void access(PatternOram oram, int blocks, Random random) throws IOException {
    int last = BLOCKS - blocks;
    int block = random.nextInt(8) == 0 ? last : random.nextInt(last + 1);
    oram.access(block, blocks, random.nextBoolean());
  }

  private static long count(RecordingStore recording, int tree, IoPhase phase) {
    return recording.requests().stream()
        .filter(request -> request.tree() == tree && request.phase() == phase)
        .filter(request -> !request.extents().isEmpty())
        .count();
  }

  private static Request theRead(RecordingStore recording, int tree) {
    return recording.requests().stream()
        .filter(request -> request.tree() == tree && request.phase() == IoPhase.READ)
        .findFirst()
        .orElseThrow();
  }
}
