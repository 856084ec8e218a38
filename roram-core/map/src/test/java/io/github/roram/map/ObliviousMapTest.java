package io.github.roram.map;

import static io.github.roram.map.MapOrams.bytes;
import static io.github.roram.map.MapOrams.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.testkit.RecordingStore.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@org.jspecify.annotations.NullUnmarked // nulls are what it is about
final class ObliviousMapTest {

  private static final EntryShape SHAPE = new EntryShape(8, 12);

  static Stream<OramConfig> configurations() {
    return Stream.of(
        MapOrams.config("roram", 60).trees(0).build(),
        MapOrams.config("roram", 60).trees(0, 2).treetopBytes(20_000).build(),
        MapOrams.config("roram", 60)
            .trees(0)
            .positionMap("recursive")
            .set("blocksPerMapBlock", 4)
            .set("clientLabels", 4)
            .build(),
        MapOrams.config("path-batched", 60).build(),
        MapOrams.config("path", 60).build(),
        MapOrams.config("tao", 60).build());
  }

  /** One of before maps said how many blocks they use, and one of now. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void keepsItsEntriesWhenTheStoreGrows(boolean isOld) throws IOException {
    try (MapOrams orams = new MapOrams(MapOrams.config("roram", 60).trees(0).build())) {
      ObliviousMap map = ObliviousMap.create(orams.oram(), SHAPE);
      for (int i = 0; i < 200; i++) {
        map.put(bytes("k" + i), bytes(i));
      }
      if (isOld) {
        orams.oram().access(new long[] {0}, blocks -> blocks[0].putLong(56, 0));
      }
      OramMap.keepCapacity(orams.oram());
      orams.oram().grow(150);
      ObliviousMap same = ObliviousMap.open(orams.oram());
      assertThat(same.capacity()).isEqualTo(map.capacity());
      for (int i = 0; i < 200; i++) {
        assertThat(same.get(bytes("k" + i))).map(MapOrams::number).contains((long) i);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void answersLikeAHashMap(OramConfig config) throws IOException {
    Random random = new Random(1);
    try (MapOrams orams = new MapOrams(config)) {
      ObliviousMap map = ObliviousMap.create(orams.oram(), SHAPE);
      Map<String, Long> model = new HashMap<>();
      for (int i = 0; i < 700; i++) {
        String key = "k" + random.nextInt(i < 500 ? 400 : 40);
        long value = random.nextLong();
        switch (random.nextInt(6)) {
          case 0, 1 ->
              assertThat(map.get(bytes(key))).map(MapOrams::number).isEqualTo(of(model, key));
          case 2, 3 -> {
            assertThat(map.put(bytes(key), bytes(value)))
                .map(MapOrams::number)
                .isEqualTo(of(model, key));
            model.put(key, value);
          }
          case 4 -> {
            assertThat(map.remove(bytes(key))).map(MapOrams::number).isEqualTo(of(model, key));
            model.remove(key);
          }
          default -> compareAndSet(map, model, key, value, random.nextBoolean());
        }
        if (random.nextInt(300) == 0) {
          map = ObliviousMap.open(orams.reopened());
        }
      }
      List<String> keys = new ArrayList<>(model.keySet());
      List<Optional<byte[]>> found = map.getAll(keys.stream().map(MapOrams::bytes).toList());
      for (int i = 0; i < keys.size(); i++) {
        assertThat(found.get(i)).map(MapOrams::number).contains(model.get(keys.get(i)));
      }
    }
  }

  private static Optional<Long> of(Map<String, Long> model, String key) {
    return Optional.ofNullable(model.get(key));
  }

  private static void compareAndSet(
      ObliviousMap map, Map<String, Long> model, String key, long value, boolean fits)
      throws IOException {
    Long held = model.get(key);
    byte[] expected = fits ? (held == null ? null : bytes((long) held)) : bytes(value);
    assertThat(map.compareAndSet(bytes(key), expected, bytes(value))).isEqualTo(fits);
    if (fits) {
      model.put(key, value);
    }
  }

  /** With every label fixed what an operation shows is the same to the byte. */
  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched", "tao"})
  void allOperationsLookTheSame(String scheme) throws IOException {
    OramConfig.Builder builder = MapOrams.config(scheme, 20);
    OramConfig config = "roram".equals(scheme) ? builder.trees(0).build() : builder.build();
    try (MapOrams one = new MapOrams(config, OpenOptions.defaults(), leaves -> 0);
        MapOrams other = new MapOrams(config, OpenOptions.defaults(), leaves -> 0)) {
      ObliviousMap quiet = ObliviousMap.create(one.oram(), SHAPE);
      ObliviousMap busy = ObliviousMap.create(other.oram(), SHAPE);
      one.touchAll();
      other.touchAll();
      one.seen();
      other.seen();
      for (int i = 0; i < 60; i++) {
        quiet.get(bytes("same"));
        switch (i % 4) {
          case 0 -> busy.put(bytes("k" + i), bytes(i));
          case 1 -> busy.get(bytes("k" + (i - 1)));
          case 2 -> busy.compareAndSet(bytes("k" + (i - 2)), bytes(1L), null);
          default -> busy.remove(bytes("k" + (i - 3)));
        }
        List<Request> expected = one.seen();
        assertThat(expected).isNotEmpty();
        assertThat(other.seen()).isEqualTo(expected);
      }
    }
  }

