package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.Scheme;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.RecordingStore;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Accesses to blocks anywhere, against a plain array. */
final class ScatteredAccessTest {

  @TempDir static Path directory;

  private static final int BLOCKS = 150;
  private static final int BLOCK_BYTES = 512;

  /** Configurations, and the most blocks that an access is of. */
  static Stream<Arguments> cases() {
    return Stream.of(
        Arguments.of(small("roram").trees(0, 2).chunkPaths(3), 2),
        Arguments.of(small("roram").trees(0).treetopBytes(20_000), 16),
        Arguments.of(small("roram").trees(0).positionMap("file"), 16),
        Arguments.of(small("roram").preset(Preset.PAPER), 2),
        Arguments.of(recursive(small("roram").trees(0, 2)), 2),
        Arguments.of(recursive(small("roram").trees(0)), 2),
        Arguments.of(recursive(small("path-batched")), 2),
        Arguments.of(small("path-batched").chunkPaths(3), 16),
        Arguments.of(small("path"), 16),
        Arguments.of(small("path").treetopBytes(10_000), 16),
        Arguments.of(small("tao").chunkPaths(3), 16),
        Arguments.of(small("tao").chunkPaths(40).treetopBytes(10_000), 16),
        Arguments.of(ring(8), 16),
        Arguments.of(ring(24), 16));
  }

  private static OramConfig.Builder small(String scheme) {
    return OramConfig.builder(BLOCKS)
        .scheme(scheme)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(16)
        .treetopBytes(0);
  }

  private static OramConfig.Builder ring(int rate) {
    return OramConfig.builder(BLOCKS)
        .scheme("ring")
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(16)
        .set("evictionBlocks", rate)
        .set("fanOut", 2)
        .set("height", 3)
        .set("treetopLevels", 1);
  }

  /** An eviction is due on the way; the access looks like a range whatever it is of. */
  @ParameterizedTest
  @ValueSource(ints = {8, 24})
  void aRingShowsARangeAlike(int rate) throws IOException {
    for (int before = 0; before < rate; before += 5) {
      assertThat(shownOf(ring(rate).build(), before, true))
          .isEqualTo(shownOf(ring(rate).build(), before, false));
    }
  }

  /** Operations and their bytes. */
  private static List<String> shownOf(OramConfig config, int before, boolean program)
      throws IOException {
    List<String> shown = new ArrayList<>();
    try (MasterKey key = MasterKey.generate();
        RecordingStore store = new RecordingStore(new MemoryStore(Orams.storeBytes(config)));
        Oram oram = Orams.create(store, ClientVault.inMemory(), config, key)) {
      for (int access = 0; access < before; access++) {
        oram.read(access, 1);
      }
      store.clear();
      if (program) {
        oram.access(new long[] {3, 140, 70}, 16, blocks -> {});
      } else {
        oram.read(40, 16);
      }
      for (RecordingStore.Request request : store.requests()) {
        long bytes = request.extents().stream().mapToLong(RecordingStore.Extent::bytes).sum();
        shown.add(request.operation() + " " + bytes);
      }
    }
    return shown;
  }

  private static OramConfig.Builder recursive(OramConfig.Builder builder) {
    return builder.positionMap("recursive").set("blocksPerMapBlock", 4).set("clientLabels", 4);
  }

