package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.SchemeProvider;
import io.github.roram.open.Orams;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Treetops that have a part of a level: what they hold, and what the store then sees. */
final class TreetopPartTest {

  private static final int BLOCK_BYTES = SmallConfigurations.BLOCK_BYTES;

  static Stream<OramConfig> configurations() {
    return Stream.of(
        builder("roram", 5).trees(0).chunkPaths(9).build(),
        builder("roram", 15).trees(0, 3).chunkPaths(64).windowBlocks(7).build(),
        builder("roram", 8).sizeClasses(0, 2, 4).chunkPaths(1).windowBlocks(0).build(),
        builder("roram", 11).trees(0, 2).writeShare(0.1).chunkPaths(200).build(),
        builder("path-batched", 10).chunkPaths(9).build(),
        builder("path-batched", 13).preset(Preset.PROVEN).windowBlocks(0).build(),
        SmallConfigurations.recursive(builder("roram", 6).trees(0).chunkPaths(5)).build(),
        SmallConfigurations.recursive(builder("roram", 12).trees(0, 3).chunkPaths(9)).build(),
        SmallConfigurations.recursive(builder("path-batched", 7).windowBlocks(0)).build());
  }

  private static OramConfig.Builder builder(String scheme, int part) {
    return SmallConfigurations.builder(scheme)
        .treetopBytes(60 * BLOCK_BYTES)
        .set("treetopPart", part);
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void nothingIsLost(OramConfig config) throws IOException {
    try (KnownOram known = new KnownOram(config, config.toString().hashCode())) {
      if (config.toString().hashCode() % 2 == 0) {
        known.load(known.model.length - 5 * BLOCK_BYTES);
        assertThat(known.verify().findings()).isEmpty();
      }
      for (int round = 0; round < 4; round++) {
        known.use(60);
        known.reopen(round % 2 == 0);
        assertThat(known.verify().findings()).isEmpty();
        assertThat(known.oram.read(0, 16)).isEqualTo(ByteBuffer.wrap(known.model, 0, 8192));
      }
      known.checkScan();
      assertThat(known.oram.stats().stashMaxBlocks()).isLessThan(64);
    }
  }

  /** A store that knows which buckets requests are for: headers are in the clear. */
  private static final class SeeingStore extends HeapStore {

    private final int firstTreeOfMap;
    private final OramConfig config;
    private OramStats.TreeStats[] trees = {};
    private int reads;
    private int evictions;
    private int partsLeftOut;

    SeeingStore(OramConfig config) {
      super(Orams.storeBytes(config));
      this.config = config;
      firstTreeOfMap = TreeParameters.of(config).trees().length;
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      super.read(batch, sink);
      see(batch);
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      super.write(batch, source);
      see(batch);
    }

    private void see(ExtentBatch batch) throws IOException {
      boolean isPaths =
          Set.of(IoPhase.READ, IoPhase.EVICT_READ, IoPhase.EVICT_WRITE).contains(batch.phase());
      if (trees.length == 0 || !isPaths) {
        return;
      }
      Set<Long> seen = new HashSet<>();
      Set<Integer> leaves = new HashSet<>();
      int height = trees[batch.tree()].height();
      super.read(
          batch,
          (unit, units) -> {
            for (int at = units.position(); at < units.limit(); at += batch.unitBytes()) {
              int level = units.get(at + 1);
              int bucket = (int) units.getLong(at + 8) & ((1 << level) - 1);
              assertThat(seen.add(name(level, bucket))).isTrue();
              if (level == height) {
                leaves.add(bucket);
              }
            }
          });
      assertThat(seen).isEqualTo(stored(batch.tree(), leaves));
      reads += batch.phase() == IoPhase.READ ? 1 : 0;
      evictions += batch.phase() == IoPhase.EVICT_WRITE ? 1 : 0;
    }

    private static long name(int level, int bucket) {
      return (long) level << Integer.SIZE | bucket;
    }

    /** What the paths meet, but for what the client holds. */
    private Set<Long> stored(int tree, Set<Integer> leaves) {
      int top = trees[tree].treetopLevels();
      int part = TreeParameters.of(config).treetopPart() * (1 << top) / 16;
      boolean isMap = tree >= firstTreeOfMap;
      Set<Long> stored = new HashSet<>();
      for (int leaf : leaves) {
        for (int level = top; level <= trees[tree].height(); level++) {
          int bucket = leaf & ((1 << level) - 1);
          if (level == top && bucket < part && !isMap) {
            partsLeftOut++;
          } else {
            stored.add(name(level, bucket));
          }
        }
      }
      return stored;
    }
  }

  /** Of paths the store sees what the client does not hold, and nothing else. */
  @ParameterizedTest
  @MethodSource("configurations")
  void theStoreSeesThePathsButForTheTreetop(OramConfig config) throws IOException {
    Random random = new Random(3);
    SeeingStore store = new SeeingStore(config);
    try (MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(store, ClientVault.inMemory(), config, key)) {
      OramStats.TreeStats[] trees = oram.stats().trees().toArray(OramStats.TreeStats[]::new);
      for (int access = 0; access < 2000 && !areWritten(oram.stats()); access++) {
        access(oram, random);
      }
      assertThat(areWritten(oram.stats())).isTrue();
      store.trees = trees;
      for (int access = 0; access < 60; access++) {
        access(oram, random);
      }
      assertThat(store.reads).isPositive();
      assertThat(store.evictions).isPositive();
      assertThat(store.partsLeftOut).isPositive();
    }
  }

  private static boolean areWritten(OramStats stats) {
    return stats.trees().stream().allMatch(tree -> tree.evictions() >= 1 << tree.height());
  }

  private static void access(Oram oram, Random random) throws IOException {
    int count = 1 + random.nextInt(oram.config().maxRangeBlocks());
    int block = random.nextInt((int) oram.config().blocks() - count + 1);
    oram.read(block, count);
  }

  @ParameterizedTest
  @MethodSource("growing")
  void growsAndKeepsWhatItHolds(OramConfig config) throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      HeapStore store = new HeapStore(Orams.storeBytes(config));
      ClientVault vault = ClientVault.inMemory();
      byte[] model = new byte[(int) config.bytes()];
      Random random = new Random(5);
      Oram oram = Orams.create(store, vault, config, key);
      for (double factor : new double[] {1.3, 2, 4}) {
        for (int write = 0; write < 200; write++) {
          int block = random.nextInt(model.length / BLOCK_BYTES);
          byte[] data = new byte[BLOCK_BYTES];
          random.nextBytes(data);
          oram.write(block, ByteBuffer.wrap(data));
          System.arraycopy(data, 0, model, block * BLOCK_BYTES, BLOCK_BYTES);
        }
        oram.close();
        oram = Orams.open(store, vault, key);
        oram.grow((long) (oram.config().blocks() * factor) + 1);
        model = Arrays.copyOf(model, (int) oram.config().bytes());
        assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
        byte[] scanned = new byte[model.length];
        oram.scan((block, data) -> data.get(scanned, (int) block * BLOCK_BYTES, BLOCK_BYTES));
        assertThat(scanned).isEqualTo(model);
      }
      oram.close();
    }
  }

  static Stream<OramConfig> growing() {
    return IntStream.of(3, 9, 15)
        .mapToObj(part -> builder("roram", part).chunkPaths(5).build().withBlocks(200));
  }

  /** What whole levels leave of a budget is used, no more of it, and accesses cost less. */
  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched"})
  void aBudgetBuysAsMuchOfALevelAsFits(String scheme) {
    long bytes = 64 << 20;
    OramConfig config = budgeted(scheme, bytes).build();
    int part = TreeParameters.of(config).treetopPart();
    assertThat(part).isBetween(1, 14);
    assertThat(most(config)).isLessThanOrEqualTo(bytes);
    assertThat(most(config.toBuilder().set("treetopPart", part + 1).build())).isGreaterThan(bytes);
    OramConfig whole = budgeted(scheme, bytes).set("treetopPart", 0).build();
    assertThat(cost(config)).isLessThan(0.97 * cost(whole));
  }

  private static OramConfig.Builder budgeted(String scheme, long bytes) {
    OramConfig.Builder builder = OramConfig.builder(1 << 18).scheme(scheme).clientMemory(bytes);
    return "roram".equals(scheme) ? builder.trees(0) : builder;
  }

  private static long most(OramConfig config) {
    OpenOptions options = OpenOptions.defaults().withThreads(256);
    return Scheme.of(config.scheme())
        .clientMemory(config, options)
        .map(ClientMemory::bytes)
        .orElseThrow();
  }

  private static double cost(OramConfig config) {
    return Scheme.of(config.scheme()).accessCost(config, 1).orElseThrow().bytes();
  }

  /** Objects are whole, so a store of them has whole levels. */
  @Test
  void storesOfObjectsHaveWholeLevels() {
    OramConfig config = builder("roram", 9).build();
    HeapStore objects =
        new HeapStore(0) {
          @Override
          public boolean keepsObjects() {
            return true;
          }
        };
    OramConfig fitted = SchemeProvider.of(config).fitted(config, objects);
    assertThat(TreeParameters.of(fitted).treetopPart()).isZero();
    assertThat(SchemeProvider.of(config).fitted(config, new HeapStore(0))).isEqualTo(config);
  }

  /** Where it means nothing it is refused, and so is a whole level. */
  @Test
  void otherValuesAndSchemesAreRefused() {
    assertThatThrownBy(() -> builder("roram", 16).build())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("treetopPart is 16")
        .hasMessageContaining("15");
    assertThatThrownBy(() -> builder("path", 3).build())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("treetopPart");
    assertThat(builder("roram", 0).build().parameters().settings())
        .doesNotContainKey("treetopPart");
  }

  /** New keys are for all that is stored, whatever was. */
  @Test
  void isResealed() throws IOException {
    OramConfig config = builder("roram", 9).trees(0).chunkPaths(9).build();
    try (KnownOram known = new KnownOram(config);
        MasterKey other = MasterKey.generate()) {
      known.load(known.model.length);
      known.use(60);
      known.oram.close();
      Orams.rekey(known.store, known.vault, known.key, other, bytes -> {});
      try (Oram oram = Orams.open(known.store, known.vault, other)) {
        byte[] scanned = new byte[known.model.length];
        oram.scan((block, data) -> data.get(scanned, (int) block * BLOCK_BYTES, BLOCK_BYTES));
        assertThat(scanned).isEqualTo(known.model);
      }
    }
  }

  /** Without the client's state: what is on the store is found, and no held bucket is missed. */
  @Test
  void isSalvaged() throws IOException {
    OramConfig config = builder("roram", 9).trees(0).chunkPaths(9).build();
    try (KnownOram known = new KnownOram(config)) {
      known.load(known.model.length);
      known.use(60);
      known.oram.close();
      SalvageReport report =
          Orams.salvage(
              known.store, known.vault, known.key, OpenOptions.defaults(), (block, data) -> {});
      assertThat(report.missingBuckets()).isZero();
      assertThat(report.foundBlocks()).isGreaterThan(config.blocks() * 9 / 10);
    }
  }
}
