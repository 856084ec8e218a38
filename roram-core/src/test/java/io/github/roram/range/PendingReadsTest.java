package io.github.roram.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.HeapStore;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.Rekeyable;
import io.github.roram.journal.Intent;
import io.github.roram.open.Orams;
import io.github.roram.parameters.BatchedPathParameters;
import io.github.roram.session.OpenOram;
import io.github.roram.session.StoreOpening;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.tree.RangeTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Several reads are pending at a crash, on the same ranges at times: recovery repeats all of them,
 * the very same paths, in order; a crash or a failure of the store in the middle of that changes
 * nothing. No block is lost by it, and no label is shown for a second reason.
 */
final class PendingReadsTest {

  private static final int BLOCK_BYTES = 512;
  private static final int LIVES = 40;
  private static final int HOT_BLOCKS = 16;

  /** What the server of a store sees of reads; fails when a test says so. */
  private static final class SeenStore extends HeapStore {
    private final List<List<Long>> reads = new ArrayList<>();
    private int readsUntilFailure = Integer.MAX_VALUE;

    SeenStore(long capacityBytes) {
      super(capacityBytes);
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      if (batch.phase() == IoPhase.READ) {
        reads.add(extents(batch));
        if (--readsUntilFailure < 0) {
          throw new IOException("injected: read failed");
        }
      }
      super.read(batch, sink);
    }
  }

  private static List<Long> extents(ExtentBatch batch) {
    List<Long> extents = new ArrayList<>();
    for (int i = 0; i < batch.extents(); i++) {
      extents.add(batch.offset(i));
      extents.add((long) batch.units(i));
    }
    return extents;
  }

  static Stream<OramConfig> configurations() {
    return Stream.of(
        builder().sizeClasses(0, 2).chunkPaths(4).windowBlocks(0).build(),
        builder().trees(0).chunkPaths(8).windowBlocks(20).build(),
        builder().scheme(BatchedPathParameters.SCHEME).chunkPaths(4).windowBlocks(10).build());
  }

  private static OramConfig.Builder builder() {
    return OramConfig.builder(200).blockBytes(BLOCK_BYTES).maxRangeBlocks(4).treetopBytes(0);
  }

  private final MasterKey key = MasterKey.generate();
  private final ClientVault vault = ClientVault.inMemory();
  private final Random random = new Random(1);
  private SeenStore store = new SeenStore(1);
  private int drawn;
  private LabelSource labels = leaves -> drawn = random.nextInt(leaves);
  private byte[] model = {};

  private OpenOram open(OramConfig config) throws IOException {
    OpenOptions options = options();
    return new StoreOpening(store, vault, key, labels).open(config, options);
  }

  private OpenOram create(OramConfig config) throws IOException {
    store = new SeenStore(Orams.storeBytes(config));
    model = new byte[(int) config.bytes()];
    OpenOptions options = options();
    return new StoreOpening(store, vault, key, labels).create(config, options);
  }

  private static TreeOram engine(OpenOram oram) {
    return (TreeOram) oram.able(Rekeyable.class, "cannot be rekeyed");
  }

