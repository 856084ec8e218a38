package io.github.roram.map;

import static io.github.roram.map.MapOrams.bytes;
import static io.github.roram.map.MapOrams.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.github.roram.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process that changes a map in files is killed again and again. After each kill every
 * acknowledged operation is there, the one that was under way is there or not, and a sorted map
 * scans as it reads: no half-done split. Values of several lengths are in two stores, and a kill
 * may come between their accesses. The long run:
 *
 * <pre>
 * mvn verify -pl roram-core/map -am -Dgroups=crash -DexcludedGroups= -Dtest=KilledMapTest \
 *   -Dsurefire.failIfNoSpecifiedTests=false -Droram.kills=300
 * </pre>
 */
@org.jspecify.annotations.NullUnmarked // nulls are what it is about
final class KilledMapTest {

  private static final int LONG_KILLS = Integer.getInteger("roram.kills", 300);
  private static final int KEYS = 300;
  private static final EntryShape SHAPE = new EntryShape(8, 8);

  /** Of a part of a block, and of two blocks; even keys are of the first, and it has room. */
  private static final List<ValueClass> CLASSES =
      List.of(new ValueClass(8, KEYS / 2), new ValueClass(1500, KEYS / 2));

  @TempDir Path directory;

  @Tag("gate")
  @ParameterizedTest
  @ValueSource(strings = {"hashed", "sorted", "values"})
  void aFewKills(String kind) throws Exception {
    kill(kind, 2);
  }

  @Tag("crash")
  @ParameterizedTest
  @ValueSource(strings = {"hashed", "sorted", "values"})
  void manyKills(String kind) throws Exception {
    kill(kind, LONG_KILLS);
  }

