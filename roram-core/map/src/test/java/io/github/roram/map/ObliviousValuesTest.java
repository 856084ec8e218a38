package io.github.roram.map;

import static io.github.roram.map.MapOrams.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.testkit.RecordingStore.Request;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of three lengths: of a part of a block, of two blocks and of five. */
@org.jspecify.annotations.NullUnmarked // nulls are what it is about
final class ObliviousValuesTest {

  private static final int KEY_BYTES = 8;
  private static final List<ValueClass> CLASSES =
      List.of(new ValueClass(40, 60), new ValueClass(1500, 20), new ValueClass(5000, 6));
  private static final OramConfig INDEX = MapOrams.config("roram", 30).trees(0).build();
  private static final OramConfig VALUES = MapOrams.config("roram", 150).trees(0, 2).build();

  @Test
  void answersLikeAHashMap() throws IOException {
    Random random = new Random(1);
    try (MapOrams index = new MapOrams(INDEX);
        MapOrams values = new MapOrams(VALUES)) {
      ObliviousValues map = ObliviousValues.create(index.oram(), values.oram(), KEY_BYTES, CLASSES);
      Map<String, byte[]> model = new HashMap<>();
      for (int i = 0; i < 700; i++) {
        int sizeClass = random.nextInt(CLASSES.size());
        String key = "k" + random.nextInt(5 * CLASSES.get(sizeClass).places() / 4);
        String held = sizeClass + key;
        switch (random.nextInt(4)) {
          case 0 -> assertHas(map, sizeClass, key, model.get(held));
          case 1 -> {
            map.remove(sizeClass, bytes(key));
            model.remove(held);
          }
          default -> put(map, model, sizeClass, key, random);
        }
        if (random.nextInt(200) == 0) {
          map = ObliviousValues.open(index.reopened(), values.reopened());
        }
      }
      for (int sizeClass = 0; sizeClass < CLASSES.size(); sizeClass++) {
        for (int key = 0; key < 75; key++) {
          assertHas(map, sizeClass, "k" + key, model.get(sizeClass + "k" + key));
        }
      }
    }
  }

  /** It has room exactly if the key is there, or fewer are than the class has places. */
  private static void put(
      ObliviousValues map, Map<String, byte[]> model, int sizeClass, String key, Random random)
      throws IOException {
    byte[] value = new byte[random.nextInt(CLASSES.get(sizeClass).valueBytes() + 1)];
    random.nextBytes(value);
    long used = model.keySet().stream().filter(each -> each.startsWith("" + sizeClass)).count();
    if (used < CLASSES.get(sizeClass).places() || model.containsKey(sizeClass + key)) {
      map.put(sizeClass, bytes(key), value);
      model.put(sizeClass + key, value);
    } else {
      assertThatThrownBy(() -> map.put(sizeClass, bytes(key), value))
          .isInstanceOf(MapFullException.class)
          .hasMessageContaining("all " + used);
    }
  }

  private static void assertHas(ObliviousValues map, int sizeClass, String key, byte[] value)
      throws IOException {
    assertThat(map.get(sizeClass, bytes(key)).orElse(null)).isEqualTo(value);
  }

  /** Nothing was changed, and the class still has as many places. */
  @Test
  void aPutThatFindsTheIndexFullTakesNoPlace() throws IOException {
    int places = 12;
    List<ValueClass> few = List.of(new ValueClass(40, places));
    try (MapOrams index = new MapOrams(small(4));
        MapOrams values = new MapOrams(small(16))) {
      ObliviousValues map = ObliviousValues.create(index.oram(), values.oram(), KEY_BYTES, few);
      ObliviousMap keys = ObliviousMap.open(index.oram());
      List<byte[]> others = new ArrayList<>();
      for (int i = 0; i < 20 * keys.capacity(); i++) {
        byte[] other = bytes("x" + i);
        try {
          keys.put(other, new byte[keys.shape().valueBytes()]);
          others.add(other);
        } catch (MapFullException e) {
          continue; // its blocks are full, and others may not be
        }
      }
      for (int i = 0; i < 2 * places; i++) {
        byte[] key = bytes("k" + i);
        assertThatThrownBy(() -> map.put(0, key, new byte[1]))
            .isInstanceOf(MapFullException.class)
            .hasMessageNotContaining("all " + places);
      }
      for (byte[] other : others) {
        keys.remove(other);
      }
      for (int i = 0; i < places; i++) {
        map.put(0, bytes("k" + i), new byte[1]);
      }
    }
  }

  private static OramConfig small(int blocks) {
    return MapOrams.config("roram", blocks).maxRangeBlocks(2).trees(0).build();
  }

