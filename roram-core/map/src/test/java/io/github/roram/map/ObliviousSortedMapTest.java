package io.github.roram.map;

import static io.github.roram.map.MapOrams.bytes;
import static io.github.roram.map.MapOrams.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.testkit.RecordingStore.Request;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@org.jspecify.annotations.NullUnmarked // nulls are what it is about
final class ObliviousSortedMapTest {

  private static final EntryShape SHAPE = new EntryShape(8, 12);

  @ParameterizedTest
  @CsvSource({"roram, 0", "roram, 2", "path-batched, 0", "path, 0", "tao, 1"})
  void answersLikeANavigableMap(String scheme, int leafExponent) throws IOException {
    Random random = new Random(7);
    OramConfig.Builder builder = MapOrams.config(scheme, 160 << leafExponent);
    try (MapOrams orams =
        new MapOrams("roram".equals(scheme) ? builder.trees(0).build() : builder.build())) {
      ObliviousSortedMap map = ObliviousSortedMap.create(orams.oram(), SHAPE, leafExponent);
      NavigableMap<byte[], Long> model = new TreeMap<>(Arrays::compareUnsigned);
      int keys = 0;
      for (int i = 0; i < 1000; i++) {
        // Grows in the order of keys and at random, then shrinks.
        boolean shrinks = i >= 600;
        byte[] key = bytes((long) (i % 2 == 0 && !shrinks ? keys++ : random.nextInt(800)) << 20);
        long value = random.nextLong();
        switch (random.nextInt(5)) {
          case 0 -> assertThat(map.get(key)).map(MapOrams::number).isEqualTo(of(model, key));
          case 1 -> scan(map, model, key, 1 + random.nextInt(4));
          default -> {
            if (shrinks) {
              assertThat(map.remove(key)).map(MapOrams::number).isEqualTo(of(model, key));
              model.remove(key);
            } else {
              assertThat(map.put(key, bytes(value)))
                  .map(MapOrams::number)
                  .isEqualTo(of(model, key));
              model.put(key, value);
            }
          }
        }
        if (i % 300 == 299) {
          map = ObliviousSortedMap.open(orams.reopened());
        }
      }
      checkAll(map, model);
      checkAll(ObliviousSortedMap.open(orams.reopened()), model);
    }
  }

  private static Optional<Long> of(NavigableMap<byte[], Long> model, byte[] key) {
    return Optional.ofNullable(model.get(key));
  }

  private static void scan(
      ObliviousSortedMap map, NavigableMap<byte[], Long> model, byte[] from, int leaves)
      throws IOException {
    ObliviousSortedMap.Page page = map.scan(from, leaves);
    NavigableMap<byte[], Long> expected =
        page.next() == null
            ? model.tailMap(from, true)
            : model.subMap(from, true, page.next(), false);
    assertThat(page.entries().stream().map(Entry::key).toList())
        .containsExactlyElementsOf(expected.keySet());
    assertThat(page.entries().stream().map(entry -> number(entry.value())).toList())
        .containsExactlyElementsOf(expected.values());
  }

  private static void checkAll(ObliviousSortedMap map, NavigableMap<byte[], Long> model)
      throws IOException {
    List<byte[]> keys = new ArrayList<>();
    for (byte[] from = new byte[0]; from != null; ) {
      ObliviousSortedMap.Page page = map.scan(from, 5);
      page.entries().forEach(entry -> keys.add(entry.key()));
      from = page.next();
    }
    assertThat(keys).containsExactlyElementsOf(model.keySet());
  }

