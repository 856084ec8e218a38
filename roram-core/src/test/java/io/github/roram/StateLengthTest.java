package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The saved state's length shows the counts of accesses by size class, and nothing else. */
class StateLengthTest {

  private static final int BLOCKS = 2048;
  private static final int MAX_RANGE = 16;

  /** Ranges of a page of a position map. */
  private static final int PAGE = 1024;

  private static final int[] COUNTS = {1, 1, 1, 16, 1, 5};

  @TempDir Path directory;

  /** What accesses do with their blocks. */
  private enum Load {
    READS_OF_ONE(false, true),
    DISTINCT_READS(false, false),
    WRITES_OF_ONE(true, true),
    DISTINCT_WRITES(true, false);

    private final boolean writes;
    private final boolean sameBlock;

    Load(boolean writes, boolean sameBlock) {
      this.writes = writes;
      this.sameBlock = sameBlock;
    }
  }

  static Stream<Arguments> configurations() {
    Map<String, OramConfig.Builder> builders = new LinkedHashMap<>();
    builders.put("roram", roram());
    builders.put("a tree a class", roram().sizeClasses(0, 2, 4));
    builders.put("paper", roram().preset(Preset.PAPER));
    builders.put("no treetop", roram().treetopBytes(0).windowBlocks(0));
    builders.put("path-batched", roram().scheme("path-batched"));
    builders.put("roram, recursive", SmallConfigurations.recursive(roram()));
    builders.put("path", roram().scheme("path"));
    builders.put("path, recursive", roram().scheme("path").recursivePositionMap(true));
    builders.put("ring", OramConfig.builder(BLOCKS).blockBytes(512).scheme("ring"));
    return builders.entrySet().stream()
        .flatMap(
            entry ->
                Stream.of(7, 70)
                    .map(accesses -> Arguments.of(entry.getKey(), entry.getValue(), accesses)));
  }

  private static OramConfig.Builder roram() {
    return OramConfig.builder(BLOCKS)
        .blockBytes(512)
        .maxRangeBlocks(MAX_RANGE)
        .chunkPaths(16)
        .stashLimitBlocks(2000);
  }

  @ParameterizedTest(name = "{0}, {2} accesses")
  @MethodSource("configurations")
  void lengthsFollowFromTheClasses(String name, OramConfig.Builder builder, int accesses)
      throws IOException {
    OramConfig config = builder.build();
    List<Long> lengths = new ArrayList<>();
    for (Load load : Load.values()) {
      lengths.add(savedBytes(config, load, accesses, 0));
    }
    assertThat(lengths).as(name).containsOnly(lengths.get(0));
  }

  /** A store that is full, of whatever, looks like another; what is written to it does not show. */
  @ParameterizedTest(name = "{0}, {2} accesses")
  @MethodSource("configurations")
  void soDoThoseOfFullStores(String name, OramConfig.Builder builder, int accesses)
      throws IOException {
    OramConfig config = builder.build();
    assertThat(savedBytes(config, Load.DISTINCT_WRITES, accesses, BLOCKS))
        .as(name)
        .isEqualTo(savedBytes(config, Load.READS_OF_ONE, accesses, BLOCKS));
  }

  /** Length of the state after closing, and of all that was saved. */
  private long savedBytes(OramConfig config, Load load, int accesses, int loadedBlocks)
      throws IOException {
    ClientVault vault = ClientVault.inMemory();
    HeapStore store = new HeapStore(Orams.storeBytes(config));
    Random places = new Random();
    try (MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(store, vault, config, key)) {
      if (loadedBlocks > 0) {
        load(oram, loadedBlocks, places);
      }
      for (int i = 0; i < accesses; i++) {
        int count = COUNTS[i % COUNTS.length];
        int block = load.sameBlock ? 3 : places.nextInt(BLOCKS - count + 1);
        if (load.writes) {
          oram.write(block, ByteBuffer.allocate(count * config.blockBytes()));
        } else {
          oram.read(block, count);
        }
      }
    }
    return savedBytes(vault);
  }

  private static long savedBytes(ClientVault vault) throws IOException {
    try (InputStream saved = vault.load("state").orElseThrow()) {
      return saved.readAllBytes().length;
    }
  }

  private void load(Oram oram, int blocks, Random random) throws IOException {
    byte[] noise = new byte[blocks * oram.config().blockBytes()];
    random.nextBytes(noise);
    Path file = Files.write(directory.resolve("noise"), noise);
    try (SeekableByteChannel source = Files.newByteChannel(file)) {
      oram.bulkLoad(source, noise.length, bytes -> {});
    }
  }

