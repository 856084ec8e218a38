package io.github.roram.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.object.NoSuchObjectException;
import io.github.roram.object.ObjectSelfTest;
import io.github.roram.object.ObjectSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@link ObjectSpace}: the test of an engine extends it, and opens spaces
 * without objects.
 */
public abstract class ObjectSpaceContract {

  private static final int STEPS = 60;

  private ObjectSpace space;

  /** Creates the contract, for tests of engines. */
  protected ObjectSpaceContract() {}

  /** Returns a space without objects, which this class closes. */
  protected abstract ObjectSpace newSpace() throws IOException;

  /** Opens a space for the next test. */
  @BeforeEach
  protected final void openSpace() throws IOException {
    space = newSpace();
  }

  /** Closes it. */
  @AfterEach
  protected final void closeSpace() throws IOException {
    space.close();
  }

  private static ByteBuffer bytes(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  /** Exactly one of several clients wins, and gets the same answer again. */
  @Test
  void passesTheSelfTest() throws IOException {
    ObjectSelfTest.run(space, "self");
    assertThat(space.list("", "")).isEmpty();
  }

  /** Whatever is done, the space has the content that a map would have. */
  @Test
  void holdsWhatAMapHolds() throws IOException {
    Random random = new Random(1);
    SortedMap<String, ByteBuffer> model = new TreeMap<>();
    List<String> used = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      String name = "m/" + (char) ('a' + random.nextInt(3)) + "/" + step;
      ByteBuffer content = bytes(random.nextInt(300), step);
      if (random.nextBoolean()) {
        space.put(name, content);
      } else {
        assertThat(space.createOnce(name, content)).isTrue();
      }
      assertThat(content.position()).isZero();
      model.put(name, content);
      used.add(name);
      if (random.nextInt(4) == 0) {
        String gone = used.get(random.nextInt(used.size()));
        space.delete(List.of(gone, "m/never-there"));
        model.remove(gone);
      }
      if (step % 10 == 9) {
        check(model, used);
      }
    }
  }

  private void check(SortedMap<String, ByteBuffer> model, List<String> used) throws IOException {
    List<String> listed = new ArrayList<>();
    space.forEach("m/", "", listed::add);
    assertThat(listed).isEqualTo(List.copyOf(model.keySet()));
    String name = used.get(used.size() / 2);
    ByteBuffer content = model.get(name);
    if (content == null) {
      assertThatThrownBy(() -> space.readWhole(name, 10))
          .isInstanceOf(NoSuchObjectException.class)
          .hasMessageContaining(name);
    } else {
      assertThat(ByteBuffer.wrap(space.readWhole(name, 1000))).isEqualTo(content);
    }
  }

  /** Reads any part of an object, and nothing beyond its end. */
  @Test
  void readsParts() throws IOException {
    ByteBuffer content = bytes(10_000, 1);
    space.put("parts", content);
    for (int[] part : new int[][] {{0, 1}, {1, 9_999}, {4_000, 2_000}, {9_999, 1}, {9_990, 50}}) {
      ByteBuffer to = ByteBuffer.allocate(part[1] + 7).position(7);
      int there = Math.min(part[1], 10_000 - part[0]);
      assertThat(space.read("parts", part[0], to)).isEqualTo(there);
      assertThat(to.position()).isEqualTo(7 + there);
      assertThat(to.slice(7, there)).isEqualTo(content.slice(part[0], there));
    }
    assertThat(space.read("parts", 10_000, ByteBuffer.allocate(5))).isZero();
    assertThat(space.read("parts", 1L << 40, ByteBuffer.allocate(5))).isZero();
    assertThat(space.read("parts", 3, ByteBuffer.allocate(0))).isZero();
    space.put("empty", bytes(0, 1));
    assertThat(space.readWhole("empty", 5)).isEmpty();
  }

  /** A missing object is reported, and leaves the buffer as it was. */
  @Test
  void tellsWhatIsMissing() {
    ByteBuffer to = ByteBuffer.allocate(10).position(3);
    assertThatThrownBy(() -> space.read("none", 0, to)).isInstanceOf(NoSuchObjectException.class);
    assertThatThrownBy(() -> space.read("none", 0, ByteBuffer.allocate(0)))
        .isInstanceOf(NoSuchObjectException.class);
    assertThat(to.position()).isEqualTo(3);
  }

  /** Contents differ even if one is part of the other. */
  @Test
  void createsOnce() throws IOException {
    ByteBuffer first = bytes(500, 1);
    assertThat(space.createOnce("slot", first)).isTrue();
    assertThat(space.createOnce("slot", bytes(500, 2))).isFalse();
    assertThat(space.createOnce("slot", first.slice(0, 499))).isFalse();
    assertThat(space.createOnce("slot", bytes(501, 1))).isFalse();
    assertThat(space.createOnce("slot", bytes(0, 1))).isFalse();
    assertThat(space.createOnce("slot", first)).isTrue();
    assertThat(ByteBuffer.wrap(space.readWhole("slot", 1000))).isEqualTo(first);
  }

  /** Lists in the order of characters, for any prefix, after any name. */
  @Test
  void listsInOrder() throws IOException {
    List<String> names = List.of("l-1", "l/0", "l/0-a", "l/a-b/c", "l/a/b", "l/a0", "l0", "m");
    for (int i = names.size() - 1; i >= 0; i--) {
      space.put(names.get(i), bytes(1, i));
    }
    assertThat(space.list("", "")).isEqualTo(names);
    assertThat(space.list("l/", "")).isEqualTo(names.subList(1, 6));
    assertThat(space.list("l/a", "")).isEqualTo(names.subList(3, 6));
    assertThat(space.list("l/", "l/0")).isEqualTo(names.subList(2, 6));
    assertThat(space.list("l/", "a")).isEqualTo(names.subList(1, 6));
    assertThat(space.list("l/", "l/a-c")).isEqualTo(names.subList(4, 6));
    assertThat(space.list("l/", "z")).isEmpty();
    assertThat(space.list("n", "")).isEmpty();
  }

  /** Invalid names and lengths are refused, and nothing is changed. */
  @Test
  void refusesWhatCannotBe() throws IOException {
    for (String name : List.of("", "/a", "a/", "a//b", "A", "a.b", "..", "a".repeat(201))) {
      assertThatThrownBy(() -> space.put(name, bytes(1, 1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("\"" + name + "\"");
      assertThatThrownBy(() -> space.createOnce(name, bytes(1, 1)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> space.createOnce("a", ByteBuffer.allocate((1 << 20) + 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(String.valueOf((1 << 20) + 1));
    assertThat(space.list("", "")).isEmpty();
  }

  /** An interrupt aborts nothing, and stays set. */
  @Test
  void keepsAnInterrupt() throws IOException {
    Thread.currentThread().interrupt();
    try {
      space.put("calm", bytes(100, 1));
      assertThat(space.createOnce("once", bytes(100, 2))).isTrue();
      assertThat(space.readWhole("calm", 200)).hasSize(100);
      assertThat(space.list("", "")).hasSize(2);
      space.delete(List.of("calm", "once"));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  /** A closed space does nothing more, and may be closed again. */
  @Test
  void closesOnce() throws IOException {
    space.close();
    space.close();
    assertThatThrownBy(() -> space.put("a", bytes(1, 1)))
        .isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> space.createOnce("a", bytes(1, 1)))
        .isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> space.readWhole("a", 1)).isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> space.list("", "")).isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> space.delete(List.of("a"))).isInstanceOf(ClosedChannelException.class);
  }
}