  /** Whether a leaf is split, or two are joined, shows no more than which key was asked for. */
  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched", "tao"})
  void allOperationsLookTheSame(String scheme) throws IOException {
    OramConfig.Builder builder = MapOrams.config(scheme, 30);
    OramConfig config = "roram".equals(scheme) ? builder.trees(0).build() : builder.build();
    try (MapOrams one = new MapOrams(config, OpenOptions.defaults(), leaves -> 0);
        MapOrams other = new MapOrams(config, OpenOptions.defaults(), leaves -> 0)) {
      ObliviousSortedMap quiet = ObliviousSortedMap.create(one.oram(), SHAPE, 0);
      ObliviousSortedMap busy = ObliviousSortedMap.create(other.oram(), SHAPE, 0);
      one.touchAll();
      other.touchAll();
      one.seen();
      other.seen();
      for (int i = 0; i < 200; i++) {
        if (i % 10 == 9) {
          quiet.scan(new byte[0], 3);
          busy.scan(bytes((long) i), 3);
        } else {
          quiet.get(bytes(5L));
          if (i < 100) {
            busy.put(bytes((long) i), bytes((long) i));
          } else {
            busy.remove(bytes((long) i - 100));
          }
        }
        List<Request> expected = one.seen();
        assertThat(expected).isNotEmpty();
        assertThat(other.seen()).as("operation %s", i).isEqualTo(expected);
      }
    }
  }

  @Test
  void whatHasNoRoomIsRefusedAndNothingIsLost() throws IOException {
    try (MapOrams orams = new MapOrams(MapOrams.config("roram", 8).maxRangeBlocks(4).build())) {
      ObliviousSortedMap map = ObliviousSortedMap.create(orams.oram(), SHAPE, 0);
      int stored = 0;
      try {
        for (; ; stored++) {
          map.put(bytes((long) stored), bytes((long) stored));
        }
      } catch (MapFullException e) {
        assertThat(e).hasMessageContaining("no leaf is left");
      }
      assertThat(stored).isGreaterThan(2 * map.leafEntries());
      for (int i = 0; i < stored; i++) {
        assertThat(map.get(bytes((long) i))).map(MapOrams::number).contains((long) i);
      }
    }
  }

