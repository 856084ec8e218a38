package io.github.roram.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.SmallConfigurations;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.parameters.BatchedPathParameters;
import io.github.roram.session.AsyncView;
import io.github.roram.session.OpenOram;
import io.github.roram.session.StoreOpening;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterAppendLog;
import io.github.roram.store.FilterClientVault;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a store and the disk of a vault see of accesses that overlap follows from the number and the
 * lengths of the calls and from when the store answers; trims show to neither; calls are answered
 * in their order; no label is shown twice.
 */
final class OverlapViewTest {

  private static final int BLOCKS = 200;
  private static final int BLOCK_BYTES = 512;
  private static final int CALLS = 60;
  private static final int IN_FLIGHT = 6;
  private static final long SEEDS = 2;

  /**
   * What is done: all one block, or others; read, written, or both; what was read before, or not;
   * with trims before each call, as many as there is room for.
   */
  private enum Workload {
    ONE_BLOCK_READ,
    BY_TURNS,
    BY_TURNS_ELSEWHERE,
    ONE_BLOCK_WRITTEN,
    IN_ORDER_READ,
    TRIMMED,
    RANDOM;

    private CompletableFuture<Void> call(AsyncView oram, int number, int blocks) {
      // Of numbers that follow each other, Random would draw the same first.
      SplittableRandom random = new SplittableRandom(number);
      ByteBuffer buffer = ByteBuffer.allocate(blocks * BLOCK_BYTES);
      return switch (this) {
        case ONE_BLOCK_READ -> oram.read(8, blocks, buffer);
        case ONE_BLOCK_WRITTEN -> oram.write(8, buffer);
        case TRIMMED -> {
          for (int trim = 0; trim < 4; trim++) {
            CompletableFuture<Boolean> unused =
                oram.trim(random.nextInt(BLOCKS - 4), 1 + random.nextInt(4));
          }
          yield oram.write(8, buffer);
        }
        case BY_TURNS ->
            isWrittenByTurns(number) ? oram.write(8, buffer) : oram.read(8, blocks, buffer);
        case BY_TURNS_ELSEWHERE ->
            isWrittenByTurns(number)
                ? oram.write(random.nextInt(BLOCKS - 4), buffer)
                : oram.read(number * 4L % (BLOCKS - 4), blocks, buffer);
        case IN_ORDER_READ -> oram.read(number * 4L % (BLOCKS - 4), blocks, buffer);
        case RANDOM ->
            random.nextBoolean()
                ? oram.read(random.nextInt(BLOCKS - 4), blocks, buffer)
                : oram.write(random.nextInt(BLOCKS - 4), buffer);
      };
    }
  }

  private static boolean isWrittenByTurns(int number) {
    return number % 5 < 2;
  }

  static Stream<OramConfig> configurations() {
    return Stream.of(
        builder().sizeClasses(0, 2).chunkPaths(4).windowBlocks(0).build(),
        builder().trees(0).chunkPaths(8).windowBlocks(20).build(),
        builder().trees(0, 2).chunkPaths(2).windowBlocks(4).treetopBytes(20_000).build(),
        builder().scheme(BatchedPathParameters.SCHEME).chunkPaths(4).windowBlocks(10).build(),
        SmallConfigurations.recursive(builder().trees(0, 2).chunkPaths(2)).build());
  }

