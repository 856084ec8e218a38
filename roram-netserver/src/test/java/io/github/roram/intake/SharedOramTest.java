package io.github.roram.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.AsyncOram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is passed on to an ORAM that must not have its callers wait, and when. */
@SuppressWarnings("FutureReturnValueIgnored") // what is called is seen below
final class SharedOramTest {

  private static final int MOST = 3;

  private final HeldOram oram = new HeldOram();
  private final SharedOram.Line calls = new SharedOram(oram).newLine();

  /** Answers when a test says. */
  private static final class HeldOram implements AsyncOram {
    private final List<String> made = new CopyOnWriteArrayList<>();
    private final List<CompletableFuture<?>> answers = new CopyOnWriteArrayList<>();

    private <T> CompletableFuture<T> make(String what) {
      CompletableFuture<T> answer = new CompletableFuture<>();
      made.add(what);
      answers.add(answer); // last: who sees it may answer
      return answer;
    }

    private void answer(int number) {
      answers.get(number).complete(null);
    }

    @Override
    public OramConfig config() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int mostUnderWay() {
      return MOST;
    }

    @Override
    public CompletableFuture<Void> readBytes(long offset, int leastBlocks, ByteBuffer target) {
      if (offset < 0) {
        throw new IndexOutOfBoundsException("no such bytes");
      }
      return make("read " + offset);
    }

    @Override
    public CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source) {
      return make("update " + offset);
    }

    @Override
    public CompletableFuture<Boolean> trim(long block, long count) {
      return make("trim " + block);
    }

    @Override
    public CompletableFuture<Void> flush() {
      return make("flush");
    }

    @Override
    public OramStats stats() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  private CompletableFuture<Void> read(long offset) {
    return calls.readBytes(offset, 1, ByteBuffer.allocate(1));
  }

  @Test
  void noMoreThanThereIsRoomForAndTheOthersInTheirOrder() {
    List<CompletableFuture<Void>> ends = Stream.of(0, 1, 2, 3, 4).map(this::read).toList();
    CompletableFuture<Void> flushed = calls.flush();
    assertThat(oram.made).containsExactly("read 0", "read 1", "read 2");
    oram.answer(1);
    assertThat(ends.get(1)).isCompleted();
    assertThat(oram.made).endsWith("read 2", "read 3");
    oram.answer(0);
    oram.answer(2);
    assertThat(oram.made).endsWith("read 3", "read 4", "flush");
    assertThat(read(5)).isNotDone();
    assertThat(oram.made).hasSize(6);
    oram.answer(5);
    assertThat(flushed).isCompleted();
    assertThat(oram.made).endsWith("flush", "read 5");
  }

  @Test
  void trimsTakeNoRoomButKeepTheirPlace() {
    calls.trim(0, 1);
    Stream.of(0, 1, 2).forEach(this::read);
    calls.trim(1, 1);
    read(3);
    calls.trim(2, 1);
    assertThat(oram.made).containsExactly("trim 0", "read 0", "read 1", "read 2", "trim 1");
    oram.answer(4);
    assertThat(oram.made).hasSize(5);
    oram.answer(2);
    assertThat(oram.made).endsWith("read 3", "trim 2");
  }

  /** What ends as it is made, many in a row, takes no stack. */
  @Test
  void whatIsRefusedMakesRoom() {
    Stream.of(0, 1, 2).forEach(this::read);
    List<CompletableFuture<Void>> refused = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      refused.add(read(-1));
    }
    CompletableFuture<Void> last = read(7);
    oram.answer(0);
    assertThat(refused).allMatch(CompletableFuture::isCompletedExceptionally);
    assertThat(oram.made).endsWith("read 7");
    oram.answer(3);
    assertThat(last).isCompleted();
  }

  /** Closing makes its call on a thread of its own, some time after it is seen to have begun. */
  private void awaitMade(int number) {
    while (oram.answers.size() <= number) {
      Thread.onSpinWait();
    }
  }

  @Test
  void drainingWaitsForWhatWasCalled() throws Exception {
    Stream.of(0, 1, 2, 3).forEach(this::read);
    CompletableFuture<Void> drained =
        CompletableFuture.runAsync(
            () -> {
              try {
                calls.close();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    int called = 4;
    CompletableFuture<Void> late = read(9);
    while (!late.isCompletedExceptionally()) {
      called++;
      LockSupport.parkNanos(100_000); // each call waits in line
      late = read(9);
    }
    assertThatThrownBy(late::join).hasCauseInstanceOf(ClosedChannelException.class);
    for (int i = 0; i <= called; i++) { // and the flush that closing makes
      awaitMade(i);
      assertThat(drained).isNotDone();
      oram.answer(i);
    }
    drained.join();
    CompletableFuture<Void> flushed = calls.flush();
    awaitMade(called + 1);
    oram.answer(called + 1);
    assertThat(flushed).isCompleted();
    calls.close();
  }
}
