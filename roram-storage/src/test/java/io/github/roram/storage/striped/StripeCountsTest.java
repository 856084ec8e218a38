package io.github.roram.storage.striped;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.pattern.PatternOram;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.device.StripeCounts;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.StoreParts;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seeks in sequence, held to a striped store, and to the bound of §VIII-A. */
final class StripeCountsTest {

  private static final int BLOCKS = 1 << 11;

  private static OramConfig.Builder builder() {
    return OramConfig.builder(BLOCKS).blockBytes(512).maxRangeBlocks(64).treetopBytes(0);
  }

  /** With a map in trees of several levels. */
  private static OramConfig recursive() {
    return builder()
        .chunkPaths(32)
        .positionMap("recursive")
        .set("blocksPerMapBlock", 8)
        .set("clientLabels", 8)
        .build();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void areThoseOfAStripedStore(int stripes) throws IOException {
    OramConfig config = builder().build();
    List<CountingStore> stores = new ArrayList<>();
    for (int i = 0; i < stripes; i++) {
      stores.add(
          new CountingStore(new MemoryStore(StripeDescriptor.BYTES + Orams.storeBytes(config))));
    }
    try (StripedStore striped = new StripedStore(List.copyOf(stores), Orams.storeBytes(config), 0);
        StripeCounts counts = new StripeCounts(striped, stripes);
        MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(counts, ClientVault.inMemory(), config, key)) {
      for (int i = 0; i < 100; i++) {
        oram.read(i * 17 % 1900, 1 << i % 7);
      }
      long all = 0;
      for (int i = 0; i < stripes; i++) {
        assertThat(counts.seeks(i)).isEqualTo(stores.get(i).total().seeks()).isPositive();
        all += counts.seeks(i);
      }
      assertThat(counts.seeksInSequence()).isBetween((all + stripes - 1) / stripes, all);
    }
  }

  @Test
  void slicesFollowOneAnother() throws IOException {
    int half = StripedSlice.usualBytes(2) / 2;
    try (StripeCounts counts = new StripeCounts(new MemoryStore(5L * half), 2)) {
      counts.arrange(new StoreParts(List.of(List.of(0L, 2L * half))));
      // Two slices of each level, none of both.
      Batches.read(counts, Batches.of(half, 0, 2, 2L * half, 2));
      assertThat(counts.seeks(0)).isEqualTo(1);
      assertThat(counts.seeks(1)).isEqualTo(1);
      assertThat(counts.seeksInSequence()).isEqualTo(2);
      assertThat(counts.bytesInSequence()).isEqualTo(4L * half);
      assertThat(counts.savedByXor(0)).isEqualTo(half);
      assertThat(counts.savedByXor(1)).isEqualTo(half);
      counts.reset();
      // One slice of both.
      Batches.read(counts, Batches.of(half, 0, 1, 2L * half, 1));
      assertThat(counts.seeksInSequence()).isEqualTo(1);
      assertThat(counts.bytesInSequence()).isEqualTo(half);
    }
  }

  /** Holds each request to e ⌈l / k⌉, where it meets l levels, none in more than e extents. */
  private static final class Bounded extends FilterBlockStore {
    private final StripeCounts counts;
    private final TreeSet<Long> starts = new TreeSet<>();
    private final Set<Integer> trees = new HashSet<>();
    private long boundSum;

    Bounded(StripeCounts counts) {
      super(counts);
      this.counts = counts;
    }

    @Override
    public void arrange(StoreParts parts) {
      parts.trees().forEach(starts::addAll);
      super.arrange(parts);
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      long before = counts.seeksInSequence();
      super.read(batch, sink);
      check(batch, before);
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      long before = counts.seeksInSequence();
      super.write(batch, source);
      check(batch, before);
    }

    private void check(ExtentBatch batch, long before) {
      Map<Long, Integer> extents = new HashMap<>();
      for (int i = 0; i < batch.extents(); i++) {
        // An extent may go on from the end of a level to the beginning of the next.
        long end = batch.offset(i) + batch.bytes(i);
        Long level = starts.floor(batch.offset(i));
        while (level != null && level < end) {
          extents.merge(level, 1, Integer::sum);
          level = starts.higher(level);
        }
      }
      if (extents.isEmpty()) {
        return;
      }
      int most = extents.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
      int rounds = (extents.size() + counts.stripes() - 1) / counts.stripes();
      assertThat(counts.seeksInSequence() - before)
          .as("tree %s, %s levels, up to %s extents", batch.tree(), extents.size(), most)
          .isLessThanOrEqualTo((long) most * rounds);
      trees.add(batch.tree());
      boundSum += (long) most * rounds;
    }
  }

  /** The trees of the position map too are spread, level by level. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8})
  void requestsKeepTheBound(int stripes) throws IOException {
    for (OramConfig config : List.of(builder().build(), recursive())) {
      Bounded[] bounded = new Bounded[1];
      try (PatternOram oram =
          PatternOram.create(
              config, store -> bounded[0] = new Bounded(new StripeCounts(store, stripes)))) {
        oram.fill(bytes -> {});
        Random random = new Random(stripes);
        for (int i = 0; i < 200; i++) {
          oram.access(random.nextInt(BLOCKS - 64), 1 << i % 7, random.nextBoolean());
        }
        assertThat(bounded[0].boundSum).isPositive();
        assertThat(bounded[0].trees).hasSize(oram.stats().trees().size());
      }
    }
  }

  /** What makes c log N seeks on one stripe makes c (1 + log N / k) in sequence on k. */
  @Test
  void seeksOfAnAccessFallAsTheBound() throws IOException {
    OramConfig config = builder().build();
    for (int rangeBlocks : new int[] {1, 32}) {
      List<StripeCounts> counts = new ArrayList<>();
      try (PatternOram oram = PatternOram.create(config, store -> all(store, counts))) {
        oram.fill(bytes -> {});
        counts.forEach(StripeCounts::reset);
        Random random = new Random(5);
        for (int i = 0; i < 600; i++) {
          oram.access(random.nextInt(BLOCKS - 32), rangeBlocks, random.nextBoolean());
        }
      }
      double log = 11;
      double one = counts.get(0).seeksInSequence();
      for (StripeCounts of : counts) {
        double share = Math.min(1, (1 + log / of.stripes()) / log);
        assertThat(of.seeksInSequence() / one)
            .as("%s stripes, ranges of %s", of.stripes(), rangeBlocks)
            .isLessThanOrEqualTo(share);
      }
    }
  }

  private static BlockStore all(BlockStore store, List<StripeCounts> counts) {
    BlockStore last = store;
    for (int stripes : new int[] {1, 2, 4, 8}) {
      StripeCounts next = new StripeCounts(last, stripes);
      counts.add(next);
      last = next;
    }
    return last;
  }
}
