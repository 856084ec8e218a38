package io.github.roram.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.Oram;
import io.github.roram.object.FilterObjectSpace;
import io.github.roram.object.ObjectSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What an engine that keeps backups may change, invent or hold back; {@link HostileBackupTest}
 * first.
 */
@Tag("gate")
final class HostileObjectsTest extends BackupFixture {

  @BeforeEach
  void create() throws IOException {
    create("local");
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
}
