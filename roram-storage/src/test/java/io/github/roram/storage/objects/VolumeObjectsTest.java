package io.github.roram.storage.objects;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.object.NoSuchObjectException;
import io.github.roram.object.ObjectSpace;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.Crc32c;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreFullException;
import io.github.roram.store.UnitSink;
import io.github.roram.testkit.FaultyStore;
import io.github.roram.testkit.ObjectSpaceContract;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class VolumeObjectsTest extends ObjectSpaceContract {

  private static final int LONG_BYTES = 1_000_000;

  private final FaultyStore store =
      new FaultyStore(new MemoryStore(VolumeObjects.capacityFor(LONG_BYTES)));

  @Override
  protected ObjectSpace newSpace() throws IOException {
    return VolumeObjects.in(new MemoryStore(VolumeObjects.capacityFor(0)));
  }

  private static ByteBuffer noise(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  private static boolean has(ObjectSpace space, String name, ByteBuffer content)
      throws IOException {
    if (!space.list(name, "").contains(name)) {
      return false;
    }
    assertThat(ByteBuffer.wrap(space.readWhole(name, LONG_BYTES + 1))).isEqualTo(content);
    return true;
  }

  /** Wherever a put or a delete fails, an object is there as a whole or not at all. */
  @Test
  void whatFailedLeavesWholeObjectsAndTakesNoRoom() throws IOException {
    ByteBuffer kept = noise(LONG_BYTES);
    ByteBuffer torn = noise(LONG_BYTES - 1);
    VolumeObjects.in(store).put("kept", kept);
    int failed = 0;
    for (int call = 1; failed == call - 1; call++) {
      ObjectSpace space = VolumeObjects.in(store);
      store.tearNthWrite(call, 10);
      try {
        space.put("torn", torn);
      } catch (IOException e) {
        failed++;
      }
      store.disarm();
      ObjectSpace again = VolumeObjects.in(store);
      assertThat(has(again, "kept", kept)).isTrue();
      assertThat(has(again, "torn", torn)).isEqualTo(failed < call);
    }
    // A write for each of four slots, and for each of their entries.
    assertThat(failed).isEqualTo(8);
    ObjectSpace space = VolumeObjects.in(store);
    store.failNthWrite(3);
    assertThatThrownBy(() -> space.delete(List.of("torn"))).isInstanceOf(IOException.class);
    ObjectSpace again = VolumeObjects.in(store);
    assertThat(again.list("", "")).containsExactly("kept");
    assertThat(has(again, "kept", kept)).isTrue();
  }

  private interface Arm {
    void at(FaultyStore store);
  }

  /** Of one slot: its content and a sync, its entry and a sync. */
  private static Stream<Arm> failuresWhoseEntryIsWritten() {
    return Stream.of(
        faulty -> faulty.failNthSync(2), faulty -> faulty.tearNthWrite(2, Integer.MAX_VALUE));
  }

  @ParameterizedTest
  @MethodSource("failuresWhoseEntryIsWritten")
  void whatFailedHasNoOthersContent(Arm failure) throws IOException {
    ObjectSpace space = VolumeObjects.in(store);
    failure.at(store);
    assertThatThrownBy(() -> space.put("failed", noise(100))).isInstanceOf(IOException.class);
    assertThat(space.list("", "")).isEmpty();
    store.failNthWrite(2);
    assertThatThrownBy(() -> space.put("other", noise(101))).isInstanceOf(IOException.class);
    ObjectSpace again = VolumeObjects.in(store);
    assertThat(has(again, "failed", noise(100))).isTrue();
    assertThat(has(again, "other", noise(101))).isFalse();
  }

  @ParameterizedTest
  @MethodSource("failuresWhoseEntryIsWritten")
  void whatFailedCanBePutAgainAndDeleted(Arm failure) throws IOException {
    ObjectSpace space = VolumeObjects.in(store);
    for (boolean again : new boolean[] {false, true}) {
      failure.at(store);
      assertThatThrownBy(() -> space.put("failed", noise(100))).isInstanceOf(IOException.class);
      if (again) {
        space.put("failed", noise(100));
        assertThat(has(VolumeObjects.in(store), "failed", noise(100))).isTrue();
      }
      space.delete(List.of("failed"));
      assertThat(VolumeObjects.in(store).list("", "")).isEmpty();
    }
  }

  @Test
  void whenItIsFullNothingIsLostAndDeletingMakesRoom() throws IOException {
    MemoryStore small = new MemoryStore(5_300_000);
    ObjectSpace space = VolumeObjects.in(small);
    int count = 0;
    try {
      for (; ; count++) {
        space.put("n/" + count, noise(count));
      }
    } catch (StoreFullException e) {
      assertThat(e).hasMessageContaining("larger volume");
    }
    // Of 256 KiB, and an entry each.
    assertThat(count).isEqualTo(20);
    ObjectSpace again = VolumeObjects.in(small);
    assertThat(has(again, "n/19", noise(19))).isTrue();
    again.delete(List.of("n/7"));
    again.put("other", noise(7));
    assertThatThrownBy(() -> again.put("one-more", noise(8)))
        .isInstanceOf(StoreFullException.class);
  }

  /** Else whatever is put next is gone once the volume is opened again. */
  @Test
  void anIdThatNoneCanFollowIsForged() throws IOException {
    VolumeObjects.in(store).put("first", noise(5));
    forge(Long.MAX_VALUE);
    ObjectSpace space = VolumeObjects.in(store);
    assertThat(space.list("", "")).containsExactly("first");
    space.put("kept", noise(7));
    assertThat(has(VolumeObjects.in(store), "kept", noise(7))).isTrue();
  }

  @Test
  void nothingIsPutBehindTheLastId() throws IOException {
    VolumeObjects.in(store).put("first", noise(5));
    forge((1L << 62) - 1);
    ObjectSpace space = VolumeObjects.in(store);
    space.put("kept", noise(7));
    assertThatThrownBy(() -> space.put("lost", noise(7)))
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContaining("4611686018427387904");
    assertThat(has(VolumeObjects.in(store), "kept", noise(7))).isTrue();
  }

  /** An object of an id, as whoever has the volume may write it. */
  private void forge(long id) throws IOException {
    byte[] entry = entry(id, 0);
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.META, ExtentBatch.NO_TREE, entry.length);
    batch.add(4096 + 3 * entry.length, 1);
    store.write(batch, (unit, room) -> room.put(entry));
  }

  private static byte[] entry(long id, int length) {
    byte[] entry = new byte[256];
    ByteBuffer out = ByteBuffer.wrap(entry);
    out.putInt(length).putInt(0).putLong(id).putShort((short) 8).put("points/x".getBytes(US_ASCII));
    out.putInt(Crc32c.of(entry, 0, out.position()));
    return entry;
  }

  /** Whoever has a volume may say that it is large, and that all of it is beginnings of objects. */
  @Test
  void moreObjectsThanThereIsMemoryForAreRefused() throws IOException {
    long capacity = 4096 + (1L << 23) * (256 + (1 << 18));
    int[] read = new int[1];
    BlockStore invented =
        new FilterBlockStore(new MemoryStore(capacity)) {
          @Override
          public void read(ExtentBatch batch, UnitSink sink) throws IOException {
            super.read(
                batch,
                batch.offset(0) < 4096
                    ? sink
                    : (unit, bytes) -> {
                      ByteBuffer forged = ByteBuffer.allocate(bytes.remaining());
                      while (forged.hasRemaining()) {
                        forged.put(entry(++read[0], 16 << 20));
                      }
                      sink.accept(unit, forged.flip());
                    });
          }
        };
    ByteBuffer head = ByteBuffer.allocate(20);
    head.putLong(0x524f52414d4f424aL).putInt((1 << 23) - 1).putInt(1 << 18);
    head.putInt(Crc32c.of(head.array(), 0, 16));
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.META, ExtentBatch.NO_TREE, 20);
    batch.add(0, 1);
    invented.write(batch, (unit, room) -> room.put(head.array()));
    assertThatThrownBy(() -> VolumeObjects.in(invented))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("more objects than fit in", "-Xmx");
    assertThat(read[0]).isPositive();
  }

  @Test
  void whatIsDeletedWhileItIsReadIsNotReadAsAnother() throws IOException {
    ObjectSpace[] space = new ObjectSpace[1];
    boolean[] armed = new boolean[1];
    BlockStore slow =
        new FilterBlockStore(store) {
          @Override
          public void read(ExtentBatch batch, UnitSink sink) throws IOException {
            if (armed[0]) {
              armed[0] = false;
              space[0].delete(List.of("first"));
              space[0].put("other", noise(8));
            }
            super.read(batch, sink);
          }
        };
    space[0] = VolumeObjects.in(slow);
    space[0].put("first", noise(7));
    armed[0] = true;
    assertThatThrownBy(() -> space[0].read("first", 0, ByteBuffer.allocate(7)))
        .isInstanceOf(NoSuchObjectException.class);
  }

  @Test
  void somethingElseIsLeftAlone() throws IOException {
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.META, ExtentBatch.NO_TREE, 8);
    batch.add(0, 1);
    store.write(batch, (unit, room) -> room.putLong(7));
    assertThatThrownBy(() -> VolumeObjects.in(store))
        .isInstanceOf(StoreDamagedException.class)
        .hasMessageContaining("something else");
  }
}
