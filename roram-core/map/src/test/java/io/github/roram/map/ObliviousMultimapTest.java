package io.github.roram.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class ObliviousMultimapTest {

  private static final EntryShape SHAPE = new EntryShape(8, 12);

  /** Keys of which one begins another, and one has zeros at its end. */
  private static final String[] KEYS = {"", "a", "a\0", "a\0b", "ab", "b", "longest8"};

  @Test
  void hasWhatAModelHas() throws IOException {
    try (MapOrams orams = new MapOrams(MapOrams.config("roram", 60).trees(0).build())) {
      ObliviousMultimap map = ObliviousMultimap.create(orams.oram(), SHAPE);
      NavigableMap<String, SortedSet<String>> model = new TreeMap<>();
      Random random = new Random(1);
      for (int i = 0; i < 900; i++) {
        // The first key has most values, of several leaves.
        String key = KEYS[random.nextBoolean() ? 1 : random.nextInt(KEYS.length)];
        String value = "v" + random.nextInt(200);
        SortedSet<String> values = model.computeIfAbsent(key, none -> new TreeSet<>());
        byte[] keyBytes = MapOrams.bytes(key);
        byte[] valueBytes = MapOrams.bytes(value);
        switch (random.nextInt(4)) {
          case 0 -> assertThat(map.remove(keyBytes, valueBytes)).isEqualTo(values.remove(value));
          case 1 ->
              assertThat(map.contains(keyBytes, valueBytes)).isEqualTo(values.contains(value));
          default -> assertThat(map.put(keyBytes, valueBytes)).isEqualTo(values.add(value));
        }
        if (i % 300 == 150) {
          map = ObliviousMultimap.open(orams.reopened(), SHAPE);
        }
      }
      for (Map.Entry<String, SortedSet<String>> each : model.entrySet()) {
        int leaves = 1;
        ObliviousMultimap.Values found = map.get(MapOrams.bytes(each.getKey()), leaves);
        while (found.more()) {
          found = map.get(MapOrams.bytes(each.getKey()), ++leaves);
        }
        assertThat(found.values())
            .as(each.getKey())
            .extracting(Codec.strings()::decode)
            .containsExactlyElementsOf(each.getValue());
      }
      assertThat(model.get("a")).hasSizeGreaterThan(80);
    }
  }

  @Test
  void anotherShapeIsRefused() throws IOException {
    try (MapOrams orams = new MapOrams(MapOrams.config("roram", 60).trees(0).build())) {
      ObliviousMultimap.create(orams.oram(), SHAPE);
      assertThatThrownBy(() -> ObliviousMultimap.open(orams.oram(), new EntryShape(8, 13)))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("shape that it was made with");
      assertThatThrownBy(() -> ObliviousMultimap.open(orams.oram(), new EntryShape(12, 8)))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("keys of up to 8 bytes");
    }
  }

  /** As those are that were made before block 0 said how long its keys are. */
  @Test
  void oneThatDoesNotSayHowLongItsKeysAreIsOpened() throws IOException {
    try (MapOrams orams = new MapOrams(MapOrams.config("roram", 60).trees(0).build())) {
      ObliviousMultimap.create(orams.oram(), SHAPE).put(MapOrams.bytes("a"), MapOrams.bytes("v"));
      orams.oram().update(64, ByteBuffer.allocate(Integer.BYTES));
      ObliviousMultimap map = ObliviousMultimap.open(orams.reopened(), SHAPE);
      assertThat(map.contains(MapOrams.bytes("a"), MapOrams.bytes("v"))).isTrue();
    }
  }

  @Test
  void typesComeBackInTheirOrder() throws IOException {
    try (MapOrams orams = new MapOrams(MapOrams.config("roram", 60).trees(0).build())) {
      ObliviousSortedMap map = ObliviousSortedMap.create(orams.oram(), new EntryShape(16, 24));
      TypedMap<Long, String> names = map.typed(Codec.longs(), Codec.strings());
      long[] numbers = {7, Long.MIN_VALUE, -1, 0, Long.MAX_VALUE};
      for (long number : numbers) {
        assertThat(names.put(number, "n" + number)).isEmpty();
      }
      assertThat(names.get(-1L)).contains("n-1");
      assertThat(names.update(7L, name -> name + "!")).contains("n7");
      assertThat(names.compareAndSet(7L, "n7!", null)).isTrue();
      assertThat(names.remove(0L)).contains("n0");
      assertThat(map.scan(new byte[0], 3).entries())
          .extracting(entry -> Codec.longs().decode(entry.key()))
          .containsExactly(Long.MIN_VALUE, -1L, Long.MAX_VALUE);
      UUID uuid = new UUID(-3, 4);
      assertThat(Codec.uuids().decode(Codec.uuids().encode(uuid))).isEqualTo(uuid);
    }
  }
}