  /** With every label fixed both stores see the same of all operations of a class, to the byte. */
  @Test
  void allOperationsOfAClassLookTheSame() throws IOException {
    OramConfig ofBlocks = MapOrams.config("roram", 150).trees(0).build();
    try (MapOrams index = new MapOrams(INDEX, OpenOptions.defaults(), leaves -> 0);
        MapOrams values = new MapOrams(ofBlocks, OpenOptions.defaults(), leaves -> 0);
        MapOrams otherIndex = new MapOrams(INDEX, OpenOptions.defaults(), leaves -> 0);
        MapOrams otherValues = new MapOrams(ofBlocks, OpenOptions.defaults(), leaves -> 0)) {
      ObliviousValues quiet =
          ObliviousValues.create(index.oram(), values.oram(), KEY_BYTES, CLASSES);
      ObliviousValues busy =
          ObliviousValues.create(otherIndex.oram(), otherValues.oram(), KEY_BYTES, CLASSES);
      List<MapOrams> all = List.of(index, values, otherIndex, otherValues);
      for (MapOrams each : all) {
        each.touchAll();
        each.seen();
      }
      for (int i = 0; i < 48; i++) {
        int sizeClass = i / 4 % CLASSES.size();
        quiet.get(sizeClass, bytes("none"));
        switch (i % 4) {
          case 0 -> busy.put(sizeClass, bytes("k" + i), bytes("one"));
          case 1 -> busy.get(sizeClass, bytes("k" + (i - 1)));
          case 2 -> busy.put(sizeClass, bytes("k" + (i - 2)), new byte[40]);
          default -> busy.remove(sizeClass, bytes("k" + (i - 3)));
        }
        List<Request> expected = values.seen();
        assertThat(expected).isNotEmpty();
        assertThat(otherValues.seen()).as("%s", i).isEqualTo(expected);
        assertThat(otherIndex.seen()).as("%s", i).isEqualTo(index.seen());
      }
    }
  }

  /** The entry of a new key is there, and no put takes its place for another key. */
  @Test
  void aPutThatAnErrorEndedKeepsItsPlace() throws IOException {
    AtomicBoolean fails = new AtomicBoolean();
    try (MapOrams index = new MapOrams(INDEX);
        MapOrams values = new MapOrams(VALUES)) {
      ObliviousValues map =
          ObliviousValues.create(
              lackingMemory(index.oram(), fails), values.oram(), KEY_BYTES, CLASSES);
      fails.set(true);
      assertThatThrownBy(() -> map.put(1, bytes("one"), bytes("lost")))
          .isInstanceOf(OutOfMemoryError.class);
      fails.set(false);
      map.put(1, bytes("other"), bytes("kept"));
      map.put(1, bytes("one"), bytes("again"));
      assertHas(map, 1, "other", bytes("kept"));
      assertHas(map, 1, "one", bytes("again"));
    }
  }

  /** An ORAM whose accesses are made, and then fail as long as memory is short. */
  private static Oram lackingMemory(Oram oram, AtomicBoolean isShort) {
    AsyncOram accesses =
        intercepted(
            AsyncOram.class,
            oram.async(),
            (name, result) ->
                isShort.get() && name.equals("access")
                    ? ((CompletableFuture<?>) result)
                        .thenRun(
                            () -> {
                              throw new OutOfMemoryError("injected");
                            })
                    : result);
    return intercepted(
        Oram.class, oram, (name, result) -> name.equals("async") ? accesses : result);
  }

