package io.github.roram.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link BucketStore} owes the tree engine. An implementation's test extends this and
 * opens a store with two trees whose levels {@value #TOP} to {@value #HEIGHT} are kept.
 */
public abstract class BucketStoreContract {

  /** The uppermost level that is kept. */
  protected static final int TOP = 2;

  /** The level of the leaves. */
  protected static final int HEIGHT = 6;

  /** Paths of a chunk. */
  protected static final int CHUNK = 9;

  /** Bytes of a bucket, by tree. */
  protected static final int[] BUCKET_BYTES = {40, 24};

  private static final long FIRST = 1L << HEIGHT;

  private final Random random = new Random(7);
  private BucketStore store;

  /** How many evictions the store keeps together: chunks are then of so many paths. */
  protected int unit() {
    return 1;
  }

  /** Paths of the longest chunk that the store gets. */
  private int mostPaths() {
    return unit() == 1 ? CHUNK : unit();
  }

  /** An empty store, which holds out {@code mostAhead} evictions without a discard. */
  protected abstract BucketStore open(int mostAhead) throws IOException;

  @BeforeEach
  final void openStore() throws IOException {
    store = open(2 * mostPaths());
  }

  private static BucketRuns request(IoPhase phase, int tree) {
    return new BucketRuns().reset(phase, tree, BUCKET_BYTES[tree]);
  }

  private static byte[] contents(int tree, int level, long eviction, int epoch) {
    byte[] bytes = new byte[BUCKET_BYTES[tree]];
    new Random(eviction * 64 + level + 1000L * tree + 77777L * epoch).nextBytes(bytes);
    return bytes;
  }

  private void write(BucketRuns runs) throws IOException {
    List<Integer> asked = new ArrayList<>();
    store.write(
        runs,
        (firstUnit, units) -> {
          assertThat(units.remaining()).isPositive();
          assertThat(units.remaining() % runs.bucketBytes()).isZero();
          for (int unit = firstUnit; units.hasRemaining(); unit++) {
            asked.add(unit);
            units.put(
                contents(runs.tree(), runs.level(unit), runs.eviction(unit), runs.epoch(unit)));
          }
        });
    assertThat(asked).isEqualTo(all(runs));
  }

  private void assertReads(BucketRuns runs) throws IOException {
    List<Integer> shown = new ArrayList<>();
    store.read(
        runs,
        (firstUnit, units) -> {
          assertThat(units.remaining()).isPositive();
          for (int unit = firstUnit; units.hasRemaining(); unit++) {
            shown.add(unit);
            byte[] found = new byte[runs.bucketBytes()];
            units.get(found);
            assertThat(found)
                .as("unit %d of %s", unit, runs)
                .isEqualTo(
                    contents(runs.tree(), runs.level(unit), runs.eviction(unit), runs.epoch(unit)));
          }
        });
    assertThat(shown).isEqualTo(all(runs));
  }

  private static List<Integer> all(BucketRuns runs) {
    List<Integer> units = new ArrayList<>();
    for (int unit = 0; unit < runs.units(); unit++) {
      units.add(unit);
    }
    return units;
  }

  /** What a chunk of evictions writes, the deepest level first. */
  private void evict(int tree, long first, int paths, int epoch) throws IOException {
    BucketRuns runs = request(IoPhase.EVICT_WRITE, tree);
    for (int level = HEIGHT; level >= TOP; level--) {
      int width = Math.min(paths, 1 << level);
      runs.add(level, first + paths - width, width, epoch);
    }
    write(runs);
  }

  /** All buckets that are current at t, in runs of any length and any order. */
  private BucketRuns current(int tree, long t, int[] epochs) {
    List<long[]> names = new ArrayList<>();
    for (int level = TOP; level <= HEIGHT; level++) {
      for (long e = Math.max(FIRST, t - (1L << level)); e < t; ) {
        int count = 1;
        int most = 1 + random.nextInt(7);
        while (count < most && e + count < t && epochs[(int) (e + count)] == epochs[(int) e]) {
          count++;
        }
        names.add(new long[] {level, e, count, epochs[(int) e]});
        e += count;
      }
    }
    Collections.shuffle(names, random);
    BucketRuns runs = request(IoPhase.READ, tree);
    for (long[] name : names) {
      runs.add((int) name[0], name[1], (int) name[2], (int) name[3]);
    }
    return runs;
  }

  @Test
  void whatIsCurrentStaysUntilItIsDiscarded() throws IOException {
    int[][] epochs = new int[2][2000];
    long[] done = {FIRST, FIRST};
    long[] committed = {FIRST, FIRST};
    int epoch = 1;
    for (int tree = 0; tree < 2; tree++) {
      store.discardOlder(tree, FIRST);
      assertThat(store.mostAhead(tree)).isGreaterThanOrEqualTo(mostPaths());
    }
    for (int chunk = 0; chunk < 150; chunk++) {
      int tree = random.nextInt(2);
      int paths = unit() == 1 ? 1 + random.nextInt(CHUNK) : unit();
      epoch += random.nextInt(5) == 0 ? 1 : 0;
      if (done[tree] + paths - committed[tree] > store.mostAhead(tree)) {
        committed[tree] = done[tree];
        store.discardOlder(tree, committed[tree]);
      }
      if (random.nextInt(6) == 0) {
        // A chunk that a failure tore: it is done again, in a new epoch.
        evict(tree, done[tree], paths, epoch++);
        assertReads(current(tree, committed[tree], epochs[tree]));
      }
      evict(tree, done[tree], paths, epoch);
      Arrays.fill(epochs[tree], (int) done[tree], (int) done[tree] + paths, epoch);
      done[tree] += paths;
      assertReads(current(tree, done[tree], epochs[tree]));
      // A read that was planned earlier, or a recovery, takes what was current then.
      assertReads(current(tree, committed[tree], epochs[tree]));
      store.sync();
    }
    assertThat(done[0] + done[1]).isGreaterThan(2 * FIRST + 300);
  }

  /** A bulk load writes the last lap of evictions at once, deepest level first. */
  @Test
  void aWholeTreeCanBeWrittenAtOnce() throws IOException {
    int[] epochs = new int[1000];
    Arrays.fill(epochs, 4);
    for (int level = HEIGHT; level >= TOP; level--) {
      for (int bucket = 0; bucket < 1 << level; bucket += 16) {
        BucketRuns runs = request(IoPhase.BULK_LOAD, 1);
        runs.add(level, 2 * FIRST - (1L << level) + bucket, Math.min(16, 1 << level), 4);
        write(runs);
      }
    }
    assertReads(current(1, 2 * FIRST, epochs));
  }

  /**
   * A change of the master key seals every current bucket anew, under its name but for the epoch.
   */
  @Test
  void aBucketCanBeRenewedInALaterEpoch() throws IOException {
    int chunk = mostPaths();
    int[] epochs = new int[1000];
    for (long t = FIRST; t < 2 * FIRST; t += chunk) {
      store.discardOlder(0, t);
      evict(0, t, chunk, 3);
    }
    long end = FIRST + (FIRST + chunk - 1) / chunk * chunk;
    Arrays.fill(epochs, 3);
    BucketRuns old = current(0, end, epochs);
    assertReads(old);
    BucketRuns renewed = request(IoPhase.META, 0);
    for (int level = TOP; level <= HEIGHT; level++) {
      int together = Math.min(unit(), 1 << level);
      for (long first = end - (1L << level); first < end; first += together) {
        renewed.add(level, first, together, 4);
      }
    }
    write(renewed);
    assertReads(renewed);
  }

  @Test
  void whatSinksAndSourcesThrowPassesThrough() throws IOException {
    evict(0, FIRST, mostPaths(), 1);
    BucketRuns runs = request(IoPhase.READ, 0);
    runs.add(HEIGHT, FIRST, mostPaths(), 1);
    IOException own = new IOException("own");
    assertThatThrownBy(
            () ->
                store.read(
                    runs,
                    (firstUnit, units) -> {
                      throw own;
                    }))
        .isSameAs(own);
    IllegalStateException runtime = new IllegalStateException("own");
    assertThatThrownBy(
            () ->
                store.read(
                    runs,
                    (firstUnit, units) -> {
                      throw runtime;
                    }))
        .isSameAs(runtime);
    BucketRuns next = request(IoPhase.EVICT_WRITE, 0);
    next.add(HEIGHT, FIRST + mostPaths(), mostPaths(), 1);
    assertThatThrownBy(
            () ->
                store.write(
                    next,
                    (firstUnit, units) -> {
                      throw own;
                    }))
        .isSameAs(own);
    assertReads(runs);
  }

  @Test
  void anEmptyRequestAsksForNothing() throws IOException {
    BucketRuns none = request(IoPhase.READ, 1);
    write(none);
    assertReads(none);
  }
}
