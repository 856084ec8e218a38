package io.github.roram.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelSource;
import io.github.roram.engine.RepeatedRead;
import io.github.roram.open.Orams;
import io.github.roram.session.AsyncView;
import io.github.roram.session.OpenOram;
import io.github.roram.session.StoreOpening;
import io.github.roram.store.ClientVault;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of calls under way when the store fails, made by hand. */
final class OverlapFailuresTest extends OverlapByHand {

  private static final int IN_FLIGHT = 10;

  private AsyncView oram;

  private static OpenOptions options() {
    return OpenOptions.defaults().withDurability(Durability.OS).withInFlight(IN_FLIGHT);
  }

  @BeforeEach
  void create() throws IOException {
    oram = new AsyncView(opening().create(config(), options()));
  }

  private void settle() {
    settle(oram);
  }

  private CompletableFuture<Void> write(int block, int content) {
    ByteBuffer data = ByteBuffer.allocate(BLOCK_BYTES);
    data.putInt(0, content);
    return oram.write(block, data);
  }

  private int read(int block) {
    ByteBuffer data = ByteBuffer.allocate(BLOCK_BYTES);
    oram.read(block, 1, data).join();
    return data.getInt(0);
  }

  private HeldStore.Held first() {
    settle();
    return store.takeAt(0);
  }

  @Test
  void aReadThatFailsIsAskedForAgainTheSame() throws IOException {
    write(1, 7).join();
    store.hold(IoPhase.READ);
    ByteBuffer data = ByteBuffer.allocate(BLOCK_BYTES);
    CompletableFuture<Void> answer = oram.read(1, 1, data);
    List<List<Long>> asked = new ArrayList<>();
    for (int tries = 1; tries < RepeatedRead.TRIES; tries++) {
      HeldStore.Held held = first();
      asked.add(held.extents());
      held.fail();
    }
    HeldStore.Held last = first();
    assertThat(asked).allMatch(last.extents()::equals);
    last.letThrough();
    answer.join();
    assertThat(data.getInt(0)).isEqualTo(7);
    store.letAllThrough();
    oram.close();
  }

  /** The bytes are its own, the position and limit too; the store is everyone's. */
  @Test
  void aCallerThatUsesItsBufferBeforeItHasTheAnswerHarmsNobody() throws IOException {
    write(1, 7).join();
    write(2, 8).join();
    store.hold(IoPhase.READ);
    ByteBuffer target = ByteBuffer.allocate(BLOCK_BYTES);
    CompletableFuture<Void> read = oram.read(1, 1, target);
    ByteBuffer source = ByteBuffer.allocate(BLOCK_BYTES).putInt(0, 9);
    CompletableFuture<Void> written = oram.write(2, source);
    settle();
    target.limit(0);
    source.limit(0);
    store.letAllThrough();
    Stream.of(read, written).forEach(answer -> answer.handle((done, failed) -> done).join());
    write(3, 10).join();
    // As after a crash.
    try (OpenOram again = opening().open(config(), options())) {
      assertThat(again.read(1, 1).getInt(0)).isEqualTo(7);
      assertThat(again.read(2, 1).getInt(0)).isIn(8, 9);
      assertThat(again.read(3, 1).getInt(0)).isEqualTo(10);
    }
  }

  /** One whose blocks another read brings is not wanted, but shown: it looks as others do. */
  @Test
  void aFakeReadThatFailsIsAskedForAgainTheSame() throws IOException {
    write(1, 7).join();
    store.hold(IoPhase.READ);
    CompletableFuture<Void> unused = oram.read(1, 1, ByteBuffer.allocate(BLOCK_BYTES));
    CompletableFuture<Void> fake = oram.read(1, 1, ByteBuffer.allocate(BLOCK_BYTES));
    settle();
    assertThat(oram.overlapStats().fakeReads()).isOne();
    HeldStore.Held failing = store.takeAt(1);
    failing.fail();
    settle();
    HeldStore.Held again = store.takeAt(1);
    assertThat(again.extents()).isEqualTo(failing.extents());
    again.letThrough();
    store.letAllThrough();
    fake.join();
    oram.close();
  }

