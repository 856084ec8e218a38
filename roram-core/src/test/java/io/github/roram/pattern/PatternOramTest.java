package io.github.roram.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.HeapStore;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.Preset;
import io.github.roram.StashOverflowException;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.Engine;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Payload;
import io.github.roram.engine.SchemeProvider;
import io.github.roram.open.Orams;
import io.github.roram.session.OpenOram;
import io.github.roram.state.ClientRecords;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Without payload, everything but the payload is as with it. */
class PatternOramTest {

  private static final int BLOCKS = 700;

  @TempDir Path directory;

  static Stream<OramConfig> configurations() {
    OramConfig.Builder path = OramConfig.builder(BLOCKS).blockBytes(512).scheme("path");
    path.maxRangeBlocks(32);
    OramConfig.Builder range = OramConfig.builder(BLOCKS).blockBytes(512).maxRangeBlocks(32);
    return Stream.of(
        path.build(),
        path.treetopBytes(1 << 15).build(),
        path.recursivePositionMap(true).preset(Preset.PAPER).build(),
        OramConfig.builder(BLOCKS)
            .blockBytes(512)
            .scheme("path-batched")
            .maxRangeBlocks(32)
            .build(),
        OramConfig.builder(BLOCKS)
            .blockBytes(512)
            .maxRangeBlocks(32)
            .chunkPaths(16)
            .positionMap("recursive")
            .set("blocksPerMapBlock", 8)
            .set("clientLabels", 8)
            .build(),
        OramConfig.builder(BLOCKS)
            .blockBytes(512)
            .maxRangeBlocks(16)
            .trees(0, 2)
            .chunkPaths(4)
            .treetopBytes(1 << 15)
            .positionMap("recursive")
            .set("blocksPerMapBlock", 8)
            .set("clientLabels", 8)
            .build(),
        range.chunkPaths(16).treetopBytes(1 << 16).build(),
        range.preset(Preset.PROVEN).windowBlocks(0).build(),
        range.sizeClasses(0, 1, 2, 3, 4, 5).build(),
        OramConfig.builder(BLOCKS).blockBytes(512).maxRangeBlocks(16).preset(Preset.PAPER).build());
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void storeSeesTheSameAsWithPayload(OramConfig config) throws IOException {
    LabelPrf firstLabels = new LabelPrf();
    List<String> withPayload = new ArrayList<>();
    List<String> without = new ArrayList<>();
    List<OramStats> statsWith = new ArrayList<>();
    List<OramStats> statsWithout = new ArrayList<>();
    try (MasterKey key = MasterKey.generate();
        OpenOram oram = full(config, key, copy(firstLabels), seeded(5), withPayload);
        PatternOram pattern =
            PatternOram.create(
                config, store -> new Watch(store, without), firstLabels, seeded(5))) {
      try (FileChannel zeros = zeros(config.bytes())) {
        oram.bulkLoad(zeros, Long.MAX_VALUE, bytes -> {});
      }
      pattern.fill(bytes -> {});
      Random workload = new Random(11);
      for (int access = 0; access < 80; access++) {
        int count = 1 + workload.nextInt(config.maxRangeBlocks());
        int block = workload.nextInt(BLOCKS - count + 1);
        boolean write = workload.nextBoolean();
        ByteBuffer data = ByteBuffer.allocate(count * config.blockBytes());
        if (write) {
          oram.write(block, data);
        } else {
          oram.read(block, count, data);
        }
        pattern.access(block, count, write);
        statsWith.add(oram.stats());
        statsWithout.add(pattern.stats());
      }
    }
    assertThat(without).isEqualTo(withPayload).hasSizeGreaterThan(160);
    assertThat(statsWithout).isEqualTo(statsWith);
  }

  /** What is asked for does not depend on what buckets hold. */
  @ParameterizedTest
  @MethodSource("configurations")
  void aStoreTakenAsWrittenIsAskedForTheSameAsAFullOne(OramConfig config) throws IOException {
    LabelPrf firstLabels = new LabelPrf();
    List<String> full = new ArrayList<>();
    List<String> taken = new ArrayList<>();
    if (config.scheme().equals("path")) {
      assertThatThrownBy(() -> PatternOram.createAsWritten(config, store -> store))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("fill it");
      return;
    }
    try (PatternOram filled =
            PatternOram.create(config, store -> new Watch(store, full), firstLabels, seeded(5));
        PatternOram asWritten =
            PatternOram.create(
                config, store -> new Watch(store, taken), true, firstLabels, seeded(5))) {
      filled.fill(bytes -> {});
      writeMap(filled);
      writeMap(asWritten);
      full.clear();
      taken.clear();
      Random workload = new Random(11);
      for (int access = 0; access < 80; access++) {
        int count = 1 + workload.nextInt(config.maxRangeBlocks());
        int block = workload.nextInt(BLOCKS - count + 1);
        boolean write = workload.nextBoolean();
        filled.access(block, count, write);
        asWritten.access(block, count, write);
      }
    }
    assertThat(taken).isNotEmpty();
    if (config.toString().contains("recursive")) {
      // A bulk load writes no map, so the counters of its trees are apart.
      assertThat(taken).hasSameSizeAs(full);
    } else {
      assertThat(taken).isEqualTo(full);
    }
  }

  /** As many accesses as write all buckets of a map. */
  private static void writeMap(PatternOram oram) throws IOException {
    for (int i = 0; i < 1500 && oram.config().toString().contains("recursive"); i++) {
      oram.access(i % BLOCKS, 1, false);
    }
  }

  @Test
  void prototypesRecursionReadsEveryTreeForEachBlock() throws IOException {
    OramConfig config =
        OramConfig.builder(1 << 10)
            .scheme("path")
            .preset(Preset.PAPER)
            .recursivePositionMap(true)
            .build();
    List<String> seen = new ArrayList<>();
    try (PatternOram pattern =
        PatternOram.createLikePrototype(config, store -> new Watch(store, seen))) {
      pattern.fill(bytes -> {});
      seen.clear();
      pattern.access(3, 2, false);
      // Trees of 2^10, 2^8, 2^6, 2^4 and 2^2 blocks; the labels of the last are the client's.
      assertThat(pattern.stats().trees()).hasSize(5);
      assertThat(seen).hasSize(2 * 2 * 5);
    }
  }

  @Test
  void stashLimitIsEnforced() throws IOException {
    OramConfig config =
        OramConfig.builder(256)
            .maxRangeBlocks(64)
            .preset(Preset.COMPACT)
            .treetopBytes(0)
            .bucketSlots(2)
            .blocksPerLeaf(2)
            .evictionRate(2)
            .chunkPaths(4)
            .windowBlocks(0)
            .stashLimitBlocks(1)
            .build();
    try (PatternOram pattern = PatternOram.create(config, store -> store)) {
      pattern.fill(bytes -> {});
      assertThatThrownBy(
              () -> {
                Random random = new Random(3);
                for (int i = 0; i < 20_000; i++) {
                  pattern.access(random.nextInt(256), 1, true);
                }
              })
          .isInstanceOf(StashOverflowException.class);
    }
  }

  @Test
  void wrongArgumentsAreRefused() throws IOException {
    OramConfig config = OramConfig.builder(64).maxRangeBlocks(8).build();
    try (PatternOram pattern = PatternOram.create(config, store -> store)) {
      assertThatThrownBy(() -> pattern.access(0, 9, false))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must be 1 to 8");
      assertThatThrownBy(() -> pattern.access(60, 8, true))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  /** What only holds if nobody makes an Oram of it: no type of it is one. */
  @Test
  void isNoOram() {
    assertThat(Oram.class.isAssignableFrom(PatternOram.class)).isFalse();
    assertThat(PatternOram.class.getDeclaredMethods())
        .filteredOn(method -> Modifier.isPublic(method.getModifiers()))
        .allSatisfy(
            method ->
                assertThat(method.getReturnType().getName())
                    .isNotEqualTo(ByteBuffer.class.getName()));
  }

  private FileChannel zeros(long bytes) throws IOException {
    Path file = directory.resolve("zeros");
    Files.write(file, new byte[(int) bytes]);
    return FileChannel.open(file);
  }

  private static OpenOram full(
      OramConfig config, MasterKey key, LabelPrf firstLabels, LabelSource labels, List<String> seen)
      throws IOException {
    BlockStore store = new Watch(new HeapStore(Orams.storeBytes(config)), seen);
    OpenOptions options = OpenOptions.defaults().withDurability(Durability.NONE);
    UUID id = UUID.randomUUID();
    ClientRecords records = ClientRecords.create(ClientVault.inMemory(), key, id, options);
    OramContext context =
        new OramContext(
            config, options, id, store, records.keys(), records, firstLabels, labels, Payload.DATA);
    OpenOram oram = new OpenOram(engine(context), context, records);
    oram.lifecycle().startEmpty();
    return oram;
  }

  private static Engine engine(OramContext context) {
    SchemeProvider scheme = SchemeProvider.of(context.config());
    return scheme.engine(context, scheme.layout(context.config()));
  }

  private static LabelPrf copy(LabelPrf prf) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    prf.writeTo(new DataOutputStream(bytes));
    LabelPrf copy = new LabelPrf();
    copy.readFrom(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    return copy;
  }

  private static LabelSource seeded(long seed) {
    Random random = new Random(seed);
    return random::nextInt;
  }

  /** Puts down every request. */
  private record Watch(BlockStore delegate, List<String> seen) implements BlockStore {

    @Override
    public long capacityBytes() {
      return delegate.capacityBytes();
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      note("read", batch);
      delegate.read(batch, sink);
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      note("write", batch);
      delegate.write(batch, source);
    }

    private void note(String operation, ExtentBatch batch) {
      StringBuilder line = new StringBuilder(operation).append(' ').append(batch);
      for (int extent = 0; extent < batch.extents(); extent++) {
        line.append(' ').append(batch.offset(extent)).append('+').append(batch.bytes(extent));
      }
      seen.add(line.toString());
    }

    @Override
    public void sync() throws IOException {
      delegate.sync();
    }

    @Override
    public void close() throws IOException {
      delegate.close();
    }
  }
}
