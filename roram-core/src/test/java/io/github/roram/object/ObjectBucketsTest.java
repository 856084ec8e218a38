package io.github.roram.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.store.BlockStore;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.BucketStoreContract;
import io.github.roram.store.BucketTrees;
import io.github.roram.store.IoPhase;
import io.github.roram.store.StoreDamagedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** {@link ObjectBuckets} keeps the contract, in units of 8 evictions, with 3 requests at a time. */
final class ObjectBucketsTest extends BucketStoreContract {

  private static final int UNIT = 8;
  private static final ExecutorService THREADS = Executors.newFixedThreadPool(3);

  private final MemoryObjects objects = new MemoryObjects();
  private final Executor atOnce = Runnable::run;

  @AfterAll
  static void endThreads() {
    THREADS.shutdown();
  }

  @Override
  protected int unit() {
    return UNIT;
  }

  @Override
  protected BucketStore open(int mostAhead) {
    return buckets(UNIT);
  }

  private ObjectBuckets buckets(int unit) {
    return buckets(objects, unit);
  }

  private ObjectBuckets buckets(ObjectSpace space, int unit) {
    List<BucketTrees.Tree> trees =
        Arrays.stream(BUCKET_BYTES)
            .mapToObj(bytes -> new BucketTrees.Tree(TOP, HEIGHT, unit, bytes))
            .toList();
    return new ObjectBuckets(space, new BucketTrees(trees), new ObjectRequests(THREADS, 3), atOnce);
  }

  /** One bucket of each of three levels. */
  static void readsThree(BlockStore store) throws IOException {
    BucketTrees.Tree tree = new BucketTrees.Tree(4, HEIGHT, UNIT, BUCKET_BYTES[1]);
    BucketStore buckets = store.buckets(new BucketTrees(List.of(tree, tree))).orElseThrow();
    BucketRuns runs = run(4, 64, UNIT, 1);
    runs.add(5, 64, UNIT, 1);
    runs.add(6, 64, UNIT, 1);
    write(buckets, runs);
    int[] read = new int[1];
    buckets.read(runs, (firstUnit, units) -> read[0]++);
    assertThat(read[0]).isEqualTo(3);
    store.close();
  }

  private List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    objects.forEach("", "", names::add);
    return names;
  }

  private static BucketRuns run(int level, long first, int count, int epoch) {
    BucketRuns runs = new BucketRuns().reset(IoPhase.EVICT_WRITE, 1, BUCKET_BYTES[1]);
    runs.add(level, first, count, epoch);
    return runs;
  }

  private static void write(BucketStore store, BucketRuns runs) throws IOException {
    store.write(runs, (firstUnit, units) -> units.position(units.limit()));
  }

  /** An object a level and unit, the short levels' too; the names say so, and nothing else. */
  @Test
  void namesSayTreeLevelUnitAndEpoch() throws IOException {
    ObjectBuckets store = buckets(UNIT);
    write(store, run(6, 64, 16, 3));
    write(store, run(2, 76, 4, 3));
    assertThat(names())
        .containsExactly(
            "b/01/02/0000000000000009-00000003",
            "b/01/06/0000000000000008-00000003",
            "b/01/06/0000000000000009-00000003");
  }

  /** What a level still needs stays; all tries of what it does not need go. */
  @Test
  void whatIsDiscardedIsDeletedInAllItsEpochs() throws IOException {
    ObjectBuckets store = buckets(UNIT);
    for (long t = 64; t < 96; t += UNIT) {
      write(store, run(3, t, UNIT, 1));
      write(store, run(3, t, UNIT, 2));
      write(store, run(6, t, UNIT, 2));
    }
    store.discardOlder(1, 95);
    assertThat(names())
        .hasSize(4 + 2 * 2)
        .allMatch(name -> !name.contains("/03/00000000000000008"));
    store.discardOlder(1, 96);
    assertThat(names())
        .hasSize(4 + 2) // of level 6 nothing, of level 3 all before its last unit
        .contains("b/01/03/000000000000000b-00000001", "b/01/03/000000000000000b-00000002");
  }

  /** Of earlier openings what is current stays until it is discarded, and orphans go at once. */
  @Test
  void orphansOfEarlierOpeningsAreDeleted() throws IOException {
    ObjectBuckets first = buckets(UNIT);
    write(first, run(6, 64, UNIT, 1));
    write(first, run(6, 72, UNIT, 1)); // torn
    write(first, run(6, 72, UNIT, 2));
    write(first, run(6, 80, UNIT, 2)); // a put that came late
    ObjectBuckets next = buckets(UNIT);
    write(next, run(6, 80, UNIT, 3));
    BucketStore.Current current =
        (tree, level, from, count, epoch) ->
            tree == 1 && ((from == 64 && epoch == 1) || (from == 72 && epoch == 2));
    next.discardOrphans(3, current);
    assertThat(names())
        .containsExactly(
            "b/01/06/0000000000000008-00000001",
            "b/01/06/0000000000000009-00000002",
            "b/01/06/000000000000000a-00000003");
    next.discardOlder(1, 72 + 64);
    assertThat(names())
        .containsExactly("b/01/06/0000000000000009-00000002", "b/01/06/000000000000000a-00000003");
  }

  /** Else a client that is open for long keeps what earlier ones left for as long. */
  @Test
  void aListThatFailedIsRequestedAgain() throws IOException {
    write(buckets(UNIT), run(6, 64, UNIT, 1));
    ObjectSpace away =
        new FilterObjectSpace(objects) {
          private int lists;

          @Override
          public List<String> list(String prefix, String after) throws IOException {
            if (lists++ < 2) {
              throw new IOException("away");
            }
            return super.list(prefix, after);
          }
        };
    ObjectBuckets next = buckets(away, UNIT);
    next.discardOrphans(2, (tree, level, from, count, epoch) -> false);
    next.discardOlder(1, 64);
    assertThat(names()).hasSize(1);
    next.discardOlder(1, 64);
    assertThat(names()).isEmpty();
  }

  /** As many as the engine likes would take all memory. */
  @Test
  void namesThatAnEngineInventsAreNotAllRecorded() throws IOException {
    int invented = 2000;
    for (int i = 0; i < invented; i++) {
      objects.put(String.format("b/01/06/%016x-7fffffff", i), ByteBuffer.allocate(1));
    }
    ObjectBuckets store = buckets(UNIT);
    store.discardOrphans(1, (tree, level, from, count, epoch) -> true);
    store.discardOlder(1, 1L << 40);
    assertThat(names()).as("those that are left alone").hasSizeGreaterThan(invented - 200);
  }

  @Test
  void partsOfUnitsAreRefused() {
    ObjectBuckets store = buckets(UNIT);
    assertThatThrownBy(() -> write(store, run(6, 64, UNIT - 1, 1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> buckets(6))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("chunkPaths (K) is 6");
    assertThatThrownBy(() -> buckets(128))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("at most 64");
  }

  @Test
  void whatIsMissingIsNamed() throws IOException {
    ObjectBuckets store = buckets(UNIT);
    write(store, run(6, 64, UNIT, 1));
    objects.delete(names());
    assertThatThrownBy(() -> store.read(run(6, 65, 1, 1), (unit, bytes) -> {}))
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContaining("b/01/06/0000000000000008-00000001");
  }
}