  /** As long as no more was written than the share, and the backlog took the rest. */
  @Test
  void aWriteShareShowsNoMore() throws IOException {
    OramConfig config = roram().sizeClasses(0, 2, 4).writeShare(0.25).build();
    for (int accesses : new int[] {1, 7, 20}) {
      assertThat(savedBytes(config, Load.DISTINCT_WRITES, accesses, 0))
          .isEqualTo(savedBytes(config, Load.READS_OF_ONE, accesses, 0));
    }
  }

  /** It shows which accesses write, and beyond that no more. */
  @Test
  void theOperationTypeRevealedShowsNoMore() throws IOException {
    OramConfig config = roram().sizeClasses(0, 2, 4).revealOperationType(true).build();
    for (int accesses : new int[] {1, 7, 70}) {
      assertThat(savedBytes(config, Load.DISTINCT_WRITES, accesses, 0))
          .isEqualTo(savedBytes(config, Load.WRITES_OF_ONE, accesses, 0));
      assertThat(savedBytes(config, Load.DISTINCT_READS, accesses, 0))
          .isEqualTo(savedBytes(config, Load.READS_OF_ONE, accesses, 0));
    }
  }

  /** That every block was looked for shows no more than before. */
  @Test
  void soDoesThatOfARingThatWasVerified() throws IOException {
    OramConfig config = RingModelTest.ring(1 << 18, 9, 2, 15, 0);
    List<Long> lengths = new ArrayList<>();
    for (boolean isVerified : new boolean[] {false, true}) {
      ClientVault vault = ClientVault.inMemory();
      // Of which nothing is needed but the superblock.
      HeapStore store =
          new HeapStore(1 << 16) {
            @Override
            public long capacityBytes() {
              return Orams.storeBytes(config);
            }
          };
      try (MasterKey key = MasterKey.generate();
          Oram oram = Orams.create(store, vault, config, key)) {
        oram.write(3, ByteBuffer.allocate(config.blockBytes()));
        if (isVerified) {
          oram.verify((done, total) -> {});
        }
      }
      lengths.add(savedBytes(vault));
    }
    assertThat(lengths.get(1)).isEqualTo(lengths.get(0));
  }

  /** What a read asks for is shown, and not of how many pages of a map its ranges are. */
  @ParameterizedTest(name = "trees {0}, {1} in flight")
  @CsvSource({"0, 1", "'0,4', 1", "0, 4"})
  void soDoThoseOfReadsThatArePending(String trees, int inFlight) throws IOException {
    OramConfig.Builder builder = roram().blocks(8 * BLOCKS).set("trees", trees);
    OramConfig config = builder.treetopBytes(0).windowBlocks(0).build();
    List<Long> lengths = new ArrayList<>();
    for (int block : new int[] {0, PAGE - 8}) {
      ClientVault vault = ClientVault.inMemory();
      FailingStore store = new FailingStore(Orams.storeBytes(config));
      OpenOptions options = OpenOptions.defaults().withInFlight(inFlight);
      try (MasterKey key = MasterKey.generate();
          Oram oram = Orams.create(store, vault, config, key, options)) {
        for (int page = 2; page < 5; page++) {
          oram.write(page * PAGE, ByteBuffer.allocate(config.blockBytes()));
        }
        store.fails = true;
        assertThatThrownBy(() -> oram.read(block, MAX_RANGE)).isInstanceOf(IOException.class);
      }
      lengths.add(savedBytes(vault));
    }
    assertThat(lengths.get(1)).isEqualTo(lengths.get(0));
  }

  /** A store that no longer reads. */
  private static final class FailingStore extends HeapStore {
    private boolean fails;

    FailingStore(long capacityBytes) {
      super(capacityBytes);
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      if (fails) {
        throw new IOException("injected");
      }
      super.read(batch, sink);
    }
  }

  /** So that creating a large store writes little. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("configurations")
  void theStateOfAStoreThatWasNeverAccessedIsShort(
      String name, OramConfig.Builder builder, int accesses) throws IOException {
    // Scheme ring has bits for all slots.
    assumeThat(name).isNotEqualTo("ring");
    assertThat(savedBytes(builder.build(), Load.READS_OF_ONE, 0, 0)).as(name).isLessThan(16 << 10);
  }
}
