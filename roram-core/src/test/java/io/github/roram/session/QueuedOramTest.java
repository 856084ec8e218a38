package io.github.roram.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bounds of the queue before an ORAM. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class QueuedOramTest {

  private static final OramConfig CONFIG = OramConfig.builder(64).blockBytes(512).build();

  private final Semaphore accesses = new Semaphore(0);
  private final List<Long> offsets = new CopyOnWriteArrayList<>();
  private final AtomicInteger failingCloses = new AtomicInteger();

  /** Each access waits for the test. */
  private final Oram gated =
      (Oram)
          Proxy.newProxyInstance(
              Oram.class.getClassLoader(),
              new Class<?>[] {Oram.class},
              (proxy, method, arguments) -> {
                switch (method.getName()) {
                  case "config" -> {
                    return CONFIG;
                  }
                  case "readBytes" -> {
                    accesses.acquire();
                    offsets.add((Long) arguments[0]);
                    if ((Integer) arguments[1] > 1) {
                      throw new OutOfMemoryError("injected");
                    }
                    return null;
                  }
                  case "access" -> {
                    accesses.acquire();
                    for (long block : (long[]) arguments[0]) {
                      offsets.add(block);
                    }
                    return null;
                  }
                  case "close" -> {
                    if (failingCloses.getAndDecrement() > 0) {
                      throw new IOException("not yet");
                    }
                    return null;
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                }
              });

  private static ByteBuffer room() {
    return ByteBuffer.allocate(1);
  }

  @Test
  void aCallBeyondTheBoundWaitsForRoom() throws Exception {
    try (QueuedOram oram = new QueuedOram(gated, 2)) {
      CompletableFuture<Void> first = oram.readBytes(1, 1, room());
      List<CompletableFuture<Void>> later = new CopyOnWriteArrayList<>();
      later.add(oram.readBytes(2, 1, room()));
      Thread third = new Thread(() -> later.add(oram.readBytes(3, 1, room())));
      third.start();
      while (third.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      accesses.release();
      first.join();
      third.join();
      accesses.release(2);
    }
    assertThat(offsets).containsExactly(1L, 2L, 3L);
  }

  /** The array is the caller's again once the call has returned. */
  @Test
  void blocksAreThoseOfTheCall() throws IOException {
    try (QueuedOram oram = new QueuedOram(gated, 1)) {
      long[] blocks = {3, 5};
      CompletableFuture<Void> access = oram.access(blocks, 2, pieces -> {});
      blocks[1] = 7;
      accesses.release();
      access.join();
    }
    assertThat(offsets).containsExactly(3L, 5L);
  }

  /** Stages run on the only thread that makes room. */
  @Test
  void stagesOfFuturesDoNotWaitForRoom() throws IOException {
    try (QueuedOram oram = new QueuedOram(gated, 1)) {
      CompletableFuture<Void> last =
          oram.readBytes(1, 1, room())
              .thenCompose(
                  nothing -> {
                    CompletableFuture<Void> unused = oram.readBytes(2, 1, room());
                    return oram.readBytes(3, 1, room());
                  });
      accesses.release(3);
      last.join();
    }
    assertThat(offsets).containsExactly(1L, 2L, 3L);
  }

  /** It knows nothing of the store that could be torn: the ORAM says whether others are made. */
  @Test
  void anErrorFailsOneCallAndNoOther() throws IOException {
    accesses.release(2);
    try (QueuedOram oram = new QueuedOram(gated, 1)) {
      assertThatThrownBy(() -> oram.readBytes(1, 2, room()).join())
          .hasCauseInstanceOf(OutOfMemoryError.class);
      oram.readBytes(2, 1, room()).join();
    }
    assertThat(offsets).containsExactly(1L, 2L);
  }

  @Test
  void isOpenAgainIfItCouldNotBeClosed() throws IOException {
    QueuedOram oram = new QueuedOram(gated, 1);
    failingCloses.set(1);
    assertThatThrownBy(oram::close).hasMessage("not yet");
    accesses.release();
    oram.readBytes(1, 1, room()).join();
    oram.close();
    assertThatThrownBy(() -> oram.readBytes(1, 1, room()).join())
        .hasCauseInstanceOf(ClosedChannelException.class);
  }

  /** Such a call takes no room: the next one would wait for it for ever. */
  @Test
  void aCallThatNoThreadCanBeHadForFails() throws IOException {
    AtomicInteger threads = new AtomicInteger();
    OwnedThreads few =
        new OwnedThreads() {
          @Override
          public Executor serial(String name) {
            Executor made = super.serial(name);
            return task -> {
              if (threads.getAndDecrement() <= 0) {
                throw new RejectedExecutionException("injected: no thread");
              }
              made.execute(task);
            };
          }
        };
    accesses.release();
    try (QueuedOram oram = new QueuedOram(gated, 1, few)) {
      assertThatThrownBy(() -> oram.readBytes(1, 1, room()).join())
          .hasCauseInstanceOf(RejectedExecutionException.class);
      threads.set(2);
      oram.readBytes(2, 1, room()).join();
    }
    assertThat(offsets).containsExactly(2L);
  }
}
