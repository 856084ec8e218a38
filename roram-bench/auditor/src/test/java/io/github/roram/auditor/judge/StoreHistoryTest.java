package io.github.roram.auditor.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Foretold.EvictionPlaces;
import io.github.roram.auditor.judge.Foretold.WrittenBack;
import io.github.roram.auditor.judge.Seen.Step;
import io.github.roram.auditor.judge.StoreMap.Level;
import io.github.roram.auditor.judge.StoreMap.Tree;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a read is where nothing that follows tells it. */
class StoreHistoryTest {

  private static final int PATHS = 7;

  private OramConfig config = Workloads.config("roram");
  private final List<Sight> sights = new ArrayList<>();
  private long requests;

  /** A loaded store, as what follows is added to it. */
  private void load() throws IOException {
    try (Run run = new Run(config)) {
      run.bulkLoad();
      sights.addAll(run.view().sights());
    }
    requests = sights.stream().mapToLong(Sight::request).max().orElseThrow();
  }

  private void declare(Action action, long access) {
    sights.add(new Sight(access, Observer.DECLARED, action, 0, "", 0, 8));
  }

  /** Reads what the next evictions of the last tree would read. */
  private void readNextEvictions() {
    StoreMap map = new StoreMap(config);
    Tree tree = map.trees().get(map.trees().size() - 1);
    requests++;
    for (long offset : new EvictionPlaces(map).read(tree, 2L * tree.leaves(), PATHS)) {
      sights.add(
          new Sight(1, Observer.STORE, Action.READ, requests, "", offset, map.bucketBytes()));
    }
  }

  private Step.Kind lastRead() {
    List<Step> steps = Seen.of(new View(config, sights)).steps();
    return steps.stream()
        .filter(step -> step.request().isTransfer())
        .reduce((before, after) -> after)
        .orElseThrow()
        .kind();
  }

  /** Two runs of labels may by chance lie where the next chunk of evictions would read. */
  @Test
  void theFirstReadOfAnAccessIsOfRandomPathsWhereverItLies() throws IOException {
    load();
    declare(Action.ACCESS, 1);
    readNextEvictions();
    assertThat(lastRead()).isEqualTo(Step.Kind.PATHS);
    declare(Action.CRASH, 1);
    declare(Action.ACCESS, 2);
    readNextEvictions();
    assertThat(lastRead()).isEqualTo(Step.Kind.PATHS);
  }

  private void see(long access, Action action, long[] offsets) {
    requests++;
    int bucketBytes = new StoreMap(config).bucketBytes();
    for (long offset : offsets) {
      sights.add(new Sight(access, Observer.STORE, action, requests, "", offset, bucketBytes));
    }
  }

  /**
   * Where the client has all levels but the leaves there is one ring, and the places of an eviction
   * fit a counter in each of its rounds. What was read before tells which: in the first round
   * leaves that were never written are not read.
   */
  @Test
  void whatAnOlderStoreReadTellsTheRoundWhereOnlyLeavesAreStored() {
    config =
        OramConfig.builder(256)
            .scheme("path-batched")
            .blockBytes(512)
            .maxRangeBlocks(1)
            .chunkPaths(PATHS)
            .windowBlocks(0)
            .treetopBytes(1 << 20)
            .build();
    StoreMap map = new StoreMap(config);
    Tree tree = map.trees().get(0);
    assertThat(tree.treetopLevels()).isEqualTo(tree.height());
    EvictionPlaces places = new EvictionPlaces(map);
    int round = (int) tree.level(tree.height()).places();
    long early = tree.leaves() + 10L;
    long late = early + round;
    long[] written = places.written(tree, late, PATHS);
    assertThat(places.written(tree, early, PATHS)).isEqualTo(written);
    assertThat(places.firstOf(tree, tree.leaves(), written)).isEqualTo(early);
    assertThat(places.firstOf(tree, early + 1, written)).isEqualTo(late);
    assertThat(firstEviction(places.read(tree, late, PATHS), written)).isEqualTo(late);
    assertThat(firstEviction(places.read(tree, early, PATHS), written)).isEqualTo(early);
  }

  /** From where the evictions counted, of a view that begins with an older store. */
  private long firstEviction(long[] read, long[] written) {
    sights.clear();
    declare(Action.ACCESS, 1);
    if (read.length > 0) {
      see(1, Action.READ, read);
    }
    see(1, Action.WRITE, written);
    return Seen.of(new View(config, sights)).steps().stream()
        .filter(step -> step.kind() == Step.Kind.EVICTION_WRITE)
        .findFirst()
        .orElseThrow()
        .eviction();
  }

  @Test
  void aLaterOneWhereTheNextEvictionsReadIsTheirs() throws IOException {
    load();
    declare(Action.ACCESS, 1);
    readNextEvictions();
    readNextEvictions();
    assertThat(lastRead()).isEqualTo(Step.Kind.EVICTION_READ);
  }

  /**
   * Whether a client that died had kept its last read does not show if paths before it have all of
   * its buckets, and need not even show when they are written back: here the fourth read has what
   * the second had. What the client fetches after that tells.
   */
  @Test
  void whatAClientHadKeptMayShowAfterTheNextWriteBack() {
    config = OramConfig.builder(256).scheme("tao").blockBytes(512).chunkPaths(3).build();
    StoreMap map = new StoreMap(config);
    Tree tree = map.trees().get(0);
    WrittenBack foretold = new WrittenBack(map, tree, false);
    assertThat(foretold.read(places(tree, foretold, 5))).isTrue();
    assertThat(foretold.read(places(tree, foretold, 5))).isTrue();

    foretold.opened();
    assertThat(foretold.isFetchedAgain(places(tree, foretold, 5), true)).isTrue();
    assertThat(foretold.read(places(tree, foretold, 10))).isTrue();
    assertThat(foretold.read(places(tree, foretold, 5))).isTrue();
    assertThat(foretold.written(otherPlaces(tree, foretold, 5, 10))).isTrue();
    assertThat(foretold.read(places(tree, foretold, 7))).isTrue();

    foretold.opened();
    assertThat(foretold.isFetchedAgain(places(tree, foretold, 7), true)).isTrue();
    assertThat(foretold.read(places(tree, foretold, 3))).isTrue();
  }

  /** Where the buckets of paths are, root side first. */
  private static long[] places(Tree tree, WrittenBack foretold, int... leaves) {
    return IntStream.rangeClosed(tree.treetopLevels(), tree.height())
        .mapToObj(tree::level)
        .flatMapToLong(
            level ->
                Arrays.stream(leaves)
                    .map(leaf -> leaf & ((1 << level.level()) - 1))
                    .distinct()
                    .mapToLong(bucket -> foretold.current(level, bucket)))
        .toArray();
  }

  /** Where they are written, before any was. */
  private static long[] otherPlaces(Tree tree, WrittenBack foretold, int... leaves) {
    return Arrays.stream(places(tree, foretold, leaves))
        .map(
            offset -> {
              Level level = tree.levels().stream().filter(at -> isIn(at, offset)).findFirst().get();
              return offset + ((long) level.bucketBytes() << level.level());
            })
        .toArray();
  }

  private static boolean isIn(Level level, long offset) {
    return offset >= level.offset()
        && offset < level.offset() + level.places() * level.bucketBytes();
  }
}