  @Test
  void badArgumentsAreRefused() throws IOException {
    try (MapOrams orams = new MapOrams(MapOrams.config("roram", 20).build())) {
      assertThatThrownBy(() -> ObliviousSortedMap.create(orams.oram(), SHAPE, 4))
          .isInstanceOf(ConfigurationException.class);
      assertThatThrownBy(() -> ObliviousSortedMap.create(orams.oram(), new EntryShape(8, 400), 0))
          .isInstanceOf(ConfigurationException.class);
      ObliviousSortedMap map = ObliviousSortedMap.create(orams.oram(), SHAPE, 0);
      assertThatThrownBy(() -> map.scan(new byte[0], 0))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> map.put(new byte[9], new byte[1]))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Next to inserts that split leaves under them. */
  @Test
  void refusedCreateChangesNothingOfTheMapThatIsThere() throws IOException {
    OramConfig config = MapOrams.config("roram", 60).trees(0).build();
    NavigableMap<byte[], Long> model = new TreeMap<>(Arrays::compareUnsigned);
    try (MapOrams hashed = new MapOrams(config);
        MapOrams sorted = new MapOrams(config)) {
      ObliviousMap one = ObliviousMap.create(hashed.oram(), SHAPE);
      ObliviousSortedMap other = ObliviousSortedMap.create(sorted.oram(), SHAPE, 0);
      for (long i = 0; i < 300; i++) {
        model.put(bytes(i), i);
        one.put(bytes(i), bytes(i));
        other.put(bytes(i), bytes(i));
      }
      for (MapOrams orams : List.of(hashed, sorted)) {
        assertThatThrownBy(() -> ObliviousSortedMap.create(orams.oram(), SHAPE, 1))
            .isInstanceOf(ConfigurationException.class)
            .hasMessageContaining("block 0 of the store is not empty");
      }
      assertThatThrownBy(() -> ObliviousSortedMap.create(hashed.oram(), SHAPE, 0))
          .isInstanceOf(ConfigurationException.class);
      ObliviousMap again = ObliviousMap.open(hashed.reopened());
      for (byte[] key : model.keySet()) {
        assertThat(again.get(key)).map(MapOrams::number).isEqualTo(of(model, key));
      }
      checkAll(ObliviousSortedMap.open(sorted.reopened()), model);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void sixteenCallersAreOneAfterAnother(int inFlight) throws Exception {
    OramConfig config = MapOrams.config("roram", 200).trees(0).build();
    Random labels = new java.security.SecureRandom();
    try (MapOrams orams =
        new MapOrams(config, OpenOptions.defaults().withInFlight(inFlight), labels::nextInt)) {
      ObliviousSortedMap map = ObliviousSortedMap.create(orams.oram(), SHAPE, 0);
      ExecutorService thread = Executors.newSingleThreadExecutor();
      try {
        Future<?> inserts =
            thread.submit(
                () -> {
                  for (int i = 0; i < 600; i++) {
                    map.put(bytes("c" + i % 10 + "." + i), bytes((long) i));
                  }
                  return true;
                });
        ObliviousMapTest.countTogether(
            key -> number(map.update(key, ObliviousMapTest::next).orElse(bytes(0L))));
        inserts.get();
      } finally {
        thread.shutdownNow();
      }
      for (int i = 0; i < 600; i++) {
        assertThat(map.get(bytes("c" + i % 10 + "." + i))).isPresent();
      }
    }
  }

  /** As a command does, which makes one operation in a process. */
  @Test
  void aMapThatIsOpenedForEachOperationGrows() throws IOException {
    try (MapOrams orams = new MapOrams(MapOrams.config("roram", 40).trees(0).build())) {
      int keys = 3 * ObliviousSortedMap.create(orams.oram(), SHAPE, 0).leafEntries();
      for (int i = 0; i < keys; i++) {
        ObliviousSortedMap.open(orams.oram()).put(bytes((long) i), bytes((long) i));
      }
      ObliviousSortedMap map = ObliviousSortedMap.open(orams.reopened());
      for (int i = 0; i < keys; i++) {
        assertThat(map.get(bytes((long) i))).map(MapOrams::number).contains((long) i);
      }
    }
  }

  /** Callers go on meanwhile, and whether the access was made is not known. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anAccessBetweenOperationsThatFailedLosesNothing(boolean made) throws IOException {
    Random random = new Random(3);
    AtomicBoolean fails = new AtomicBoolean();
    try (MapOrams orams = new MapOrams(MapOrams.config("roram", 60).trees(0).build())) {
      ObliviousSortedMap.create(orams.oram(), SHAPE, 0);
      AsyncOram failing = failing(orams.oram().async(), fails, made);
      MapHeader header = MapHeader.read(failing, MapHeader.SORTED);
      ObliviousSortedMap map = ObliviousSortedMap.open(orams.oram(), failing, header);
      NavigableMap<byte[], Long> model = new TreeMap<>(Arrays::compareUnsigned);
      int refused = 0;
      for (int i = 0; i < 2000; i++) {
        byte[] key = bytes((long) random.nextInt(400));
        boolean shrinks = i / 500 % 2 == 1;
        fails.set(i % 40 > 33);
        try {
          if (shrinks) {
            map.remove(key);
            model.remove(key);
          } else {
            map.put(key, bytes((long) i));
            model.put(key, (long) i);
          }
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("repeat the operation");
          refused++;
        }
      }
      assertThat(refused).isGreaterThan(100);
      fails.set(false);
      checkAll(map, model);
      checkAll(ObliviousSortedMap.open(orams.reopened()), model);
    }
  }

  /** Accesses to two leaves fail, and are made or not. */
  private static AsyncOram failing(AsyncOram oram, AtomicBoolean fails, boolean made) {
    return (AsyncOram)
        Proxy.newProxyInstance(
            AsyncOram.class.getClassLoader(),
            new Class<?>[] {AsyncOram.class},
            (proxy, method, arguments) -> {
              boolean failing =
                  fails.get()
                      && method.getName().equals("access")
                      && ((long[]) arguments[0]).length == 2;
              CompletableFuture<?> failure =
                  CompletableFuture.failedFuture(new IOException("the disk is full"));
              if (!failing) {
                return method.invoke(oram, arguments);
              }
              return made
                  ? ((CompletableFuture<?>) method.invoke(oram, arguments))
                      .thenCompose(none -> failure)
                  : failure;
            });
  }
}