  private static OpenOptions options() {
    return OpenOptions.defaults()
        .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES)
        .withBackgroundCheckpoints(false)
        .withThreads(1);
  }

  private void access(Oram oram, int blocks) throws IOException {
    int count = 1 + random.nextInt(oram.config().maxRangeBlocks());
    int block = random.nextInt(blocks - count + 1);
    if (random.nextBoolean()) {
      byte[] content = new byte[count * BLOCK_BYTES];
      random.nextBytes(content);
      oram.write(block, ByteBuffer.wrap(content));
      System.arraycopy(content, 0, model, block * BLOCK_BYTES, content.length);
    } else {
      check(oram, block, count);
    }
  }

  private void check(Oram oram, int block, int count) throws IOException {
    assertThat(oram.read(block, count))
        .isEqualTo(ByteBuffer.wrap(model, block * BLOCK_BYTES, count * BLOCK_BYTES));
  }

  /** Begins reads of hot ranges; some are shown to the store before the crash. */
  private List<Intent> beginSome(OpenOram oram) throws IOException {
    List<Intent> begun = new ArrayList<>();
    for (int count = random.nextInt(5); count > 0; count--) {
      int tree = random.nextInt(engine(oram).rangeTrees().size());
      int exponent = engine(oram).rangeTrees().get(tree).geometry().rangeExponent();
      int first = random.nextInt(HOT_BLOCKS >> exponent);
      int[] ranges = random.nextBoolean() ? new int[] {first} : new int[] {first, first + 1};
      if (oram.config().scheme().equals(BatchedPathParameters.SCHEME)) {
        ranges = new int[] {first};
      }
      begun.add(engine(oram).begin(tree, false, ranges));
    }
    for (Intent read : begun.subList(0, random.nextInt(begun.size() + 1))) {
      RangeTree tree = engine(oram).rangeTrees().get(read.tree());
      tree.planRead(read.ranges(), read.labels()).run();
    }
    return begun;
  }

  /** What the store sees if these are read now, by an ORAM that is thrown away. */
  private List<List<Long>> shown(OramConfig config, List<Intent> reads) throws IOException {
    OpenOram probe = open(config);
    store.reads.clear();
    for (Intent read : reads) {
      engine(probe).rangeTrees().get(read.tree()).planRead(read.ranges(), read.labels()).run();
    }
    probe.lifecycle().abandon();
    return List.copyOf(store.reads);
  }

  /** Opens after a crash, and maybe crashes again while the reads are repeated. */
  private OpenOram recover(OramConfig config, List<Intent> begun) throws IOException {
    List<Intent> pending = begun;
    while (true) {
      List<List<Long>> expected = shown(config, pending);
      OpenOram oram = open(config);
      assertThat(oram.recovery().pendingRead()).isEqualTo(!pending.isEmpty());
      store.reads.clear();
      int readsBefore = random.nextInt(pending.size() + 2);
      if (readsBefore >= pending.size()) {
        oram.completeRecovery();
        assertThat(store.reads).isEqualTo(expected);
        return oram;
      }
      store.readsUntilFailure = readsBefore;
      assertThatThrownBy(oram::completeRecovery).hasMessageContaining("injected");
      assertThat(store.reads).isEqualTo(expected.subList(0, readsBefore + 1));
      pending = pending.subList(readsBefore, pending.size());
      if (random.nextBoolean()) {
        // Closed with what could not be done: the state holds it, and nothing needs recovery.
        oram.close();
        store.readsUntilFailure = Integer.MAX_VALUE;
        store.reads.clear();
        expected = shown(config, pending);
        store.reads.clear();
        oram = open(config);
        check(oram, 0, 1);
        assertThat(store.reads.subList(0, expected.size())).isEqualTo(expected);
        return oram;
      }
      store.readsUntilFailure = Integer.MAX_VALUE;
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void allPendingReadsAreRepeatedInOrder(OramConfig config) throws IOException {
    try (key) {
      OpenOram oram = create(config);
      int repeated = 0;
      for (int life = 0; life < LIVES; life++) {
        for (int i = random.nextInt(8); i > 0; i--) {
          access(oram, random.nextBoolean() ? HOT_BLOCKS : (int) config.blocks());
        }
        List<Intent> begun = beginSome(oram);
        repeated += begun.size() > 1 ? 1 : 0;
        oram = recover(config, begun);
      }
      assertThat(repeated).isGreaterThan(LIVES / 4);
      for (int block = 0; block < config.blocks(); block++) {
        check(oram, block, 1);
      }
      assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
    }
  }

  /** Nothing is evicted and labels are drawn once, so that a label is known by where it is. */
  @Test
  void noLabelIsShownForASecondReason() throws IOException {
    int[] drawn = new int[1];
    labels =
        leaves -> {
          assertThat(drawn[0]).isLessThan(leaves);
          return drawn[0]++;
        };
    OramConfig config =
        OramConfig.builder(1 << 13)
            .blockBytes(BLOCK_BYTES)
            .maxRangeBlocks(1)
            .windowBlocks(1 << 16)
            .stashLimitBlocks(1 << 16)
            .treetopBytes(0)
            .build();
    try (key) {
      OpenOram oram = create(config);
      oram.bulkLoad(new ZerosChannel(config.bytes()), config.bytes(), bytes -> {});
      for (int block = 0; block <= HOT_BLOCKS; block++) {
        oram.read(block, 1);
      }
      Set<List<Long>> shown = new HashSet<>();
      for (int life = 0; life < LIVES; life++) {
        store.reads.clear();
        access(oram, HOT_BLOCKS);
        List<Intent> begun = new ArrayList<>();
        for (int count = random.nextInt(5); count > 0; count--) {
          begun.add(engine(oram).begin(0, false, random.nextInt(3)));
        }
        for (Intent read : begun) {
          engine(oram).rangeTrees().get(0).planRead(read.ranges(), read.labels()).run();
        }
        assertThat(store.reads).allMatch(shown::add);
        oram = recover(config, begun);
        long repeated = store.reads.stream().filter(shown::contains).count();
        assertThat(repeated).isLessThanOrEqualTo(begun.size());
        assertThat(store.reads.size() - repeated).isLessThanOrEqualTo(1);
        shown.addAll(store.reads);
        store.reads.clear();
        for (int i = 0; i < 3; i++) {
          access(oram, HOT_BLOCKS);
        }
        assertThat(store.reads).as("life %d", life).allMatch(shown::add);
      }
    }
  }

  @Test
  void aRangeThatIsBeingReadIsNotShownAgain() throws IOException {
    try (key) {
      OpenOram oram = create(configurations().findFirst().orElseThrow());
      Intent first = engine(oram).begin(1, false, 3, 4);
      Intent second = engine(oram).begin(1, false, 4, 5);
      assertThat(second.number()).isEqualTo(first.number() + 1);
      assertThat(first.relabels(1)).isTrue();
      assertThat(second.relabels(0)).isFalse();
      assertThat(second.relabels(1)).isTrue();
      int shownTwice = 0;
      for (int range = 10; range < 30; range++) {
        Intent one = engine(oram).begin(1, false, range);
        Intent again = engine(oram).begin(1, false, range);
        assertThat(again.labels()).as("uniform, as those drawn").containsExactly(drawn);
        shownTwice += one.labels()[0] == again.labels()[0] ? 1 : 0;
      }
      assertThat(shownTwice).as("only by chance").isLessThan(10);
    }
  }
}