  private static OpenOptions options(OramConfig config) {
    OpenOptions options = OpenOptions.defaults();
    if ("file".equals(config.parameters().settings().get("positionMap"))) {
      options = options.withMapDirectory(directory);
    }
    return config.has(Scheme.Trait.JOURNALLED)
        ? options
            .withDurability(Durability.FLUSH)
            .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES)
        : options;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void answersLikeAPlainArray(OramConfig.Builder builder, int most) throws IOException {
    run(builder.build(), most, 1, 150);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void answersInTheOrderOfTheCalls(OramConfig.Builder builder, int most) throws IOException {
    run(builder.build(), most, 7, 50); // of ten accesses each
  }

  private static void run(OramConfig config, int most, int inFlight, int steps) throws IOException {
    Random random = new Random(config.toString().hashCode());
    byte[] model = new byte[(int) config.bytes()];
    OpenOptions options = options(config).withInFlight(inFlight);
    if (config.has(Scheme.Trait.TRIMS)) {
      options = options.withTrims(true);
    }
    try (MasterKey key = MasterKey.generate();
        BlockStore store = TestStores.create(Orams.storeBytes(config))) {
      ClientVault vault = ClientVault.inMemory();
      Oram oram = Orams.create(store, vault, config, key, options);
      for (int i = 0; i < steps; i++) {
        if (random.nextInt(60) == 0) {
          oram.close();
          oram = Orams.open(store, vault, key, options);
        }
        if (inFlight == 1) {
          step(oram, model, random, most);
        } else {
          begin(oram.async(), model, random, most);
        }
      }
      assertThat(oram.read(0, 1)).isEqualTo(ByteBuffer.wrap(model, 0, BLOCK_BYTES));
      byte[] all = new byte[model.length];
      oram.scan((block, data) -> data.get(all, (int) block * BLOCK_BYTES, BLOCK_BYTES));
      assertThat(all).isEqualTo(model);
      assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
      oram.close();
    }
  }

  private static void step(Oram oram, byte[] model, Random random, int most) throws IOException {
    switch (random.nextInt(4)) {
      case 0 -> {
        int count = 1 + random.nextInt(16);
        int block = random.nextInt(BLOCKS - count + 1);
        byte[] content = new byte[count * BLOCK_BYTES];
        random.nextBytes(content);
        oram.write(block, ByteBuffer.wrap(content));
        System.arraycopy(content, 0, model, block * BLOCK_BYTES, content.length);
      }
      case 1 -> {
        int block = random.nextInt(BLOCKS);
        if (oram.config().has(Scheme.Trait.TRIMS) && oram.trim(block, 1)) {
          Arrays.fill(model, block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES, (byte) 0);
        }
      }
      default -> {
        long[] blocks = blocks(random, most);
        Shuffle shuffle = new Shuffle(blocks, model, random.nextLong());
        oram.access(blocks, 1 + random.nextInt(most), shuffle::run);
        assertThat(shuffle.found).isDeepEqualTo(shuffle.expected);
      }
    }
  }

  /** Several are under way; each finds what those before it left. */
  private static void begin(AsyncOram oram, byte[] model, Random random, int most) {
    List<CompletableFuture<Void>> answers = new ArrayList<>();
    List<Shuffle> shuffles = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      long[] blocks = blocks(random, most);
      Shuffle shuffle = new Shuffle(blocks, model, random.nextLong());
      answers.add(oram.access(blocks, 1, shuffle::run));
      shuffles.add(shuffle);
      byte[] content = new byte[BLOCK_BYTES];
      random.nextBytes(content);
      answers.add(oram.write(blocks[0], ByteBuffer.wrap(content)));
      System.arraycopy(content, 0, model, (int) blocks[0] * BLOCK_BYTES, BLOCK_BYTES);
    }
    answers.forEach(CompletableFuture::join);
    for (Shuffle shuffle : shuffles) {
      assertThat(shuffle.found).isDeepEqualTo(shuffle.expected);
    }
  }

  private static long[] blocks(Random random, int most) {
    int count = 1 + random.nextInt(most);
    int among = random.nextBoolean() ? 20 : BLOCKS;
    return random.longs(0, among).distinct().limit(count).toArray();
  }

  /** Blocks change places, and one is stamped; the model changes at once. */
  private static final class Shuffle {
    private final long stamp;
    private final byte[][] expected;
    private final byte[][] found;

    Shuffle(long[] blocks, byte[] model, long stamp) {
      this.stamp = stamp;
      expected = new byte[blocks.length][];
      found = new byte[blocks.length][];
      Arrays.setAll(
          expected,
          i ->
              Arrays.copyOfRange(
                  model, (int) blocks[i] * BLOCK_BYTES, ((int) blocks[i] + 1) * BLOCK_BYTES));
      for (int i = 0; i < blocks.length; i++) {
        byte[] after = expected[(i + 1) % blocks.length].clone();
        ByteBuffer.wrap(after).putLong(100, stamp);
        System.arraycopy(after, 0, model, (int) blocks[i] * BLOCK_BYTES, BLOCK_BYTES);
      }
    }