  private static Roram vault(Path directory, String store) throws IOException {
    return Roram.at("file:" + directory.resolve(store))
        .key(Key.file(directory.resolve("key")))
        .options(
            OpenOptions.defaults()
                .withDurability(Durability.SYNC)
                .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES));
  }

  private void kill(String kind, int kills) throws Exception {
    try (Oram oram =
        Roram.at("file:" + directory.resolve("store"))
            .key(Key.newFile(directory.resolve("key")))
            .create(MapOrams.config("roram", 120).trees(0).build())) {
      switch (kind) {
        case "hashed" -> ObliviousMap.create(oram, SHAPE);
        case "sorted" -> ObliviousSortedMap.create(oram, SHAPE, 0);
        default -> {
          OramConfig config = MapOrams.config("roram", 1 + KEYS * 3 / 2).trees(0).build();
          try (Oram values = vault(directory, "values").create(config)) {
            ObliviousValues.create(oram, values, Long.BYTES, CLASSES);
          }
        }
      }
    }
    Map<Long, Long> model = new HashMap<>();
    long[] doubtful = {-1, 0};
    Random random = new Random(kills);
    long operations = 0;
    for (int i = 0; i <= kills; i++) {
      if (i > 0) {
        operations += runAndKill(kind, i, random, model, doubtful);
      }
      check(kind, model, doubtful);
    }
    assertThat(operations).isPositive();
    System.out.printf(
        "%s: %d kills, %d operations acknowledged, none lost%n", kind, kills, operations);
  }

  /** Lines are {@code doing KEY VALUE}, then {@code done}; value 0 removes. */
  private long runAndKill(
      String kind, int seed, Random random, Map<Long, Long> model, long[] doubtful)
      throws Exception {
    Process user =
        JavaProcess.of(
                KilledMapTest.class, List.of(directory.toString(), kind, Integer.toString(seed)))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    long done = 0;
    int lines = random.nextInt(200);
    try (BufferedReader said = user.inputReader()) {
      for (int i = 0; ; i++) {
        String line = said.readLine();
        if (line == null) {
          break;
        }
        String[] words = line.split(" ");
        if (words[0].equals("doing") && words.length == 3 && line.endsWith(";")) {
          doubtful[0] = Long.parseLong(words[1]);
          doubtful[1] = Long.parseLong(words[2].replace(";", ""));
        } else if (line.equals("done")) {
          apply(model, doubtful);
          done++;
        }
        if (i == lines) {
          LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(3)));
          user.toHandle().destroyForcibly();
        }
      }
    }
    assertThat(user.waitFor()).isEqualTo(128 + 9);
    return done;
  }

  private static void apply(Map<Long, Long> model, long[] operation) {
    if (operation[0] >= 0 && operation[1] == 0) {
      model.remove(operation[0]);
    } else if (operation[0] >= 0) {
      model.put(operation[0], operation[1]);
    }
    operation[0] = -1;
  }

  private void check(String kind, Map<Long, Long> model, long[] doubtful) throws IOException {
    try (Oram oram = vault(directory, "store").open();
        Oram values = kind.equals("values") ? vault(directory, "values").open() : null) {
      Reader reader;
      if (kind.equals("hashed")) {
        ObliviousMap map = ObliviousMap.open(oram);
        reader = map::get;
      } else if (values != null) {
        ObliviousValues map = ObliviousValues.open(oram, values);
        reader = key -> map.get(classOf(number(key)), key);
      } else {
        ObliviousSortedMap map = ObliviousSortedMap.open(oram);
        Map<Long, Long> scanned = new HashMap<>();
        long before = -1;
        for (byte[] from = new byte[0]; from != null; ) {
          ObliviousSortedMap.Page page = map.scan(from, 8);
          for (Entry entry : page.entries()) {
            assertThat(number(entry.key())).isGreaterThan(before);
            before = number(entry.key());
            scanned.put(before, number(entry.value()));
          }
          from = page.next();
        }
        reader = key -> Optional.ofNullable(scanned.get(number(key))).map(MapOrams::bytes);
        assertThat(map.get(bytes(7L)).map(MapOrams::number))
            .isEqualTo(reader.get(bytes(7L)).map(MapOrams::number));
      }
      for (long key = 0; key < KEYS; key++) {
        Optional<Long> found = reader.get(bytes(key)).map(MapOrams::number);
        Optional<Long> held = Optional.ofNullable(model.get(key));
        if (key == doubtful[0] && !found.equals(held)) {
          apply(model, doubtful);
          held = Optional.ofNullable(model.get(key));
        }
        assertThat(found).as("key %s", key).isEqualTo(held);
      }
      doubtful[0] = -1;
    }
  }

  /** Reads a key. */
  @FunctionalInterface
  private interface Reader {
    Optional<byte[]> get(byte[] key) throws IOException;
  }

  /** Gives a key a value, or takes it out for a value of null. */
  @FunctionalInterface
  private interface Writer {
    void change(byte[] key, byte[] value) throws IOException;
  }

  private static int classOf(long key) {
    return (int) (key % CLASSES.size());
  }

  private static Writer writer(Path directory, String kind, Oram oram) throws IOException {
    if (kind.equals("hashed")) {
      ObliviousMap map = ObliviousMap.open(oram);
      return (key, value) -> map.update(key, before -> value);
    }
    if (kind.equals("sorted")) {
      ObliviousSortedMap map = ObliviousSortedMap.open(oram);
      return (key, value) -> map.update(key, before -> value);
    }
    ObliviousValues map = ObliviousValues.open(oram, vault(directory, "values").open());
    return (key, value) -> {
      if (value == null) {
        map.remove(classOf(number(key)), key);
      } else {
        map.put(classOf(number(key)), key, value);
      }
    };
  }

  /** Changes a map in files until it is killed: directory, kind, seed. */
  public static void main(String[] arguments) throws IOException {
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.US_ASCII);
    Random random = new Random(Long.parseLong(arguments[2]));
    Path directory = Path.of(arguments[0]);
    try (Oram oram = vault(directory, "store").open()) {
      Writer writer = writer(directory, arguments[1], oram);
      while (true) {
        long key = random.nextInt(KEYS);
        long value = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(Integer.MAX_VALUE);
        out.println("doing " + key + " " + value + ";");
        writer.change(bytes(key), value == 0 ? null : bytes(value));
        out.println("done");
      }
    }
  }
}
