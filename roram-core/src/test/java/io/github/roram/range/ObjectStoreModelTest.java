package io.github.roram.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.HeapStore;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Payload;
import io.github.roram.parameters.BatchedPathParameters;
import io.github.roram.parameters.RangeOramParameters;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.session.OpenOram;
import io.github.roram.state.ClientRecords;
import io.github.roram.store.BlockStore;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.BucketTrees;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.FilterBucketStore;
import io.github.roram.store.ObjectBucketStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.tree.RangeTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whole ORAMs whose buckets are objects that are written once and deleted as soon as they are
 * discarded, against a plain array: closed, dropped without being closed, and with writes that fail
 * midway.
 */
final class ObjectStoreModelTest {

  private static final int BLOCKS = 500;
  private static final int BLOCK_BYTES = 256 * 2;
  private static final int RANGE = 16;
  private static final int ACCESSES = 50;
  private static final int MOST_ACCESSES = 500;

  /** What a torn write undoes is done again; after so many tries nothing is torn any more. */
  private static final int MOST_TRIES = 3;

  @TempDir private Path directory;

  /** Each preset with each mode, in one of the schemes; half of the stores are loaded. */
  @SuppressWarnings("EnumOrdinal") // in turn
  static Stream<Arguments> configurations() {
    Stream.Builder<Arguments> all = Stream.builder();
    List<String> schemes = List.of(RangeOramParameters.SCHEME, BatchedPathParameters.SCHEME);
    for (Preset preset : Preset.values()) {
      for (Durability durability : Durability.values()) {
        int turn = preset.ordinal() + durability.ordinal();
        String scheme = schemes.get(turn % 2);
        OramConfig.Builder b =
            OramConfig.builder(BLOCKS)
                .scheme(scheme)
                .preset(preset)
                .blockBytes(BLOCK_BYTES)
                .maxRangeBlocks(RANGE)
                .treetopBytes(1 << 15);
        if ((durability.ordinal() / 2 + turn) % 2 == 0) {
          all.add(Arguments.of(b.chunkPaths(8).windowBlocks(0).build(), durability, false));
        } else {
          all.add(Arguments.of(b.chunkPaths(5).treetopBytes(0).build(), durability, true));
        }
      }
    }
    return all.build();
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void answersLikeAPlainArray(OramConfig config, Durability durability, boolean loaded)
      throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      new Run(config, durability, key, 1, 1).run(loaded);
    }
  }

  /** Windows that are no multiple of what a chunk pays for. */
  private static OramConfig.Builder inUnits(String scheme) {
    return OramConfig.builder(BLOCKS)
        .scheme(scheme)
        .maxRangeBlocks(RANGE)
        .treetopBytes(1 << 15)
        .chunkPaths(8)
        .windowBlocks(29);
  }

  @ParameterizedTest
  @CsvSource({"roram, SYNC, false", "path-batched, FLUSH, true", "roram, OS, true"})
  void writesWholeUnits(String scheme, Durability durability, boolean loaded) throws IOException {
    OramConfig config = inUnits(scheme).blockBytes(BLOCK_BYTES).build();
    try (MasterKey key = MasterKey.generate()) {
      new Run(config, durability, key, 8, 1).run(loaded);
    }
  }

  /** A chunk is longer than a slice, and so is what one object has of a level. */
  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched"})
  void writesWholeUnitsNextToReads(String scheme) throws IOException {
    OramConfig config = inUnits(scheme).blockBytes(4096).build();
    try (MasterKey key = MasterKey.generate()) {
      new Run(config, Durability.SYNC, key, 8, 4).runOverlapped();
    }
  }

  /** Chunks of 8 evictions, which pay for 24 blocks. */
  @Test
  void refusesUnitsThatItCannotKeepTo() throws IOException {
    OramConfig config = inUnits("roram").blockBytes(BLOCK_BYTES).build();
    try (MasterKey key = MasterKey.generate()) {
      assertThatThrownBy(() -> new Run(config, Durability.SYNC, key, 4, 1))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("chunkPaths (K) of 8");
      OramConfig narrow = config.toBuilder().windowBlocks(23).build();
      assertThatThrownBy(() -> new Run(narrow, Durability.SYNC, key, 8, 1))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("at least 24");
    }
  }

  private final class Run {
    private final OramConfig config;
    private final OpenOptions options;
    private final MasterKey key;
    private final StoreLayout layout;
    private final int chunkPaths;
    private final ObjectBucketStore objects;
    private final TornWrites buckets;
    private final ClientVault vault = ClientVault.inMemory();
    private final UUID id = UUID.randomUUID();
    private final Random random;
    private final byte[] model;
    private OpenOram oram;
    private List<RangeTree> trees = List.of();

    Run(OramConfig config, Durability durability, MasterKey key, int unit, int inFlight)
        throws IOException {
      this.config = config;
      this.key = key;
      layout = new StoreLayout(config);
      chunkPaths = TreeParameters.of(config).chunkPaths();
      random = new Random(config.toString().hashCode());
      objects = new ObjectBucketStore(2 * chunkPaths, unit);
      buckets = new TornWrites(objects, random);
      model = new byte[(int) config.bytes()];
      options =
          OpenOptions.defaults()
              .withDurability(durability)
              .withInFlight(inFlight)
              .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES)
              .withBackgroundCheckpoints(false)
              .withThreads(1 + random.nextInt(2));
      oram = build(ClientRecords.create(vault, key, id, options));
      oram.lifecycle().startEmpty();
    }

    private OpenOram build(ClientRecords records) {
      // Its bytes get nothing: there is room for nothing.
      BlockStore store =
          new FilterBlockStore(new HeapStore(0)) {
            @Override
            public Optional<BucketStore> buckets(BucketTrees of) {
              return Optional.of(buckets);
            }
          };
      OramContext context =
          new OramContext(
              config,
              options,
              id,
              store,
              records.keys(),
              records,
              new LabelPrf(),
              LabelSource.secure(),
              Payload.DATA);
      TreeOram engine =
          config.scheme().equals(RangeOramParameters.SCHEME)
              ? new RangeOram(context, layout, null)
              : new BatchedPathOram(context, layout, null);
      trees = engine.rangeTrees();
      return new OpenOram(engine, context, records);
    }

    private void reopen() throws IOException {
      oram = build(ClientRecords.open(vault, key, id, options));
      oram.lifecycle().startFromRecords();
    }

    void run(boolean loaded) throws IOException {
      if (loaded) {
        load();
      }
      // Labels are by chance, and so is how often there is a write to tear.
      for (int i = 0; i < ACCESSES || (buckets.torn == 0 && i < MOST_ACCESSES); i++) {
        int fate = random.nextInt(20);
        if (fate == 0) {
          buckets.tearing = false;
          oram.close();
          reopen();
        } else if (fate == 1 && options.durability() != Durability.NONE) {
          oram.lifecycle().abandon();
          reopen();
        }
        buckets.tearing = random.nextInt(3) == 0;
        access();
      }
      buckets.tearing = false;
      oram.completeRecovery();
      oram.settle();
      assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
      assertThat(buckets.torn).isPositive();
      assertFewObjects();
      oram.close();
      assertThat(objects.isSynced()).isTrue();
      assertThat(objects.divided()).isZero();
    }

    void runOverlapped() throws IOException {
      AsyncOram async = oram.async(4);
      long before = evictions();
      for (int round = 0; round < 100; round++) {
        List<CompletableFuture<?>> writes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          int block = 4 * random.nextInt(BLOCKS / 4) + i;
          byte[] data = new byte[config.blockBytes()];
          random.nextBytes(data);
          System.arraycopy(data, 0, model, block * data.length, data.length);
          writes.add(async.write(block, ByteBuffer.wrap(data)));
        }
        writes.forEach(CompletableFuture::join);
      }
      oram.settle();
      assertThat(evictions() - before).isPositive();
      assertThat(objects.divided()).isZero();
      oram.close();
      reopen();
      for (int block = 0; block < BLOCKS; block++) {
        byte[] data = new byte[config.blockBytes()];
        oram.read(block, 1, ByteBuffer.wrap(data));
        int from = block * data.length;
        assertThat(data).isEqualTo(Arrays.copyOfRange(model, from, from + data.length));
      }
      oram.close();
    }

    private long evictions() {
      return trees.stream().mapToLong(tree -> tree.schedule().evictions()).sum();
    }

    private void load() throws IOException {
      random.nextBytes(model);
      Path file = Files.write(directory.resolve("source"), model);
      try (SeekableByteChannel source = Files.newByteChannel(file)) {
        oram.bulkLoad(source, 1 << 16, bytes -> {});
      }
    }

    /** An access; one that a torn write made fail is made again. */
    private void access() throws IOException {
      int count = 1 + random.nextInt(RANGE);
      int block = random.nextInt(BLOCKS - count + 1);
      int from = block * BLOCK_BYTES;
      byte[] data = new byte[count * BLOCK_BYTES];
      boolean write = random.nextBoolean();
      random.nextBytes(data);
      if (write) {
        System.arraycopy(data, 0, model, from, data.length);
      }
      ByteBuffer buffer = ByteBuffer.wrap(data);
      for (int tries = 0; ; tries++) {
        try {
          if (write) {
            oram.write(block, buffer);
          } else {
            oram.read(block, count, buffer);
          }
          break;
        } catch (TornException e) {
          buckets.tearing = tries < MOST_TRIES;
          assertThat(tries).isLessThanOrEqualTo(MOST_TRIES);
        }
      }
      assertThat(data).isEqualTo(Arrays.copyOfRange(model, from, from + data.length));
    }

    /** Old versions were discarded: a level has its buckets, and those of what came since. */
    private void assertFewObjects() {
      for (RangeTree tree : trees) {
        int number = tree.geometry().tree();
        long since = tree.schedule().evictions() - objects.discardedAt(number);
        assertThat(since).isBetween(0L, 2L * chunkPaths);
        for (int level = 0; level <= tree.geometry().height(); level++) {
          // Torn tries of the last lap are there as well.
          assertThat(objects.objects(number, level))
              .isLessThanOrEqualTo((int) ((1L << level) + since) + buckets.tornUnits);
        }
      }
    }
  }

  /** What a torn write throws. */
  private static final class TornException extends IOException {
    private static final long serialVersionUID = 1L;

    TornException() {
      super("torn");
    }
  }

  /** Has some writes fail after some of their runs. */
  private static final class TornWrites extends FilterBucketStore {
    private final Random random;
    private boolean tearing;
    private int torn;
    private int tornUnits;

    TornWrites(BucketStore delegate, Random random) {
      super(delegate);
      this.random = random;
    }

    @Override
    public void read(BucketRuns runs, UnitSink sink) throws IOException {
      if (tearing && random.nextInt(8) == 0) {
        throw new TornException();
      }
      delegate.read(runs, sink);
    }

    @Override
    public void write(BucketRuns runs, UnitSource source) throws IOException {
      if (!tearing || random.nextInt(3) > 0) {
        delegate.write(runs, source);
        return;
      }
      int last = random.nextInt(runs.units());
      torn++;
      tornUnits += runs.units();
      delegate.write(
          runs,
          (firstUnit, units) -> {
            if (firstUnit > last) {
              throw new TornException();
            }
            source.fill(firstUnit, units);
          });
      // Or all of it was written, and the answer was lost.
      throw new TornException();
    }
  }
}