  private static <T> T intercepted(
      Class<T> type, T behind, BiFunction<String, Object, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                answers.apply(method.getName(), method.invoke(behind, arguments))));
  }

  /** The entry of a new key is there and its value is not: nothing half done is found. */
  @Test
  void aPutThatWasCutOffLeavesNoValue() throws IOException {
    try (MapOrams index = new MapOrams(INDEX);
        MapOrams values = new MapOrams(VALUES)) {
      ObliviousValues map = ObliviousValues.create(index.oram(), values.oram(), KEY_BYTES, CLASSES);
      map.put(1, bytes("old"), bytes("value"));
      map.remove(1, bytes("old"));
      ObliviousValues cutOff = ObliviousValues.open(index.oram(), withoutUpdates(values.oram()));
      assertThatThrownBy(() -> cutOff.put(1, bytes("old"), bytes("new")))
          .isInstanceOf(IOException.class);
      ObliviousValues opened = ObliviousValues.open(index.reopened(), values.reopened());
      assertThat(opened.get(1, bytes("old"))).isEmpty();
      opened.put(1, bytes("other"), bytes("another"));
      opened.put(1, bytes("old"), bytes("newer"));
      assertHas(opened, 1, "old", bytes("newer"));
      assertHas(opened, 1, "other", bytes("another"));
    }
  }

  private static Oram withoutUpdates(Oram oram) {
    return (Oram)
        Proxy.newProxyInstance(
            Oram.class.getClassLoader(),
            new Class<?>[] {Oram.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("updateBytes")) {
                throw new IOException("cut off");
              }
              try {
                return method.invoke(oram, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void whatHasNoRoomIsRefusedAndChangesNothing() throws IOException {
    try (MapOrams index = new MapOrams(INDEX);
        MapOrams values = new MapOrams(VALUES)) {
      assertRefused(index, values, List.of(), "0 classes");
      assertRefused(index, values, List.of(new ValueClass(5000, 40)), "take 201 blocks");
      assertRefused(
          index, values, List.of(new ValueClass(20_000, 1)), "take 20 blocks, must be at most 16");
      assertRefused(index, values, List.of(new ValueClass(1, 140), new ValueClass(0, 900)), "take");
      assertThatThrownBy(() -> new ValueClass(1, 0)).isInstanceOf(ConfigurationException.class);
      try (MapOrams few = new MapOrams(MapOrams.config("roram", 3).maxRangeBlocks(2).build())) {
        assertRefused(few, values, List.of(new ValueClass(40, 140)), "140 places");
      }
      ObliviousValues map = ObliviousValues.create(index.oram(), values.oram(), KEY_BYTES, CLASSES);
      assertRefused(index, values, CLASSES, "block 0");
      assertThatThrownBy(() -> map.put(0, new byte[1], new byte[41]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("41 bytes");
      assertThatThrownBy(() -> map.put(0, new byte[9], new byte[1]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the key has 9 bytes, this map's have at most 8");
      for (int sizeClass : new int[] {-1, 3}) {
        for (ThrowingCallable call :
            List.<ThrowingCallable>of(
                () -> map.get(sizeClass, new byte[1]),
                () -> map.put(sizeClass, new byte[1], new byte[1]),
                () -> map.remove(sizeClass, new byte[1]))) {
          assertThatThrownBy(call)
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessage("the class is " + sizeClass + ", this map's are 0 to 2");
        }
      }
    }
  }

  /** Each would take places for free that have the other's values. */
  @Test
  void storesThatAreNotOfOneMapAreRefused() throws IOException {
    try (MapOrams index = new MapOrams(INDEX);
        MapOrams values = new MapOrams(VALUES);
        MapOrams otherIndex = new MapOrams(INDEX);
        MapOrams otherValues = new MapOrams(VALUES)) {
      ObliviousValues.create(index.oram(), values.oram(), KEY_BYTES, CLASSES)
          .put(0, bytes(1L), bytes(2L));
      ObliviousValues.create(otherIndex.oram(), otherValues.oram(), KEY_BYTES, CLASSES);
      assertThatThrownBy(() -> ObliviousValues.open(otherIndex.oram(), values.oram()))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("created together");
      assertThat(ObliviousValues.open(index.oram(), values.oram()).get(0, bytes(1L))).isPresent();
    }
  }

  @Test
  void keysOfNoLengthOrTooLongOnesAreRefused() throws IOException {
    try (MapOrams index = new MapOrams(INDEX);
        MapOrams values = new MapOrams(VALUES)) {
      for (int keyBytes : new int[] {0, 1024}) {
        assertThatThrownBy(
                () -> ObliviousValues.create(index.oram(), values.oram(), keyBytes, CLASSES))
            .isInstanceOf(ConfigurationException.class)
            .hasMessage("keys of up to " + keyBytes + " bytes, must be 1 to 1023; hash them");
      }
    }
  }

  private static void assertRefused(
      MapOrams index, MapOrams values, List<ValueClass> classes, String why) {
    assertThatThrownBy(
            () -> ObliviousValues.create(index.oram(), values.oram(), KEY_BYTES, classes))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(why);
  }

  /** Where a range is an access a block, too. */
  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched", "tao"})
  void anOverwriteThatFailsLeavesOneValueOrTheOther(String scheme) throws IOException {
    OramConfig config = scheme.equals("roram") ? VALUES : MapOrams.config(scheme, 150).build();
    byte[] one = new byte[5000];
    byte[] other = new byte[5000];
    Arrays.fill(other, (byte) 1);
    boolean failed = false;
    for (int read = 1; read < 10; read++) {
      try (MapOrams index = new MapOrams(INDEX);
          MapOrams values = new MapOrams(config)) {
        ObliviousValues map =
            ObliviousValues.create(index.oram(), values.oram(), KEY_BYTES, CLASSES);
        map.put(2, bytes("key"), one);
        values.faults().failNthRead(read);
        try {
          map.put(2, bytes("key"), other);
        } catch (IOException e) {
          failed = true;
        }
        values.faults().disarm();
        assertThat(map.get(2, bytes("key")).orElseThrow()).isIn(one, other);
      }
    }
    assertThat(failed).isTrue();
  }
}