  @Test
  void aReadThatIsGivenUpTakesThoseBehindItWithIt() throws IOException {
    write(1, 1).join();
    write(2, 2).join();
    write(3, 3).join();
    store.hold(IoPhase.READ);
    CompletableFuture<Void> before = write(1, 10);
    CompletableFuture<Void> failing = write(2, 20);
    CompletableFuture<Void> behind = write(3, 30);
    settle();
    List<List<Long>> shown = store.reads().subList(3, 6);
    store.takeAt(0).letThrough();
    store.takeAt(1).letThrough();
    for (int tries = 0; tries < RepeatedRead.TRIES; tries++) {
      assertThat(behind).isNotDone();
      first().fail();
    }
    before.join();
    assertThatThrownBy(failing::join).hasMessageContaining("injected");
    assertThatThrownBy(behind::join).hasMessageContaining("given up");

    store.holdNothing();
    assertThat(store.repeated()).isEmpty();
    store.failRepeatsAfter(1);
    assertThatThrownBy(() -> read(1)).hasMessageContaining("repeated read failed");
    assertThat(store.repeated()).isEqualTo(shown.subList(1, 3));
    store.failRepeatsAfter(10);
    assertThat(read(1)).isEqualTo(10);
    assertThat(store.repeated().subList(2, 3)).isEqualTo(shown.subList(2, 3));
    assertThat(store.repeated()).hasSize(3);
    assertThat(read(2)).as("a write that failed").isEqualTo(2);
    assertThat(read(3)).isEqualTo(3);
    oram.close();
  }

  /** Nothing is begun before the store has answered what was under way. */
  @Test
  void theNextCallWaitsForWhatIsUnderWay() throws IOException {
    write(1, 1).join();
    store.hold(IoPhase.READ);
    CompletableFuture<Void> failing = write(2, 20);
    CompletableFuture<Void> behind = write(3, 30);
    settle();
    HeldStore.Held late = store.takeAt(1);
    for (int tries = 0; tries < RepeatedRead.TRIES; tries++) {
      first().fail();
    }
    assertThatThrownBy(behind::join).hasMessageContaining("given up");
    assertThat(failing).isCompletedExceptionally();
    CompletableFuture<Void> next = write(1, 5);
    settle();
    assertThat(store.repeated()).isEmpty();
    assertThat(next).isNotDone();
    store.holdNothing();
    late.letThrough();
    next.join();
    assertThat(store.repeated()).hasSize(2);
    assertThat(read(1)).isEqualTo(5);
    oram.close();
  }

  @Test
  void whatIsPendingAtACrashIsMadeAgainInOrder() throws IOException {
    for (int block = 0; block < 50; block++) {
      write(block, block).join();
    }
    settle();
    store.hold(IoPhase.READ);
    int before = store.reads().size();
    for (int i = 0; i < IN_FLIGHT; i++) {
      assertThat(write(i / 2, 99)).isNotDone();
    }
    settle();
    List<List<Long>> shown = store.reads().subList(before, before + IN_FLIGHT);
    OpenOram again =
        new StoreOpening(store, vault, key, LabelSource.secure()).open(config(), options());
    assertThat(again.recovery().pendingRead()).isTrue();
    again.completeRecovery();
    assertThat(store.repeated()).isEqualTo(shown);
    for (int block = 0; block < 50; block++) {
      assertThat(again.read(block, 1).getInt(0)).isEqualTo(block);
    }
    assertThat(again.verify((done, total) -> {}).findings()).isEmpty();
    again.close();
  }

  @Test
  void callsAfterTheEndFail() throws IOException {
    write(1, 1).join();
    oram.close();
    assertThatThrownBy(() -> write(1, 2).join()).hasCauseInstanceOf(ClosedChannelException.class);
    oram.close();
  }

  @Test
  void schemesThatCannotOverlapMakeOneAfterAnother() throws IOException {
    OramConfig path = OramConfig.builder(100).scheme("path").maxRangeBlocks(1).build();
    HeldStore other = new HeldStore(Orams.storeBytes(path));
    OpenOptions options = options().withDurability(Durability.NONE);
    try (AsyncOram one = Orams.create(other, ClientVault.inMemory(), path, key, options).async()) {
      ByteBuffer written = ByteBuffer.allocate(path.blockBytes()).put(0, (byte) 5);
      ByteBuffer read = ByteBuffer.allocate(path.blockBytes());
      CompletableFuture<Void> first = one.write(1, written);
      one.read(1, 1, read).join();
      assertThat(first).isCompleted();
      assertThat(read.get(0)).isEqualTo((byte) 5);
    }
  }
}
