package io.github.roram.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
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
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Backups in other places than a directory, and of stores on several; {@link BackupTest} first. */
@Tag("gate")
final class BackupTargetsTest extends BackupFixture {

  private final MemoryObjects memory = new MemoryObjects();
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

  private static Backup in(ObjectSpace objects) {
    return Backup.in(objects, 4000, 9000);
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

  private void named(Backup backup, String object) {
    assertThatThrownBy(() -> backup.verify(2, Key.of(secret), bytes -> {}))
        .as(object)
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining(nameOf(object));
  }

  /** Of a piece its own name, of a point's file its place. */
  private static String nameOf(String object) {
    String file = object.replaceAll("/0$", "");
    if (file.startsWith("pieces/")) {
      return file.substring("pieces/".length()).replace('/', '_');
    }
    // A point that leads nowhere is named by what is not there; what is wrong in a text, by that.
    return file.startsWith("points/") ? "missing" : file.replaceAll("point$", "");
  }

  @Test
  void whateverIsChangedSwappedOlderOrMissingIsNamed() throws IOException {
    Map<String, byte[]> older = new TreeMap<>();
    for (int point = 1; point <= 2; point++) {
      write(60);
      try (Backup backup = in(memory.another())) {
        roram.backUp(backup, 1 + point, bytes -> {});
      }
      if (point == 1) {
        memory.forEach("moments/", "", name -> older.put(nameIn(name), whole(name)));
      }
    }
    try (Backup backup = in(memory.another())) {
      List<String> needed = new ArrayList<>();
      String moment = new String(whole("points/000002"), US_ASCII);
      memory.forEach("moments/" + moment, "", needed::add);
      backup.points().lastEntry().getValue().pieces().values().stream()
          .flatMap(List::stream)
          .map(piece -> "pieces/" + piece.replace('_', '/') + "/0")
          .forEach(needed::add);
      needed.add("points/000002");
      assertThat(needed).hasSizeGreaterThan(12);
      String before = needed.get(needed.size() - 2);
      for (String name : needed) {
        byte[] content = whole(name);
        byte[] flipped = content.clone();
        flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
        byte[] old = older.getOrDefault(nameIn(name), whole("points/000001"));
        for (byte[] other :
            List.of(
                flipped,
                Arrays.copyOf(content, content.length - 1),
                Arrays.copyOf(content, content.length + 1),
                name.equals("points/000002") ? flipped : old,
                whole(before))) {
          memory.put(name, ByteBuffer.wrap(other));
          if (!Arrays.equals(other, content)) {
            named(backup, name);
          }
        }
        if (!name.startsWith("points/")) {
          memory.delete(List.of(name));
          named(backup, name);
        }
        memory.put(name, ByteBuffer.wrap(content));
        before = name;
      }
      memory.delete(List.of(needed.get(0)));
      assertThatThrownBy(() -> roram.restore(backup, 2, true, bytes -> {}))
          .isInstanceOf(IntegrityException.class);
      assertThat(all()).isEqualTo(model);
      // The point before in the place of this one.
      memory.put("points/000002", ByteBuffer.wrap(whole("points/000001")));
      assertThatThrownBy(() -> backup.verify(2, Key.of(secret), bytes -> {}))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("is that of point 1");
    }
  }

  /** An engine that answers otherwise the first time, or later, than what it was given. */
  private final class Lying extends FilterObjectSpace {
    private final String name;
    private final byte[][] answers;
    private int asked;

    /** The answers for what ends so, of which the last one is given again. */
    Lying(String name, byte[]... answers) {
      super(memory.another());
      this.name = name;
      this.answers = answers;
    }

    @Override
    public int read(String object, long offset, ByteBuffer to) throws IOException {
      if (!object.endsWith(name)) {
        return delegate.read(object, offset, to);
      }
      byte[] answer = answers[Math.min(asked++, answers.length - 1)];
      int count = (int) Math.min(to.remaining(), answer.length - offset);
      to.put(answer, (int) offset, count);
      return count;
    }
  }

  private void takeTwo() throws IOException {
    for (int point = 1; point <= 2; point++) {
      write(60);
      try (Backup backup = in(memory.another())) {
        roram.backUp(backup, 2, bytes -> {});
      }
    }
  }

  private byte[] of(int point, String file) {
    return whole("moments/" + new String(whole("points/00000" + point), US_ASCII) + "/" + file);
  }

  @Test
  void theTextThatIsAuthenticatedIsTheOneThatIsUsed() throws IOException {
    takeTwo();
    byte[] genuine = of(2, "point/0");
    String forged = new String(of(1, "point/0"), US_ASCII).replace("point 1\n", "point 2\n");
    memory.put("points/000002", ByteBuffer.wrap(whole("points/000001")));
    try (Backup backup = in(new Lying("/point/0", forged.getBytes(US_ASCII), genuine))) {
      assertThatThrownBy(() -> backup.verify(2, Key.of(secret), bytes -> {}))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("point of ");
    }
  }

  @Test
  void aRecordThatIsAnotherOnceItWasCheckedIsNotRestored() throws IOException {
    takeTwo();
    try (Backup backup = in(new Lying("/state/0", of(2, "state/0"), of(1, "state/0")))) {
      roram.delete();
      assertThatThrownBy(() -> roram.restore(backup, 2, false, bytes -> {}))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("state.record of ");
    }
  }

  /** Of what is read as a whole, and of what is read piece by piece. */
  @ParameterizedTest
  @ValueSource(strings = {"/point/", "/superblock/", "/key/", "/state/"})
  void aFileWithoutEndIsRefused(String file) throws IOException {
    takeTwo();
    ObjectSpace endless =
        new FilterObjectSpace(memory.another()) {
          @Override
          public int read(String object, long offset, ByteBuffer to) throws IOException {
            boolean more = object.contains(file) && !object.endsWith(file + "0");
            int count = more ? 0 : delegate.read(object, offset, to);
            if (object.contains(file)) {
              count += to.remaining();
              to.position(to.limit());
            }
            return count;
          }
        };
    try (Backup backup = in(endless)) {
      assertThatThrownBy(() -> backup.verify(2, Key.of(secret), bytes -> {}))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining(file.substring(1, file.length() - 1));
    }
  }

  /** What is authenticated is what the client wrote, not what the engine says it has. */
  @ParameterizedTest
  @ValueSource(strings = {"superblock/0", "state/0"})
  void whatIsAnotherAsSoonAsItIsWrittenIsNamed(String file) throws IOException {
    takeTwo();
    byte[] older = of(1, file);
    if (file.startsWith("superblock")) {
      older[2000] ^= 1;
    }
    ObjectSpace hostile =
        new FilterObjectSpace(memory.another()) {
          @Override
          public void put(String name, ByteBuffer bytes) throws IOException {
            delegate.put(name, name.endsWith("/" + file) ? ByteBuffer.wrap(older) : bytes);
          }
        };
    write(20);
    try (Backup backup = in(hostile)) {
      assertThat(roram.backUp(backup, 3, bytes -> {}).number()).isEqualTo(3);
      assertThatThrownBy(() -> backup.verify(3, Key.of(secret), bytes -> {}))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining(file.substring(0, file.length() - 2));
      backup.verify(2, Key.of(secret), bytes -> {});
    }
  }

  /** Names that an engine invents do not fill the memory of whoever has it list them. */
  @ParameterizedTest
  @ValueSource(strings = {"pieces/", "moments/", "points/"})
  void namesWithoutEndAreRefused(String folder) throws IOException {
    int nameBytes = 1 << 22;
    long most = Runtime.getRuntime().maxMemory() / nameBytes / 4;
    ObjectSpace inventive =
        new FilterObjectSpace(memory.another()) {
          private long listed;

          @Override
          public List<String> list(String prefix, String after) throws IOException {
            if (!prefix.equals(folder) || listed == most) {
              return delegate.list(prefix, after);
            }
            return List.of(folder + String.format("%09d", listed++) + "x".repeat(nameBytes));
          }
        };
    try (Backup backup = in(inventive)) {
      assertThatThrownBy(() -> roram.backUp(backup, 1, bytes -> {}))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContainingAll("more names in " + folder, "-Xmx");
    }
    assertThat(memory.list("", "")).isEmpty();
  }

  /** A place that takes its time, as an engine may, does not stop them. */
  @Test
  void accessesDoNotWaitForTheTextsOfEarlierPoints() throws IOException {
    takeTwo();
    try (Oram oram = roram.open()) {
      ObjectSpace slow =
          new FilterObjectSpace(memory.another()) {
            @Override
            public int read(String object, long offset, ByteBuffer to) throws IOException {
              if (object.endsWith("/point/0")) {
                oram.async()
                    .read(0, 1, ByteBuffer.allocate(BLOCK_BYTES))
                    .orTimeout(10, SECONDS)
                    .join();
              }
              return delegate.read(object, offset, to);
            }
          };
      try (Backup backup = in(slow)) {
        String uri = "file:" + directory.resolve("store");
        assertThat(backup.take(oram, uri, 3, bytes -> {}).number()).isEqualTo(3);
      }
    }
  }

  /** Else a volume for it would be made of another size, or none. */
  @Test
  void anyNumberOfPointsCanBeKept() {
    assertThat(Backup.roomBytes(2, 100)).isEqualTo(300);
    assertThat(VolumeObjects.capacityFor(Backup.roomBytes(Integer.MAX_VALUE, 1L << 40)))
        .isGreaterThan(Long.MAX_VALUE / 2);
  }

  @Test
  void aStoreThatIsMadeWhereOneIsRestoredStays() throws IOException {
    takeTwo();
    roram.delete();
    ObjectSpace slow =
        new FilterObjectSpace(memory.another()) {
          @Override
          public int read(String object, long offset, ByteBuffer to) throws IOException {
            if (!roram.exists()) {
              roram.create(config("local")).close();
            }
            return delegate.read(object, offset, to);
          }
        };
    try (Backup backup = in(slow)) {
      assertThatThrownBy(() -> roram.restore(backup, 2, false, bytes -> {}))
          .isInstanceOf(FileAlreadyExistsException.class);
    }
    assertThat(all()).containsOnly(0);
  }

  private static List<String> names(BackupPoint point) {
    return point.pieces().values().stream().flatMap(List::stream).toList();
  }

  /** As one that another client adds meanwhile, and of which something is missing. */
  @Test
  void thePointThatWasVerifiedIsTheOneThatIsRestored() throws IOException {
    takeTwo();
    byte[] then = model.clone();
    write(20);
    try (Backup backup = in(memory.another())) {
      roram.backUp(backup, 9, bytes -> {});
      Set<String> newest = new TreeSet<>(names(backup.point(3)));
      newest.removeAll(names(backup.point(2)));
      memory.delete(
          newest.stream().map(piece -> "pieces/" + piece.replace('_', '/') + "/0").toList());
    }
    ObjectSpace growing =
        new FilterObjectSpace(memory.another()) {
          private int lists;

          @Override
          public List<String> list(String prefix, String after) throws IOException {
            List<String> names = new ArrayList<>(delegate.list(prefix, after));
            if (prefix.equals("points/")) {
              lists += after.isEmpty() ? 1 : 0;
              names.removeIf(name -> lists == 1 && name.equals("points/000003"));
            }
            return names;
          }
        };
    try (Backup backup = in(growing)) {
      assertThat(roram.restore(backup, 0, true, bytes -> {}).number()).isEqualTo(2);
    }
    assertThat(all()).isEqualTo(then);
  }

  private static String nameIn(String object) {
    return object.replaceFirst("moments/[0-9a-f-]{36}/", "");
  }

  private byte[] whole(String name) {
    try {
      return memory.readWhole(name, 1 << 20);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
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
