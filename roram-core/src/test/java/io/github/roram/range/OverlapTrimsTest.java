package io.github.roram.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.engine.RepeatedRead;
import io.github.roram.session.AsyncView;
import io.github.roram.session.OpenOram;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Trims among accesses that are under way, in the order of the calls; made by hand. */
final class OverlapTrimsTest extends OverlapByHand {

  private static final int IN_FLIGHT = 4;
  private static final int MOST = 32;

  private AsyncView oram;

  private static OpenOptions options() {
    return OpenOptions.defaults()
        .withDurability(Durability.OS)
        .withInFlight(IN_FLIGHT)
        .withTrims(true);
  }

  @BeforeEach
  void create() throws IOException {
    oram = new AsyncView(opening().create(config(), options()));
  }

  private void settle() {
    settle(oram);
  }

  private CompletableFuture<Void> write(int block, int content) {
    byte[] data = new byte[BLOCK_BYTES];
    Arrays.fill(data, (byte) content);
    return oram.write(block, ByteBuffer.wrap(data));
  }

  /** A read that was called. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Called(CompletableFuture<Void> answer, byte[] data) {

    /** What all bytes of the block are. */
    int content() {
      answer.join();
      byte[] same = new byte[data.length];
      Arrays.fill(same, data[0]);
      assertThat(data).isEqualTo(same);
      return data[0];
    }
  }

  private Called read(int block) {
    byte[] data = new byte[BLOCK_BYTES];
    return new Called(oram.read(block, 1, ByteBuffer.wrap(data)), data);
  }

  @Test
  void aTrimAfterAWriteThatIsUnderWay() throws IOException {
    store.hold(IoPhase.READ);
    CompletableFuture<Void> written = write(1, 7);
    CompletableFuture<Boolean> trimmed = oram.trim(1, 1);
    settle();
    assertThat(written).isNotDone();
    assertThat(trimmed).as("the write comes before it").isNotDone();
    store.letAllThrough();
    assertThat(trimmed.join()).isTrue();
    assertThat(read(1).content()).isZero();
    oram.close();
  }

  @Test
  void aWriteAfterATrimThatIsUnderWay() throws IOException {
    write(1, 7).join();
    store.hold(IoPhase.READ);
    CompletableFuture<Void> before = write(2, 1);
    CompletableFuture<Boolean> trimmed = oram.trim(1, 1);
    ByteBuffer half = ByteBuffer.allocate(BLOCK_BYTES / 2);
    Arrays.fill(half.array(), (byte) 9);
    CompletableFuture<Void> updated = oram.update(BLOCK_BYTES, half);
    settle();
    assertThat(List.of(before.isDone(), trimmed.isDone(), updated.isDone())).containsOnly(false);
    store.letAllThrough();
    Called read = read(1);
    read.answer().join();
    byte[] expected = new byte[BLOCK_BYTES];
    Arrays.fill(expected, 0, BLOCK_BYTES / 2, (byte) 9);
    assertThat(read.data()).as("the other half is what the trim left").isEqualTo(expected);
    oram.close();
  }

  @Test
  void aTrimBetweenTwoReads() throws IOException {
    write(1, 7).join();
    store.hold(IoPhase.READ);
    Called first = read(1);
    CompletableFuture<Boolean> trimmed = oram.trim(0, 100);
    Called second = read(1);
    settle();
    // The second is there before the first.
    store.takeAt(1).letThrough();
    settle();
    assertThat(trimmed).isNotDone();
    store.letAllThrough();
    assertThat(first.content()).isEqualTo(7);
    assertThat(second.content()).isZero();
    oram.close();
  }

  /** Nor do accesses wait for them: as many reads are under way as without. */
  @Test
  void trimsTakeNoRoomOfAccesses() throws IOException {
    write(1, 7).join();
    settle();
    int before = store.reads().size();
    store.hold(IoPhase.READ);
    List<CompletableFuture<Boolean>> trims = new ArrayList<>();
    for (int i = 0; i < IN_FLIGHT; i++) {
      CompletableFuture<Void> unused = write(i, i);
      for (int trim = 0; trim < MOST / IN_FLIGHT; trim++) {
        trims.add(oram.trim(50 + trim, 1));
      }
    }
    settle();
    assertThat(store.reads()).hasSize(before + IN_FLIGHT);
    assertThat(trims).noneMatch(CompletableFuture::isDone);
    assertThat(oram.trim(5, 1)).as("beyond the room for trims").isCompletedWithValue(false);
    store.letAllThrough();
    assertThat(trims).allMatch(CompletableFuture::join);
    oram.close();
  }

  @Test
  void aFlushMakesRoomForTrims() throws IOException {
    write(1, 7).join();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < MOST; i++) {
        assertThat(oram.trim(i, 1).join()).isTrue();
      }
      assertThat(oram.trim(1, 1).join()).isFalse();
      oram.flush().join();
    }
    assertThat(oram.trim(1, 1).join()).isTrue();
    oram.close();
  }

  @Test
  void aTrimBehindAReadThatIsGivenUp() throws IOException {
    write(1, 7).join();
    store.hold(IoPhase.READ);
    Called failing = read(2);
    CompletableFuture<Boolean> trimmed = oram.trim(1, 1);
    for (int tries = 0; tries < RepeatedRead.TRIES; tries++) {
      settle();
      store.takeAt(0).fail();
    }
    assertThatThrownBy(failing.answer()::join).hasMessageContaining("injected");
    assertThatThrownBy(trimmed::join).hasMessageContaining("given up");
    store.holdNothing();
    assertThat(read(1).content()).isEqualTo(7);
    oram.close();
  }

  /** What a crash left is made again by the first access, not by a trim. */
  @Test
  void theFirstCallIsATrim() throws IOException {
    write(1, 7).join();
    store.hold(IoPhase.READ);
    CompletableFuture<Void> unused = write(2, 8);
    settle();
    OpenOram again = opening().open(config(), options());
    assertThat(again.recovery().pendingRead()).isTrue();
    AsyncView opened = new AsyncView(again);
    int asked = store.asked().size();
    assertThat(opened.trim(1, 1).join()).isTrue();
    assertThat(store.repeated()).isEmpty();
    assertThat(store.asked()).hasSize(asked);
    store.holdNothing();
    byte[] found = new byte[] {1};
    opened.readBytes(BLOCK_BYTES, 1, ByteBuffer.wrap(found)).join();
    assertThat(found[0]).isZero();
    assertThat(store.repeated()).hasSize(1);
    opened.close();
  }

  @Test
  void badArgumentsAreRefused() throws IOException {
    assertThatThrownBy(() -> oram.trim(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> oram.trim(100, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> oram.trim(0, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    write(1, 1).join();
    oram.close();
    OpenOptions without = options().withTrims(false);
    try (AsyncView other = new AsyncView(opening().open(config(), without))) {
      assertThatThrownBy(() -> other.trim(0, 1))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("withTrims");
    }
    assertThat(oram.trim(0, 1)).isCompletedExceptionally();
  }
}
