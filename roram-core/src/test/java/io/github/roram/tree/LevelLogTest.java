package io.github.roram.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The log layout against a simulation that remembers what every eviction wrote where. */
class LevelLogTest {

  private static final int BUCKET_BYTES = 100;

  @Property(tries = 300)
  void pathsAreFoundWhereTheLastEvictionLeftThem(
      @ForAll @IntRange(min = 0, max = 6) int height,
      @ForAll @IntRange(min = 0, max = 6) int treetop,
      @ForAll @IntRange(min = 0, max = 40) int slack,
      @ForAll @IntRange(min = 0, max = 500) int evictionsDone,
      @ForAll @IntRange(min = 1, max = 80) int count,
      @ForAll @Size(min = 1, max = 4) List<@IntRange(min = 0, max = 63) Integer> anyLabels) {
    TreeGeometry geometry =
        new TreeGeometry(0, 0, 1 << height, height, Math.min(treetop, height), 4);
    LevelLog log = new LevelLog(geometry, slack, BUCKET_BYTES, 4096);
    long counter = geometry.leaves() + (long) evictionsDone;
    Map<String, Long> lastOf = new HashMap<>();
    Map<Long, Long> contents = new HashMap<>();
    simulate(geometry, log, counter, lastOf, contents);

    int[] labels = anyLabels.stream().mapToInt(label -> label & (geometry.leaves() - 1)).toArray();
    BucketBatch batch = new BucketBatch();
    log.begin(batch, IoPhase.READ);
    log.addPaths(batch, labels, count, counter);

    ExtentBatch extents = batch.extents();
    Map<Integer, Set<Long>> found = new TreeMap<>();
    for (int unit = 0; unit < batch.size(); unit++) {
      if (unit > 0) {
        assertThat(batch.level(unit)).isGreaterThanOrEqualTo(batch.level(unit - 1));
      }
      long eviction = batch.eviction(unit);
      assertThat(contents.get(offset(extents, unit))).isEqualTo(eviction);
      // Once each, however many runs meet it.
      assertThat(found.computeIfAbsent(batch.level(unit), level -> new TreeSet<>()).add(eviction))
          .isTrue();
    }
    assertThat(found).isEqualTo(wanted(geometry, labels, count, lastOf));
    assertThat(extents.extents()).isLessThanOrEqualTo(3 * labels.length * (height + 1));
    extents.checkWithin(log.end());
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
      LevelLog log,
      long counter,
      Map<String, Long> lastOf,
      Map<Long, Long> contents) {
    BucketBatch batch = new BucketBatch();
    for (long t = geometry.leaves(); t < counter; t++) {
      for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
        log.begin(batch, IoPhase.EVICT_WRITE);
        log.addRun(batch, level, t, 1);
        contents.put(batch.extents().offset(0), t);
        lastOf.put(level + ":" + (t & ((1L << level) - 1)), t);
      }
    }
  }

  private static long offset(ExtentBatch extents, int unit) {
    int extent = 0;
    while (unit >= extents.firstUnit(extent) + extents.units(extent)) {
      extent++;
    }
    return extents.offset(extent) + (long) (unit - extents.firstUnit(extent)) * BUCKET_BYTES;
  }

  @Property(tries = 200)
  void theVersionsBeforeStayForAsManyEvictionsAsThereIsSlack(
      @ForAll @IntRange(min = 0, max = 5) int height,
      @ForAll @IntRange(min = 1, max = 40) int slack,
      @ForAll @IntRange(min = 64, max = 500) int from) {
    TreeGeometry geometry = new TreeGeometry(0, 0, 1 << height, height, 0, 4);
    LevelLog log = new LevelLog(geometry, slack, BUCKET_BYTES, 0);
    for (int level = 0; level <= height; level++) {
      long ring = log.ring(level);
      long oldestNeeded = from - (1L << level);
      // S more evictions go to places that hold none of the current versions.
      for (long t = from; t < from + slack; t++) {
        assertThat((t - oldestNeeded) % ring).isGreaterThanOrEqualTo(1L << level);
      }
    }
  }
}