  @Test
  void whatHasNoRoomIsRefusedAndNothingIsLost() throws IOException {
    try (MapOrams orams = new MapOrams(MapOrams.config("roram", 4).maxRangeBlocks(2).build())) {
      ObliviousMap map = ObliviousMap.create(orams.oram(), SHAPE);
      int stored = 0;
      try {
        for (; ; stored++) {
          map.put(bytes(stored), bytes(stored));
        }
      } catch (MapFullException e) {
        assertThat(e).hasMessageContaining("room for " + map.capacity());
      }
      assertThat((long) stored).isGreaterThanOrEqualTo(map.capacity());
      assertThat(map.get(bytes(stored))).isEmpty();
      for (int i = 0; i < stored; i++) {
        assertThat(map.get(bytes(i))).map(MapOrams::number).contains((long) i);
      }
    }
  }

  /** A file system begins with zeros, and has its superblock behind them, in the first block. */
  @Test
  void nothingIsMadeInPlaceOfOtherData() throws IOException {
    try (MapOrams orams = new MapOrams(MapOrams.config("roram", 300).trees(0).build());
        MapOrams empty = new MapOrams(MapOrams.config("roram", 60).trees(0).build())) {
      orams.oram().updateBytes(512, 1, ByteBuffer.wrap(new byte[] {1}));
      List<ValueClass> classes = List.of(new ValueClass(9, 9));
      for (Callable<?> made :
          List.<Callable<?>>of(
              () -> ObliviousMap.create(orams.oram(), SHAPE),
              () -> ObliviousSortedMap.create(orams.oram(), SHAPE),
              () -> ObliviousIndex.create(orams.oram(), new IndexShape(9, 9, 9)),
              () -> ObliviousValues.create(empty.oram(), orams.oram(), 8, classes))) {
        assertThatThrownBy(made::call)
            .isInstanceOf(ConfigurationException.class)
            .hasMessageContaining("block 0");
      }
    }
  }

  /** They would all be one key. */
  @Test
  void textThatIsNoUnicodeIsRefused() {
    assertThatThrownBy(() -> Codec.strings().encode("a\uD800"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("character 1");
    String pair = "a\uD83D\uDE00";
    assertThat(Codec.strings().decode(Codec.strings().encode(pair))).isEqualTo(pair);
  }

  @Test
  void badArgumentsAreRefused() throws IOException {
    try (MapOrams orams = new MapOrams(MapOrams.config("roram", 20).build())) {
      assertThatThrownBy(() -> ObliviousMap.open(orams.oram()))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("no map");
      assertThatThrownBy(() -> ObliviousMap.create(orams.oram(), new EntryShape(8, 200)))
          .isInstanceOf(ConfigurationException.class);
      ObliviousMap map = ObliviousMap.create(orams.oram(), SHAPE);
      assertThatThrownBy(() -> ObliviousMap.create(orams.oram(), SHAPE))
          .isInstanceOf(ConfigurationException.class);
      assertThatThrownBy(() -> ObliviousSortedMap.open(orams.oram()))
          .isInstanceOf(ConfigurationException.class);
      assertThatThrownBy(() -> map.get(new byte[9])).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> map.put(new byte[1], new byte[13]))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> map.update(new byte[1], value -> new byte[13]))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(map.put(new byte[0], new byte[0])).isEmpty();
      assertThat(map.get(new byte[0])).hasValueSatisfying(v -> assertThat(v).isEmpty());
    }
  }

  /** Each of many callers adds one to counters: nobody finds what another found. */
  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void sixteenCallersAreOneAfterAnother(int inFlight) throws Exception {
    OramConfig config = MapOrams.config("roram", 30).trees(0).build();
    try (MapOrams orams =
        new MapOrams(config, OpenOptions.defaults().withInFlight(inFlight), SECURE::nextInt)) {
      ObliviousMap map = ObliviousMap.create(orams.oram(), SHAPE);
      countTogether(key -> number(map.update(key, ObliviousMapTest::next).orElse(bytes(0L))));
    }
  }

  private static final Random SECURE = new java.security.SecureRandom();

  static byte[] next(byte[] value) {
    return bytes(value == null ? 1L : number(value) + 1);
  }

  /** Adds one to a counter, and returns what it was. */
  @FunctionalInterface
  interface Counter {
    long add(byte[] key) throws IOException;
  }

  static void countTogether(Counter counter) throws Exception {
    int callers = 16;
    int times = 40;
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      List<Future<List<Long>>> all = new ArrayList<>();
      for (int caller = 0; caller < callers; caller++) {
        int number = caller;
        Callable<List<Long>> task =
            () -> {
              List<Long> found = new ArrayList<>();
              for (int i = 0; i < times; i++) {
                int key = (number + i) % 5;
                found.add(10_000L * key + counter.add(bytes("c" + key)));
              }
              return found;
            };
        all.add(threads.submit(task));
      }
      Set<Long> found = new HashSet<>();
      for (Future<List<Long>> one : all) {
        found.addAll(one.get());
      }
      assertThat(found).hasSize(callers * times);
    } finally {
      threads.shutdownNow();
    }
  }
}
