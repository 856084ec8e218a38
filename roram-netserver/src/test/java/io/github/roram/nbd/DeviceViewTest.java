package io.github.roram.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.AsyncOram;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.RecordingStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a device asks of its ORAM, which hides all of it but the number of blocks: it follows from
 * the lengths of requests; not from their addresses, not from the data, not from read or write.
 */
final class DeviceViewTest {

  private static final int BLOCK = 4096;
  private static final int BLOCKS = 1024;

  /** Blocks of each access, in order; −1 for a flush. */
  private final List<Integer> shown = new ArrayList<>();

  private static Oram newOram() throws IOException {
    OramConfig config = TestServer.config(BLOCKS);
    return TestServer.oram(
        new MemoryStore(Orams.storeBytes(config)), ClientVault.inMemory(), config, false);
  }

  /** An ORAM that writes down what it is asked for. */
  private Oram watched(Oram oram, int blockBytes) {
    return (Oram)
        Proxy.newProxyInstance(
            Oram.class.getClassLoader(),
            new Class<?>[] {Oram.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "readBytes", "updateBytes" -> {
                  long offset = (Long) arguments[0];
                  int bytes = ((ByteBuffer) arguments[2]).remaining();
                  int touched = (int) ((offset + bytes - 1) / blockBytes - offset / blockBytes + 1);
                  shown.add(Math.max(touched, (Integer) arguments[1]));
                }
                case "flush" -> shown.add(-1);
                case "config", "trim" -> {}
                default -> throw new AssertionError(method.getName());
              }
              try {
                return method.invoke(oram, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static OramDevice device(Oram oram, int sizeClass) {
    return new OramDevice(Orams.queued(oram, 4), sizeClass);
  }

  /** What is asked for requests of these lengths. */
  private List<Integer> ask(Place place, boolean writes, int sizeClass, int... lengths)
      throws IOException {
    shown.clear();
    try (Oram oram = newOram()) {
      OramDevice device = device(watched(oram, BLOCK), sizeClass);
      for (int length : lengths) {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        if (writes) {
          device.write(place.of(length), buffer, false).join();
        } else {
          Arrays.fill(buffer.array(), (byte) 1);
          device.read(place.of(length), buffer).join();
          assertThat(buffer.array()).containsOnly(0);
        }
      }
    }
    return List.copyOf(shown);
  }

  /** Where a request of a length begins. */
  @FunctionalInterface
  private interface Place {
    long of(int length);
  }

  private static long unit(int length) {
    return Math.min(BLOCK, Integer.lowestOneBit(length));
  }

  private static Place random(int seed) {
    Random random = new Random(seed);
    return length -> {
      long unit = unit(length);
      return unit * (long) (random.nextDouble() * ((BLOCKS * (long) BLOCK - length) / unit + 1));
    };
  }

  private static Place end() {
    return length -> {
      long unit = unit(length);
      return (BLOCKS * (long) BLOCK - length) / unit * unit;
    };
  }

  private static final int[] LENGTHS = {
    512,
    4096,
    1024,
    512,
    1536,
    8192,
    2560,
    65536,
    7 * 512,
    12288,
    300_032,
    1 << 20,
    513,
    1,
    4095,
    4097,
    262_144,
    262_144 + 512,
    2 << 20
  };

  @Test
  void placesAndDirectionsLookTheSame() throws IOException {
    List<Integer> first = ask(length -> 0, false, -1, LENGTHS);
    for (int seed = 0; seed < 4; seed++) {
      assertThat(ask(random(seed), seed % 2 == 0, -1, LENGTHS)).isEqualTo(first);
    }
    assertThat(ask(end(), true, -1, LENGTHS)).isEqualTo(first);
  }

  /** Every byte of a request is written, and how many blocks it is of follows from its length. */
  @ParameterizedTest
  @ValueSource(ints = {512, 1536, 3072, 4096, 6144})
  void whateverTheBlocksAre(int blockBytes) throws IOException {
    OramConfig config =
        OramConfig.builder(40).blockBytes(blockBytes).maxRangeBlocks(16).trees(0).build();
    byte[] model = new byte[(int) (config.blocks() * blockBytes)];
    Random random = new Random(blockBytes);
    Map<Integer, Integer> asked = new HashMap<>();
    try (Oram oram =
        TestServer.oram(
            new MemoryStore(Orams.storeBytes(config)), ClientVault.inMemory(), config, false)) {
      OramDevice device = device(watched(oram, blockBytes), -1);
      for (int length = 512; length <= 8192; length *= 2) {
        for (int offset = 0; offset + length <= model.length; offset += length) {
          byte[] bytes = new byte[length];
          random.nextBytes(bytes);
          System.arraycopy(bytes, 0, model, offset, length);
          shown.clear();
          device.write(offset, ByteBuffer.wrap(bytes), false).join();
          int blocks = shown.stream().mapToInt(Integer::intValue).sum();
          assertThat(asked.computeIfAbsent(length, first -> blocks)).isEqualTo(blocks);
        }
        assertThat(oram.readBytes(0, model.length)).isEqualTo(model);
      }
    }
  }

  /** Wherever the requests begin, aligned to nothing: the one other form of a length. */
  @Test
  void unalignedRequestsLookAlikeToo() throws IOException {
    int[] lengths = {4096, 512, 8192, 1 << 20, 1024};
    List<Integer> first = ask(length -> unit(length) + 1, false, -1, lengths);
    for (int seed = 0; seed < 3; seed++) {
      Random random = new Random(seed);
      Place odd =
          length -> unit(length) * random.nextInt(100) + 1 + random.nextInt((int) unit(length) - 1);
      assertThat(ask(odd, true, -1, lengths)).isEqualTo(first);
    }
  }

  @Test
  void aWriteOfASectorLooksLikeAReadOfABlock() throws IOException {
    assertThat(ask(length -> 9 * 512, true, -1, 512)).containsExactly(1);
    assertThat(ask(length -> 5 * BLOCK, false, -1, BLOCK)).containsExactly(1);
  }

  /** Requests up to the length of the class are one access each. */
  @Test
  void withAClassOnlyTheNumberShows() throws IOException {
    for (boolean writes : new boolean[] {true, false}) {
      assertThat(ask(random(1), writes, 4, 512, BLOCK, 16 * BLOCK, 3 * BLOCK, 65536))
          .containsExactly(16, 16, 16, 16, 16);
      assertThat(ask(end(), writes, 4, 512, 16 * BLOCK)).containsExactly(16, 16);
    }
    assertThat(ask(random(1), true, 4, 33 * BLOCK)).containsExactly(16, 16, 16);
  }

  /** Zeros in whole blocks make no access, others two; wherever they are. */
  @Test
  void trimsMakeNoAccesses() throws IOException {
    try (Oram oram = newOram()) {
      OramDevice device = device(watched(oram, BLOCK), -1);
      for (int i = 0; i < 20; i++) {
        device.trim(i * 1000L, 100_000, false).join();
        device.zero(i * (long) BLOCK, 5 * BLOCK, false).join();
      }
      assertThat(shown).containsOnly(-1).hasSizeLessThan(2);
      for (long offset : new long[] {1, 4095, 4096, 8192, 5000}) {
        for (int length : new int[] {1, 4095, 100_001}) {
          shown.clear();
          device.zero(offset, length, false).join();
          assertThat(shown.stream().filter(blocks -> blocks > 0)).containsExactly(1, 1);
        }
      }
    }
  }

  /** An ORAM of a scheme without trims, whose writes are done when the test says. */
  private static final class HeldOram implements AsyncOram {
    private final OramConfig config;
    private final boolean holds;
    private final List<CompletableFuture<Void>> writes = new ArrayList<>();
    private long bytes;

    HeldOram(OramConfig config, boolean holds) {
      this.config = config;
      this.holds = holds;
    }

    @Override
    public OramConfig config() {
      return config;
    }

    @Override
    public CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source) {
      CompletableFuture<Void> done = new CompletableFuture<>();
      if (!holds) {
        done.complete(null);
      }
      assertThat(offset).isEqualTo(bytes);
      assertThat(source.get(source.limit() - 1)).isZero();
      bytes += source.remaining();
      writes.add(done);
      return done;
    }

    @Override
    public CompletableFuture<Void> readBytes(long offset, int leastBlocks, ByteBuffer target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> flush() {
      throw new UnsupportedOperationException();
    }

    @Override
    public OramStats stats() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  private static OramConfig withoutTrims(long blocks, int longest) {
    return OramConfig.builder(blocks).scheme("detwo").maxRangeBlocks(longest).build();
  }

  /** However many they are: nothing bounds what waits of a request for zeros. */
  @Test
  void zerosThatAreWrittenAreUnderWayOneAccessAfterAnother() {
    HeldOram oram = new HeldOram(withoutTrims(256, 16), true);
    OramDevice device = new OramDevice(oram, -1);
    CompletableFuture<Void> done = device.zero(0, 40 * BLOCK, false);
    for (int made = 1; made <= 3; made++) {
      assertThat(oram.writes).hasSize(made);
      assertThat(done).isNotDone();
      oram.writes.get(made - 1).complete(null);
    }
    assertThat(done).isCompleted();
    assertThat(oram.bytes).isEqualTo(40 * BLOCK);
  }

  @Test
  void zerosThatCannotBeWrittenEndTheRequest() {
    HeldOram oram = new HeldOram(withoutTrims(256, 16), true);
    CompletableFuture<Void> done = new OramDevice(oram, -1).zero(0, 40 * BLOCK, false);
    oram.writes.get(0).completeExceptionally(new IOException("the disk"));
    assertThat(done).isCompletedExceptionally();
    assertThat(oram.writes).hasSize(1);
  }

  /** Many that are done at once take no stack. */
  @Test
  void zerosOfManyAccesses() {
    int blocks = 1 << 16;
    HeldOram oram = new HeldOram(withoutTrims(blocks, 1), false);
    assertThat(new OramDevice(oram, -1).zero(0, (long) blocks * BLOCK, false)).isCompleted();
    assertThat(oram.writes).hasSize(blocks);
  }

  /** The same load at two places, with trims in one: as many requests at the store, and as long. */
  @Test
  void theStoreSeesAsMuch() throws IOException {
    assertThat(requests(0, false)).isEqualTo(requests(2_000_000, true));
  }

  private static List<String> requests(long base, boolean trims) throws IOException {
    OramConfig config = TestServer.config(BLOCKS);
    RecordingStore store = new RecordingStore(new MemoryStore(Orams.storeBytes(config)));
    try (Oram oram = TestServer.oram(store, ClientVault.inMemory(), config, false)) {
      OramDevice device = device(oram, -1);
      device.read(0, ByteBuffer.allocate(1)).join();
      store.clear();
      for (int i = 0; i < 200; i++) {
        if (trims) {
          device.trim(i * 4096L, 4096, false).join();
        }
        ByteBuffer data = ByteBuffer.allocate(i % 2 == 0 ? 512 : 1024);
        device.write(base / 512 * 512 + i * 1024L, data, false).join();
      }
      return store.requests().stream()
          .map(request -> request.operation() + " " + request.phase() + " " + request.tree())
          .toList();
    }
  }
}
