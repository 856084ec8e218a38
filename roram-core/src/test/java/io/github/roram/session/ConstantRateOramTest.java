package io.github.roram.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Accesses at fixed times, by a clock that the test drives. */
class ConstantRateOramTest {

  private static final long PERIOD = 20_000_000;
  private static final int MOST = 4;

  private final HeldOram held = new HeldOram();
  private final ConstantRateOram oram =
      new ConstantRateOram(held, 50, 2, MOST, 1000, new Random(1));

  private long at(long time) {
    return oram.tick(1000 + time * PERIOD);
  }

  @Test
  void everyTimeHasOneAccessOfTheClass() {
    CompletableFuture<Void> read = oram.readBytes(700, 1, ByteBuffer.allocate(10));
    CompletableFuture<Void> write = oram.updateBytes(512, 2, ByteBuffer.allocate(1024));
    for (int time = 0; time < 4; time++) {
      assertThat(at(time)).isEqualTo(1000 + (time + 1) * PERIOD);
      oram.tick(1000 + time * PERIOD + PERIOD / 2); // again, within the same period
    }
    assertThat(held.calls)
        .hasSize(8)
        .startsWith("read 700 of 4", "flush", "write 512 of 4", "flush")
        .element(6, STRING)
        .matches("read \\d+ of 4");
    assertThat(read).isNotDone();
    held.completeAll();
    assertThat(read).isCompleted();
    assertThat(write).isCompleted();
    assertThat(List.of(oram.asked(), oram.dummies(), oram.missed())).containsExactly(2L, 2L, 0L);
  }

  /** The times of accesses are the same whether nobody asks or everybody does. */
  @Test
  void timesDoNotDependOnWhatIsAskedFor() {
    assertThat(times(new Random(1), 0)).isEqualTo(times(new Random(1), 1));
    assertThat(times(new Random(1), 0.4)).isEqualTo(times(new Random(1), 1));
  }

  /** Clock and store go their own ways; requests come with a probability. */
  private static List<String> times(Random world, double asks) {
    HeldOram held = new HeldOram();
    ConstantRateOram oram = new ConstantRateOram(held, 50, 2, MOST, 0, new Random(2));
    Random user = new Random(7);
    List<String> seen = new ArrayList<>();
    long now = 0;
    int underWay = 0;
    for (int step = 0; step < 2000; step++) {
      if (user.nextDouble() < asks && oram.waiting() < MOST) {
        long offset = user.nextInt(100);
        ByteBuffer buffer = ByteBuffer.allocate(1 + user.nextInt(600));
        CompletableFuture<Void> unused =
            user.nextBoolean()
                ? oram.readBytes(offset, 1, buffer)
                : oram.updateBytes(offset, 1, buffer);
      }
      // Sometimes late by several periods.
      now += world.nextInt(10) == 0 ? 3 * PERIOD : world.nextInt((int) PERIOD);
      int before = held.calls.size();
      oram.tick(now);
      underWay += held.calls.size() - before;
      seen.add(now + " " + (held.calls.size() - before) + " missed " + oram.missed());
      int done = world.nextInt(8) == 0 ? Math.min(underWay, world.nextInt(5)) : 0;
      held.complete(done);
      underWay -= done;
    }
    assertThat(held.calls).allMatch(call -> call.endsWith("of 4") || call.equals("flush"));
    assertThat(oram.missed()).isPositive();
    return seen;
  }

  @Test
  void missedTimesAreCountedAndNotMadeUpFor() {
    at(0);
    at(5); // four went by
    assertThat(held.calls).hasSize(2 * 2);
    assertThat(oram.missed()).isEqualTo(4);
    at(6);
    at(7);
    at(8); // all places are taken
    assertThat(held.calls).hasSize(2 * MOST);
    assertThat(oram.missed()).isEqualTo(5);
    held.complete(1); // its flush is under way
    at(9);
    assertThat(held.calls).hasSize(2 * MOST);
    assertThat(oram.missed()).isEqualTo(6);
    held.complete(1);
    at(9);
    assertThat(held.calls).hasSize(2 * MOST);
    at(10);
    assertThat(held.calls).hasSize(2 * MOST + 2);
    assertThat(oram.missed()).isEqualTo(6);
  }

  @Test
  void aFlushRidesOnTheTimeOfTheAccessBeforeIt() {
    CompletableFuture<Void> first = oram.flush();
    assertThat(held.calls).isEmpty();
    CompletableFuture<Void> write = oram.updateBytes(0, 1, ByteBuffer.allocate(1));
    CompletableFuture<Void> second = oram.updateBytes(512, 1, ByteBuffer.allocate(1));
    CompletableFuture<Void> flush = oram.flush();
    CompletableFuture<Void> same = oram.flush();
    CompletableFuture<Void> read = oram.readBytes(0, 1, ByteBuffer.allocate(1));
    at(0);
    at(1);
    at(2);
    assertThat(held.calls)
        .containsExactly(
            "write 0 of 4", "flush", "write 512 of 4", "flush", "read 0 of 4", "flush");
    held.complete(1);
    assertThat(write).isCompleted();
    assertThat(first).isNotDone();
    held.complete(2);
    assertThat(first).isCompleted();
    assertThat(second).isCompleted();
    assertThat(List.of(flush, same)).noneMatch(CompletableFuture::isDone);
    held.complete(1);
    assertThat(List.of(flush, same)).allMatch(CompletableFuture::isDone);
    assertThat(read).isNotDone();
  }

