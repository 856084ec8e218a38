package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.object.FilterObjectSpace;
import io.github.roram.object.MemoryObjects;
import io.github.roram.object.ObjectSpace;
import io.github.roram.storage.Engines;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.storage.objects.VolumeObjects;
import io.github.roram.store.StoreLockedException;
import io.github.roram.testkit.FaultyObjects;
import io.github.roram.testkit.FaultyObjects.Fault;
import io.github.roram.testkit.FaultyStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Backups in other places than a directory, and of stores on several; {@link BackupTest} first. */
@Tag("gate")
final class BackupTargetsTest extends BackupFixture {

  private final MemoryStore volume = new MemoryStore(VolumeObjects.capacityFor(1 << 20));

  @BeforeEach
  void create() throws IOException {
    create("local");
  }

  /** Kinds of places. */
  enum Place {
    MEMORY,
    DIRECTORY_OF_OBJECTS,
    VOLUME
  }

  private ObjectSpace objects(Place place) throws IOException {
    return switch (place) {
      case MEMORY -> memory.another();
      case DIRECTORY_OF_OBJECTS ->
          Engines.open("objects:" + directory.resolve("objects"), StoreOptions.defaults());
      case VOLUME -> VolumeObjects.in(reopened());
    };
  }

  private FaultyStore reopened() {
    FaultyStore store = new FaultyStore(volume);
    store.shield();
    return store;
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void pointsComeBackAndNoObjectMoreIsKept(Place place) throws IOException {
    Map<Integer, byte[]> expected = new TreeMap<>();
    long[] copied = new long[7];
    for (int point = 1; point <= 6; point++) {
      write(point == 4 ? 0 : 30);
      // Another client each time, as commands are.
      try (Backup backup = in(objects(place))) {
        Backup.Taken taken = roram.backUp(backup, 3, bytes -> {});
        assertThat(taken.number()).isEqualTo(point);
        copied[point] = taken.copiedBytes();
      }
      expected.put(point, model.clone());
    }
    assertThat(copied[4]).isZero();
    assertThat(copied[5]).isPositive();
    try (Backup backup = in(objects(place))) {
      assertThat(backup.points().keySet()).containsExactly(4, 5, 6);
      for (int point : new int[] {6, 4, 5}) {
        backup.verify(point, Key.of(secret), bytes -> {});
        roram.restore(backup, point, true, bytes -> {});
        assertThat(all()).as("point %d", point).isEqualTo(expected.get(point));
      }
      roram.delete();
      roram.restore(backup, 0, false, bytes -> {});
      assertThat(all()).isEqualTo(expected.get(6));
    }
    long pieces;
    try (Backup backup = in(objects(place))) {
      pieces =
          backup.points().values().stream()
              .flatMap(point -> point.pieces().values().stream())
              .flatMap(List::stream)
              .distinct()
              .count();
    }
    try (ObjectSpace left = objects(place)) {
      assertThat(left.list("pieces/", "")).hasSize((int) pieces);
      // Of each point: text, superblock, and three records.
      assertThat(left.list("moments/", "")).hasSize(3 * 5);
      assertThat(left.list("points/", "")).hasSize(3);
    }
  }

  /** Whichever request fails, and however: the next attempt has all of it, in one point. */
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"LOST_ANSWER", "LATE", "REFUSED"})
  void whereverItFailsItGoesOn(Fault fault) throws IOException {
    write(20);
    int failed = 0;
    int tried = 0;
    for (int call = 1; failed == tried; call += 7) {
      tried++;
      MemoryObjects place = new MemoryObjects();
      FaultyObjects faulty = new FaultyObjects(place.another());
      int[] left = {call};
      faulty.arm(fault, name -> --left[0] == 0, 1);
      try {
        roram.backUp(in(faulty), 2, bytes -> {});
      } catch (IOException e) {
        failed++;
      }
      try (Backup backup = in(place)) {
        Backup.Taken taken = roram.backUp(backup, 2, bytes -> {});
        // A lost answer to the last request is a point that was taken.
        assertThat(taken.number()).isIn(1, 2);
        faulty.deliver();
        for (int point : backup.points().keySet()) {
          backup.verify(point, Key.of(secret), bytes -> {});
        }
        if (tried % 4 == 1) {
          roram.restore(backup, 0, true, bytes -> {});
          assertThat(all()).isEqualTo(model);
        }
      }
    }
    assertThat(failed).isGreaterThan(4);
  }

  /** One of two clients that take a point at the same time has it, the other takes the next. */
  @Test
  void ofTwoAtATimeOneHasThePoint() throws IOException {
    write(60);
    boolean[] entered = new boolean[1];
    String uri = "file:" + directory.resolve("store");
    try (Oram oram = roram.open();
        Backup first = in(memory.another());
        Backup second = in(memory.another())) {
      assertThatThrownBy(
              () ->
                  first.take(
                      oram,
                      uri,
                      2,
                      bytes -> {
                        if (!entered[0]) {
                          entered[0] = true;
                          second.take(oram, uri, 2, more -> {});
                        }
                      }))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("another client took point 1");
      second.verify(1, Key.of(secret), bytes -> {});
      assertThat(first.take(oram, uri, 2, bytes -> {}).number()).isEqualTo(2);
      second.verify(1, Key.of(secret), bytes -> {});
      second.verify(2, Key.of(secret), bytes -> {});
    }
  }

  /** Else a volume for it would be made of another size, or none. */
  @Test
  void anyNumberOfPointsCanBeKept() {
    assertThat(Backup.roomBytes(2, 100)).isEqualTo(300);
    assertThat(VolumeObjects.capacityFor(Backup.roomBytes(Integer.MAX_VALUE, 1L << 40)))
        .isGreaterThan(Long.MAX_VALUE / 2);
  }

  /** A backup that cannot be makes nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"path", "tao", "detwo"})
  void whatIsRefusedLeavesNothing(String scheme) throws IOException {
    Roram other = Roram.at("file:" + directory.resolve("other")).key(Key.of(secret));
    other.create(OramConfig.builder(64).scheme(scheme).blockBytes(512).build()).close();
    Path place = directory.resolve("backup");
    for (String target : List.of(place.toString(), "file:" + place, "objects:" + place)) {
      try (Backup backup = Backup.at(target, StoreOptions.defaults())) {
        assertThatThrownBy(() -> other.backUp(backup, 1, bytes -> {}))
            .isInstanceOf(ConfigurationException.class)
            .hasMessageContaining("only cloned");
      }
      assertThat(place).doesNotExist();
    }
  }

  @Test
  void targetsThatCannotBeAreRefused() throws IOException {
    assertThatThrownBy(() -> Backup.at("mem:", StoreOptions.defaults()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("ends with the process");
    assertThatThrownBy(() -> Backup.at("nowhere:x", StoreOptions.defaults()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("\"nowhere:x\"");
    assertThatThrownBy(() -> Backup.at("striped:file:a,file:b", StoreOptions.defaults()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("no place for backups");
    memory.put("log/1", ByteBuffer.allocate(1));
    ObjectSpace others =
        new FilterObjectSpace(memory) {
          @Override
          public List<String> list(String prefix, String after) throws IOException {
            return delegate.list(prefix, after).stream().map(name -> name + "\u001b[2J").toList();
          }
        };
    try (Backup backup = in(others)) {
      assertThatThrownBy(() -> roram.backUp(backup, 1, bytes -> {}))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContainingAll("other objects", "log/1\ufffd[2J for one");
    }
  }

  /** A store on several, of which one is lost. */
  @Test
  void stripesComeBack() throws IOException {
    Path first = directory.resolve("first");
    Path second = directory.resolve("second");
    roram = Roram.at("striped:file:" + first + ",file:" + second).key(Key.of(secret));
    roram.create(config("local")).close();
    write(50);
    Backup backup = Backup.in(directory.resolve("backup"));
    roram.backUp(backup, 2, bytes -> {});
    byte[] then = model.clone();
    write(50);
    roram.restore(backup, 0, true, bytes -> {});
    assertThat(all()).isEqualTo(then);
    roram.delete();
    assertThat(Files.exists(second)).isFalse();
    roram.restore(backup, 0, false, bytes -> {});
    assertThat(all()).isEqualTo(then);
  }
}
