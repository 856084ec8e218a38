package io.github.roram.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.HeapStore;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Payload;
import io.github.roram.open.Orams;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.range.PaperSpecification.Purpose;
import io.github.roram.range.PaperSpecification.Shown;
import io.github.roram.session.OpenOram;
import io.github.roram.state.ClientRecords;
import io.github.roram.store.BlockStore;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.BucketTrees;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.IntUnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The ORAM of this library against the paper's, access by access. */
final class PaperSpecificationTest {

  private static final int BLOCK_BYTES = 512;
  private static final int ACCESSES = 25;

  /** A request of the store: which bucket of which level, as level · 2^32 + bucket. */
  private record Request(Purpose purpose, int tree, TreeSet<Long> buckets) {}

  /** With preset paper, under the same labels: the same answers by the same paths. */
  @Property(tries = 8, shrinking = ShrinkingMode.OFF)
  void presetPaperShowsThePathsOfThePaper(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 7) int height,
      @ForAll @IntRange(min = 0, max = 4) int longest)
      throws IOException {
    try (Both both = new Both(Preset.PAPER, height, Math.min(longest, height - 1), seed)) {
      for (int i = 0; i < ACCESSES; i++) {
        both.access();
        assertThat(both.requests()).isEqualTo(both.expected());
      }
    }
  }

  /** With every other preset: the same answers. */
  @Property(tries = 4, shrinking = ShrinkingMode.OFF)
  void otherPresetsAnswerAsThePaper(
      @ForAll long seed, @ForAll Preset preset, @ForAll @IntRange(min = 0, max = 4) int longest)
      throws IOException {
    try (Both both = new Both(preset, 6, longest, seed)) {
      for (int i = 0; i < 2 * ACCESSES; i++) {
        both.access();
      }
    }
  }

  /** Stashes are empty after most accesses: single blocks, and the longest ranges. */
  @Test
  void theStashIsSmall() {
    Random random = new Random(5);
    PaperSpecification paper = specification(new byte[256][1], 4, 16, random::nextInt);
    int most = 0;
    for (int i = 0; i < 100; i++) {
      int r = 1 << random.nextInt(5);
      paper.access(random.nextInt(256 - r), r, null);
      most = Math.max(most, paper.stashBlocks());
    }
    assertThat(most).isLessThanOrEqualTo(32);
  }

  /** Buckets of one block leave blocks in the stashes. */
  @Test
  void answersFromTheStash() {
    Random random = new Random(6);
    byte[][] model = new byte[64][1];
    PaperSpecification paper = specification(model.clone(), 1, 8, random::nextInt);
    for (int i = 0; i < 300; i++) {
      int r = 1 << random.nextInt(4);
      int a = random.nextInt(64 - r);
      byte[][] data = new byte[r][1];
      Arrays.fill(data, new byte[] {(byte) i});
      boolean writes = random.nextBoolean();
      byte[][] answer = paper.access(a, r, writes ? data : null);
      assertThat(answer).isDeepEqualTo(Arrays.copyOfRange(model, a, a + r));
      if (writes) {
        System.arraycopy(data, 0, model, a, r);
      }
    }
    assertThat(paper.stashBlocks()).isPositive();
  }

  /** Why the specification is stricter than the print about which blocks are valid. */
  @Test
  void asPrintedOldCopiesComeBack() {
    Random random = new Random(5);
    byte[][] model = new byte[64][1];
    PaperSpecification printed =
        new PaperSpecification(
            model.clone(), 4, 4, (i, range) -> random.nextInt(64), i -> random.nextInt(64)) {
          @Override
          boolean isValid(int i, Block block) {
            return true;
          }
        };
    int wrong = 0;
    for (int i = 0; i < 500; i++) {
      int a = random.nextInt(64);
      byte[][] data = {{(byte) i}};
      wrong += Arrays.equals(printed.access(a, 1, data)[0], model[a]) ? 0 : 1;
      model[a] = data[0];
    }
    assertThat(wrong).isPositive();
  }

  private static PaperSpecification specification(
      byte[][] data, int slots, int longest, IntUnaryOperator random) {
    int leaves = data.length;
    return new PaperSpecification(
        data,
        slots,
        longest,
        (i, range) -> random.applyAsInt(leaves),
        i -> random.applyAsInt(leaves));
  }

  /** Both of them, with the same blocks and labels. */
  private static final class Both implements AutoCloseable {
    private final int blocks;
    private final int maxRange;
    private final Random random;
    private final MasterKey key = MasterKey.generate();
    private final SeenBuckets seen;
    private final OpenOram oram;
    private final PaperSpecification paper;
    private final int height;

    Both(Preset preset, int height, int longest, long seed) throws IOException {
      this.height = height;
      blocks = 1 << height;
      maxRange = 1 << longest;
      random = new Random(seed);
      int[] all = new int[longest + 1];
      Arrays.setAll(all, i -> i);
      OramConfig.Builder builder =
          OramConfig.builder(blocks)
              .preset(preset)
              .blockBytes(BLOCK_BYTES)
              .maxRangeBlocks(maxRange)
              .sizeClasses(all);
      if (preset == Preset.PAPER) {
        builder.chunkPaths(2 * maxRange);
      }
      OramConfig config = builder.build();
      StoreLayout layout = new StoreLayout(config);
      HeapStore store = new HeapStore(Orams.storeBytes(config));
      seen = new SeenBuckets(layout.on(store, TreeParameters.of(config)));
      BlockStore observed =
          new FilterBlockStore(store) {
            @Override
            public Optional<BucketStore> buckets(BucketTrees trees) {
              return Optional.of(seen);
            }
          };
      OpenOptions options = OpenOptions.defaults().withDurability(Durability.NONE).withThreads(1);
      UUID id = UUID.randomUUID();
      ClientRecords records = ClientRecords.create(ClientVault.inMemory(), key, id, options);
      LabelPrf first = new LabelPrf();
      Random labels = new Random(~seed);
      Random sameLabels = new Random(~seed);
      OramContext context =
          new OramContext(
              config,
              options,
              id,
              observed,
              records.keys(),
              records,
              first,
              labels::nextInt,
              Payload.DATA);
      oram = new OpenOram(new RangeOram(context, layout, null), context, records);
      oram.lifecycle().startEmpty();
      byte[] noise = new byte[blocks * BLOCK_BYTES];
      random.nextBytes(noise);
      load(noise);
      seen.requests.clear();
      byte[][] data = new byte[blocks][];
      Arrays.setAll(data, a -> Arrays.copyOfRange(noise, a * BLOCK_BYTES, (a + 1) * BLOCK_BYTES));
      paper =
          new PaperSpecification(
              data,
              4,
              maxRange,
              (i, range) -> first.label(i, range, blocks),
              i -> sameLabels.nextInt(blocks));
    }

    private void load(byte[] content) throws IOException {
      Path file = Files.createTempFile("paper", "");
      Files.write(file, content);
      try (SeekableByteChannel source =
          Files.newByteChannel(file, StandardOpenOption.READ, StandardOpenOption.DELETE_ON_CLOSE)) {
        oram.bulkLoad(source, content.length, bytes -> {});
      }
    }

    /** An access of both, which must give the same. */
    void access() throws IOException {
      int r = 1 + random.nextInt(1 + random.nextInt(maxRange));
      int a = random.nextInt(blocks - r + 1);
      if (random.nextBoolean()) {
        byte[][] data = new byte[r][BLOCK_BYTES];
        ByteBuffer buffer = ByteBuffer.allocate(r * BLOCK_BYTES);
        for (byte[] block : data) {
          random.nextBytes(block);
          buffer.put(block);
        }
        oram.write(a, buffer.flip());
        paper.access(a, r, data);
      } else {
        ByteBuffer answer = oram.read(a, r);
        for (byte[] block : paper.access(a, r, null)) {
          byte[] found = new byte[BLOCK_BYTES];
          answer.get(found);
          assertThat(found).isEqualTo(block);
        }
      }
    }

    /** What the store was asked for since the last call. */
    List<Request> requests() {
      List<Request> taken = List.copyOf(seen.requests);
      seen.requests.clear();
      return taken;
    }

    /** What the paper asks for: both ReadRanges are one request. */
    List<Request> expected() {
      List<Request> expected = new ArrayList<>();
      for (Shown paths : paper.takeShown()) {
        TreeSet<Long> buckets = new TreeSet<>();
        for (int t = paths.first(); t < paths.first() + paths.paths(); t++) {
          for (int j = 0; j <= height; j++) {
            buckets.add(((long) j << 32) + t % (1 << j));
          }
        }
        Request last = expected.isEmpty() ? null : expected.get(expected.size() - 1);
        if (last != null
            && last.purpose() == Purpose.READ_RANGE
            && paths.purpose() == Purpose.READ_RANGE) {
          last.buckets().addAll(buckets);
        } else {
          expected.add(new Request(paths.purpose(), paths.tree(), buckets));
        }
      }
      return expected;
    }

    @Override
    public void close() throws IOException {
      oram.close();
      key.close();
    }
  }

  /** Notes which buckets are asked for. */
  private static final class SeenBuckets implements BucketStore {
    private final BucketStore delegate;
    private final List<Request> requests = new ArrayList<>();

    SeenBuckets(BucketStore delegate) {
      this.delegate = delegate;
    }

    @Override
    public void read(BucketRuns runs, UnitSink sink) throws IOException {
      note(runs, runs.phase() == IoPhase.READ ? Purpose.READ_RANGE : Purpose.EVICT_READ);
      delegate.read(runs, sink);
    }

    @Override
    public void write(BucketRuns runs, UnitSource source) throws IOException {
      note(runs, Purpose.EVICT_WRITE);
      delegate.write(runs, source);
    }

    private void note(BucketRuns runs, Purpose purpose) {
      TreeSet<Long> buckets = new TreeSet<>();
      for (int unit = 0; unit < runs.units(); unit++) {
        int level = runs.level(unit);
        buckets.add(((long) level << 32) + runs.eviction(unit) % (1L << level));
      }
      assertThat(buckets).as("each bucket once").hasSize(runs.units());
      requests.add(new Request(purpose, runs.tree(), buckets));
    }

    @Override
    public void discardOlder(int tree, long eviction) {
      delegate.discardOlder(tree, eviction);
    }

    @Override
    public int mostAhead(int tree) {
      return delegate.mostAhead(tree);
    }

    @Override
    public void sync() throws IOException {
      delegate.sync();
    }
  }
}