  private static OramConfig.Builder builder() {
    return OramConfig.builder(BLOCKS).blockBytes(BLOCK_BYTES).maxRangeBlocks(4).treetopBytes(0);
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void workloadsLookAlike(OramConfig config) throws IOException {
    for (long seed = 0; seed < SEEDS; seed++) {
      List<String> seen = seen(config, Workload.RANDOM, seed);
      assertThat(seen).anyMatch(line -> line.contains("EVICT_WRITE"));
      for (Workload workload : Workload.values()) {
        assertThat(seen(config, workload, seed)).as("%s", workload).isEqualTo(seen);
      }
    }
  }

  /** Where the operation type is revealed, it shows, and nothing else. */
  @Test
  void revealedTypesAreAllThatShows() throws IOException {
    OramConfig config =
        builder()
            .sizeClasses(0, 1, 2)
            .chunkPaths(4)
            .windowBlocks(0)
            .revealOperationType(true)
            .build();
    for (long seed = 0; seed < SEEDS; seed++) {
      List<String> seen = seen(config, Workload.BY_TURNS, seed);
      assertThat(seen(config, Workload.BY_TURNS_ELSEWHERE, seed)).isEqualTo(seen);
      List<String> reads = seen(config, Workload.ONE_BLOCK_READ, seed);
      assertThat(seen(config, Workload.IN_ORDER_READ, seed)).isEqualTo(reads).isNotEqualTo(seen);
      assertThat(seen(config, Workload.TRIMMED, seed))
          .isEqualTo(seen(config, Workload.ONE_BLOCK_WRITTEN, seed));
    }
  }

  /** What the store was asked between its answers, which come in an order that the seed draws. */
  private static List<String> seen(OramConfig config, Workload workload, long seed)
      throws IOException {
    HeldStore store = new HeldStore(Orams.storeBytes(config));
    List<String> seen = new ArrayList<>();
    AppendedLengths vault = new AppendedLengths();
    try (MasterKey key = MasterKey.generate()) {
      AsyncView oram = overlapped(store, vault, config, key);
      for (IoPhase phase : IoPhase.values()) {
        store.hold(phase);
      }
      Random random = new Random(seed);
      List<CompletableFuture<Void>> calls = new ArrayList<>();
      int asked = 0;
      while (calls.size() < CALLS || store.held() > 0) {
        if (calls.size() < CALLS && (store.held() == 0 || random.nextInt(3) == 0)) {
          calls.add(workload.call(oram, calls.size(), 1 + random.nextInt(4)));
          seen.add("called");
        } else {
          store.takeAt(random.nextInt(store.held())).letThrough();
          seen.add("answered by the store");
        }
        settle(oram);
        for (HeldStore.Held one : store.asked().subList(asked, store.asked().size())) {
          seen.add(shape(one));
          asked++;
        }
        seen.add("recorded " + vault.take());
        assertAnsweredInOrder(calls);
      }
      calls.forEach(CompletableFuture::join);
      store.letAllThrough();
      oram.close();
    }
    return seen;
  }

  private static void assertAnsweredInOrder(List<CompletableFuture<Void>> calls) {
    boolean later = false;
    for (int i = calls.size() - 1; i >= 0; i--) {
      boolean done = calls.get(i).isDone();
      assertThat(done || !later).as("call %d is answered before a later one", i).isTrue();
      later |= done;
    }
  }

  /** Evictions are the same to the byte; reads are at labels that are drawn. */
  private static String shape(HeldStore.Held one) {
    String what = one.phase() == IoPhase.READ ? "labels" : "" + one.extents();
    return one.phase() + " of tree " + one.tree() + ": " + what;
  }

  /** The lengths of what is appended to the logs of a vault. */
  private static final class AppendedLengths extends FilterClientVault {
    private final List<Integer> lengths = new ArrayList<>();

    AppendedLengths() {
      super(ClientVault.inMemory());
    }

    synchronized List<Integer> take() {
      List<Integer> taken = List.copyOf(lengths);
      lengths.clear();
      return taken;
    }

    private synchronized void add(int bytes) {
      lengths.add(bytes);
    }

    @Override
    public AppendLog openLog(String name) throws IOException {
      return new FilterAppendLog(delegate.openLog(name)) {
        @Override
        public void append(ByteBuffer bytes) throws IOException {
          add(bytes.remaining());
          delegate.append(bytes);
        }
      };
    }
  }

  private static AsyncView overlapped(
      HeldStore store, ClientVault vault, OramConfig config, MasterKey key) throws IOException {
    OpenOptions options =
        OpenOptions.defaults()
            .withDurability(Durability.OS)
            .withThreads(1)
            .withTrims(true)
            .withInFlight(CALLS);
    OpenOram open =
        new StoreOpening(store, vault, key, LabelSource.secure()).create(config, options);
    return new AsyncView(open);
  }

  /** Waits until all has been done that can be. */
  private static void settle(AsyncView oram) {
    for (int i = 0; i < 12; i++) {
      oram.stats();
    }
  }

  /** Nothing is evicted and labels are drawn once, so that a label is known by where it is. */
  @Test
  void noLabelIsShownTwice() throws IOException {
    int[] drawn = new int[1];
    OramConfig config =
        OramConfig.builder(1 << 11)
            .blockBytes(BLOCK_BYTES)
            .maxRangeBlocks(1)
            .windowBlocks(1 << 16)
            .stashLimitBlocks(1 << 16)
            .treetopBytes(0)
            .build();
    HeldStore store = new HeldStore(Orams.storeBytes(config));
    Random random = new Random(2);
    try (MasterKey key = MasterKey.generate()) {
      OpenOptions options =
          OpenOptions.defaults().withDurability(Durability.OS).withInFlight(IN_FLIGHT);
      OpenOram open =
          new StoreOpening(store, ClientVault.inMemory(), key, leaves -> drawn[0]++ % leaves)
              .create(config, options);
      open.bulkLoad(new ZerosChannel(config.bytes()), config.bytes(), bytes -> {});
      AsyncView oram = new AsyncView(open);
      for (int block = 0; block < 4; block++) {
        oram.read(block, 1, ByteBuffer.allocate(BLOCK_BYTES)).join();
      }
      int before = store.reads().size();
      store.hold(IoPhase.READ);
      for (int round = 0; round < 40; round++) {
        List<CompletableFuture<Void>> calls = new ArrayList<>();
        for (int i = 0; i < IN_FLIGHT; i++) {
          ByteBuffer buffer = ByteBuffer.allocate(BLOCK_BYTES);
          int block = random.nextInt(4);
          calls.add(random.nextBoolean() ? oram.read(block, 1, buffer) : oram.write(block, buffer));
        }
        settle(oram);
        assertThat(store.held()).isEqualTo(IN_FLIGHT);
        while (store.held() > 0) {
          store.takeAt(random.nextInt(store.held())).letThrough();
        }
        calls.forEach(CompletableFuture::join);
      }
      assertThat(drawn[0]).isLessThan(1 << 11);
      List<List<Long>> shown = store.reads().subList(before, store.reads().size());
      assertThat(shown).doesNotHaveDuplicates();
      store.letAllThrough();
      oram.close();
    }
  }
}
