package io.github.roram.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.ring.LevelRun;
import io.github.roram.ring.LevelTable;
import io.github.roram.ring.RingBucketStore;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * The versions that paths name, and the places of them in rings, against a simulation that
 * remembers what every eviction wrote where and in which epoch.
 */
class TreeVersionsTest {

  private static final int BUCKET_BYTES = 100;
  private static final int BASE = 4096;

  private static LevelRun levels(TreeGeometry geometry, int slack) {
    int top = geometry.treetopLevels();
    return new LevelRun(0, top, geometry.height() + 1 - top, BUCKET_BYTES, slack, BASE);
  }

  @Property(tries = 300)
  void pathsAreFoundWhereTheLastEvictionLeftThem(
      @ForAll @IntRange(min = 0, max = 6) int height,
      @ForAll @IntRange(min = 0, max = 6) int treetop,
      @ForAll @IntRange(min = 0, max = 40) int slack,
      @ForAll @IntRange(min = 0, max = 500) int evictionsDone,
      @ForAll @IntRange(min = 1, max = 80) int count,
      @ForAll @Size(min = 1, max = 4) List<@IntRange(min = 0, max = 63) Integer> anyLabels)
      throws IOException {
    TreeGeometry geometry =
        new TreeGeometry(0, 0, 1 << height, height, Math.min(treetop, height), 4);
    LevelTable table = new LevelTable(List.of(levels(geometry, slack)));
    PlacesStore places = new PlacesStore(table.end());
    BucketStore store = new RingBucketStore(places, table);
    long counter = geometry.leaves() + (long) evictionsDone;
    Map<Long, Integer> epochOf = new HashMap<>();
    EpochHistory epochs = epochs(geometry, counter, evictionsDone, epochOf);
    Map<String, Long> lastOf = new HashMap<>();
    Map<Long, Long> contents = new HashMap<>();
    simulate(geometry, store, places, counter, lastOf, contents);

    int[] labels = anyLabels.stream().mapToInt(label -> label & (geometry.leaves() - 1)).toArray();
    BucketRuns runs = new BucketRuns();
    runs.reset(IoPhase.READ, 0, BUCKET_BYTES);
    new TreeVersions(geometry, epochs).addPaths(runs, labels, count, counter);
    store.read(runs, (firstUnit, units) -> {});

    Map<Integer, Set<Long>> found = new TreeMap<>();
    for (int unit = 0; unit < runs.units(); unit++) {
      if (unit > 0) {
        assertThat(runs.level(unit)).isGreaterThanOrEqualTo(runs.level(unit - 1));
      }
      long eviction = runs.eviction(unit);
      assertThat(contents.get(places.offset(unit))).isEqualTo(eviction);
      assertThat(runs.epoch(unit)).isEqualTo(epochOf.get(eviction));
      // Once each, however many runs meet it.
      assertThat(found.computeIfAbsent(runs.level(unit), level -> new TreeSet<>()).add(eviction))
          .isTrue();
    }
    assertThat(found).isEqualTo(wanted(geometry, labels, count, lastOf));
    // Epochs break runs of names, but no extents.
    assertThat(places.extents()).isLessThanOrEqualTo(3 * labels.length * (height + 1));
  }

  /** Epochs that change now and then. */
  private static EpochHistory epochs(
      TreeGeometry geometry, long counter, int seed, Map<Long, Integer> epochOf) {
    EpochHistory epochs = new EpochHistory(geometry.leaves());
    Random random = new Random(seed);
    int epoch = 1;
    for (long t = geometry.leaves(); t < counter; t++) {
      epoch += random.nextInt(5) == 0 ? 1 : 0;
      epochs.note(t, epoch);
      epochOf.put(t, epoch);
    }
    return epochs;
  }

  /** The evictions that wrote what the paths of all runs meet, by level, as the definition says. */
  private static Map<Integer, Set<Long>> wanted(
      TreeGeometry geometry, int[] labels, int count, Map<String, Long> lastOf) {
    Map<Integer, Set<Long>> wanted = new TreeMap<>();
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      for (int label : labels) {
        for (int i = 0; i < count; i++) {
          Long written = lastOf.get(level + ":" + geometry.bucket(label + i, level));
          if (written != null) {
            wanted.computeIfAbsent(level, l -> new TreeSet<>()).add(written);
          }
        }
      }
    }
    return wanted;
  }

  /** Evicts one path at a time, as the definition says. */
  private static void simulate(
      TreeGeometry geometry,
      BucketStore store,
      PlacesStore places,
      long counter,
      Map<String, Long> lastOf,
      Map<Long, Long> contents)
      throws IOException {
    BucketRuns runs = new BucketRuns();
    for (long t = geometry.leaves(); t < counter; t++) {
      for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
        runs.reset(IoPhase.EVICT_WRITE, 0, BUCKET_BYTES);
        runs.add(level, t, 1, 1);
        store.write(runs, (firstUnit, units) -> {});
        contents.put(places.offset(0), t);
        lastOf.put(level + ":" + (t & ((1L << level) - 1)), t);
      }
    }
  }

  @Property(tries = 200)
  void theVersionsBeforeStayForAsManyEvictionsAsThereIsSlack(
      @ForAll @IntRange(min = 0, max = 5) int height,
      @ForAll @IntRange(min = 1, max = 40) int slack,
      @ForAll @IntRange(min = 64, max = 500) int from) {
    TreeGeometry geometry = new TreeGeometry(0, 0, 1 << height, height, 0, 4);
    LevelRun levels = levels(geometry, slack);
    for (int level = 0; level <= height; level++) {
      long ring = levels.places(level);
      long oldestNeeded = from - (1L << level);
      // S more evictions go to places that hold none of the current versions.
      for (long t = from; t < from + slack; t++) {
        assertThat((t - oldestNeeded) % ring).isGreaterThanOrEqualTo(1L << level);
      }
    }
  }
}