    void run(ByteBuffer[] blocks) {
      for (int i = 0; i < blocks.length; i++) {
        found[i] = new byte[BLOCK_BYTES];
        blocks[i].get(0, found[i]);
      }
      for (int i = 0; i < blocks.length; i++) {
        blocks[i].put(0, found[(i + 1) % blocks.length]).putLong(100, stamp);
      }
    }
  }

  /** What it threw is told, the blocks stay, and the ORAM goes on. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  @SuppressWarnings("NullAway")
  void aProgramThatFailsChangesNothing(int inFlight) throws IOException {
    OramConfig config = small("roram").build();
    try (MasterKey key = MasterKey.generate();
        BlockStore store = TestStores.create(Orams.storeBytes(config));
        Oram oram =
            Orams.create(
                store,
                ClientVault.inMemory(),
                config,
                key,
                OpenOptions.defaults().withInFlight(inFlight))) {
      oram.write(3, ByteBuffer.allocate(BLOCK_BYTES).putLong(0, 42));
      long[] blocks = {3, 99};
      assertThatThrownBy(
              () ->
                  oram.access(
                      blocks,
                      all -> {
                        all[0].putLong(0, 1);
                        throw new IllegalStateException("no");
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no");
      CompletableFuture<Void> other =
          oram.async()
              .access(
                  blocks,
                  1,
                  all -> {
                    throw new IllegalStateException("no");
                  });
      assertThatThrownBy(other::join).hasCauseInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> oram.access(blocks, ScatteredAccessTest::throwChecked))
          .isInstanceOf(UndeclaredThrowableException.class)
          .hasRootCauseMessage("no");
      assertThatThrownBy(() -> oram.access(blocks, null)).isInstanceOf(NullPointerException.class);
      assertThat(oram.read(3, 1).getLong()).isEqualTo(42);
    }
  }

  /** As programs in languages whose compilers let them. */
  private static void throwChecked(ByteBuffer[] blocks) {
    blocks[0].putLong(0, 1);
    ScatteredAccessTest.<RuntimeException>sneak(new GeneralSecurityException("no"));
  }

  @SuppressWarnings("unchecked")
  private static <E extends Exception> void sneak(Exception thrown) throws E {
    throw (E) thrown;
  }

  @Test
  void whatCannotBeIsRefused() throws IOException {
    assertRefused(small("roram").trees(0, 2).build(), IllegalArgumentException.class, 1, 1);
    assertRefused(small("roram").build(), IndexOutOfBoundsException.class, BLOCKS);
    assertRefused(small("roram").build(), IllegalArgumentException.class);
    assertRefused(
        small("roram").sizeClasses(0, 4).build(), ConfigurationException.class, 1, 20, 30);
    assertRefused(recursive(small("roram")).build(), ConfigurationException.class, 1, 2, 3);
    assertRefused(
        OramConfig.builder(2000)
            .scheme("path")
            .blockBytes(BLOCK_BYTES)
            .recursivePositionMap(true)
            .build(),
        ConfigurationException.class,
        1);
    assertRefused(
        OramConfig.builder(BLOCKS).scheme("detwo").blockBytes(BLOCK_BYTES).build(),
        ConfigurationException.class,
        1);
  }

  private static void assertRefused(
      OramConfig config, Class<? extends Exception> error, long... blocks) throws IOException {
    try (MasterKey key = MasterKey.generate();
        BlockStore store = TestStores.create(Orams.storeBytes(config));
        Oram oram =
            Orams.create(store, ClientVault.inMemory(), config, key, OpenOptions.defaults())) {
      assertThatThrownBy(() -> oram.access(blocks, all -> {})).isInstanceOf(error);
      assertThatThrownBy(() -> oram.async().access(blocks, 1, all -> {})).isInstanceOf(error);
    }
  }
}