  /** An access that nobody asked for takes what others take: any range, and all of its bytes. */
  @Test
  void dummiesReadRandomRangesOfTheClass() {
    Map<Long, Integer> starts = new TreeMap<>();
    int times = 6100;
    for (int time = 0; time < times; time++) {
      at(time);
      starts.merge(held.lastRead.offset() / 512, 1, Integer::sum);
      assertThat(held.lastRead.offset() % 512).isZero();
      assertThat(held.lastRead.bytes()).isEqualTo(4 * 512);
      held.completeAll();
    }
    // 100 of each on average, over the 61 starts of 4 blocks among 64.
    assertThat(starts).hasSize(61).hasEntrySatisfying(60L, count -> assertThat(count).isPositive());
    assertThat(starts.values()).allMatch(count -> count > 50 && count < 160);
  }

  /** A longest range is a power of two, and may be longer than the store. */
  @Test
  void aClassLongerThanTheStoreIsMadeOfAllBlocks() {
    HeldOram small = new HeldOram(OramConfig.builder(5).blockBytes(512).build());
    ConstantRateOram timed = new ConstantRateOram(small, 50, 3, MOST, 0, new Random(1));
    timed.tick(0);
    assertThat(small.calls).containsExactly("read 0 of 8", "flush");
    assertThat(small.lastRead.bytes()).isEqualTo(5 * 512);
  }

  /** Else the thread that keeps time would end, and whoever waits would wait for ever. */
  @Test
  void aTimeWithoutMemoryIsMissed() {
    Random full =
        new Random() {
          private static final long serialVersionUID = 1L;
          private int left = MOST;

          @Override
          public long nextLong(long bound) {
            if (left-- > 0) {
              throw new OutOfMemoryError("tried by a test");
            }
            return 0;
          }
        };
    ConstantRateOram timed = new ConstantRateOram(held, 50, 2, MOST, 0, full);
    CompletableFuture<Void> read = timed.readBytes(700, 1, ByteBuffer.allocate(10));
    for (int time = 0; time <= MOST; time++) {
      long now = time * PERIOD;
      assertThatCode(() -> timed.tick(now)).doesNotThrowAnyException();
    }
    assertThat(held.calls).containsExactly("read 700 of 4", "flush");
    held.completeAll();
    assertThat(read).isCompleted();
    assertThat(timed.missed()).isEqualTo(MOST);
  }

  @Test
  void aClassOfMoreBytesThanABufferHasIsRefused() {
    OramConfig config =
        OramConfig.builder(1 << 16).blockBytes(1 << 16).maxRangeBlocks(1 << 16).build();
    for (int sizeClass = 15; sizeClass <= 16; sizeClass++) {
      int refused = sizeClass;
      assertThatThrownBy(
              () -> new ConstantRateOram(new HeldOram(config), 1, refused, 1, 0, new Random()))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("at most 1073741824; choose a smaller one");
    }
  }

  /** Whoever completes futures may be the one that makes accesses: it must not wait for them. */
  @Test
  void aStageMayCallAndNotClose() {
    CompletableFuture<Void> read = oram.readBytes(0, 1, ByteBuffer.allocate(1));
    List<CompletableFuture<Void>> more = new ArrayList<>();
    CompletableFuture<Void> made =
        read.thenRun(
            () -> {
              for (int i = 0; i < 3 * MOST; i++) {
                more.add(oram.readBytes(i, 1, ByteBuffer.allocate(1)));
              }
            });
    CompletableFuture<Void> closed =
        oram.flush()
            .thenRun(
                () -> {
                  try {
                    oram.close();
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                });
    at(0);
    held.completeAll();
    assertThat(made).isCompleted();
    assertThat(oram.waiting()).isEqualTo(3 * MOST);
    assertThatThrownBy(closed::join).hasCauseInstanceOf(IllegalStateException.class);
    for (int time = 1; time <= 3 * MOST; time++) {
      at(time);
      held.completeAll();
    }
    assertThat(more).allMatch(CompletableFuture::isDone);
  }

  @Test
  void whatIsNotOfTheClassIsRefused() throws IOException {
    assertThatThrownBy(() -> oram.readBytes(1, 1, ByteBuffer.allocate(4 * 512)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5 blocks, all here are of 4");
    assertThatThrownBy(() -> oram.updateBytes(0, 5, ByteBuffer.allocate(1)))
        .isInstanceOf(IllegalArgumentException.class);
    for (double rate : new double[] {0, -1, 2e6, Double.NaN}) {
      assertThatThrownBy(() -> new ConstantRateOram(held, rate, 0, 1, 0, new Random()))
          .isInstanceOf(ConfigurationException.class);
    }
    assertThatThrownBy(() -> new ConstantRateOram(held, 1, 4, 1, 0, new Random()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("must be 0 to 3");
    oram.close();
    assertThat(held.closed).isTrue();
    assertThatThrownBy(() -> oram.readBytes(0, 1, ByteBuffer.allocate(1)).join())
        .hasCauseInstanceOf(ClosedChannelException.class);
    at(3);
    assertThat(held.calls).isEmpty();
  }
}
