package io.github.roram.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.bench.load.LoadCheck.BlockHistory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Histories that are those of a block, and some that are not. */
class BlockHistoryTest {

  /** An operation of a history; a read of version 0 finds what was there before. */
  private record Op(boolean write, long version, int start, int end) {}

  private static boolean accepts(List<Op> history) {
    BlockHistory block = new BlockHistory();
    record Event(int time, Op op, boolean ends) {}
    List<Event> events = new ArrayList<>();
    for (Op op : history) {
      events.add(new Event(op.start, op, false));
      events.add(new Event(op.end, op, true));
    }
    events.sort(Comparator.comparingInt(Event::time));
    boolean right = true;
    for (Event event : events) {
      Op op = event.op;
      if (!event.ends && op.write) {
        block.startWrite(op.version, op.start);
      } else if (!event.ends) {
        block.startRead(op.start);
      } else if (op.write) {
        right &= block.endWrite(op.version, op.start, op.end);
      } else {
        right &= block.endRead(op.version, op.start, op.end);
      }
    }
    return right;
  }

  /** Tries every order. */
  private static boolean isLinearizable(List<Op> left, long value) {
    if (left.isEmpty()) {
      return true;
    }
    for (Op next : left) {
      boolean first = left.stream().noneMatch(other -> other.end < next.start);
      if (first && (next.write || next.version == value)) {
        List<Op> rest = new ArrayList<>(left);
        rest.remove(next);
        if (isLinearizable(rest, next.write ? next.version : value)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Each time is that of one event. */
  private static List<Op> randomHistory(Random random) {
    int count = 2 + random.nextInt(6);
    List<Integer> times = new ArrayList<>();
    for (int i = 0; i < 2 * count; i++) {
      times.add(i);
    }
    Collections.shuffle(times, random);
    List<Op> history = new ArrayList<>();
    int writes = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      int a = times.get(2 * i);
      // Mostly short ones: where all overlap, everything is allowed.
      int b = times.get(2 * i + 1);
      boolean write = i < writes;
      long version = write ? i + 1 : random.nextInt(writes + 1);
      history.add(new Op(write, version, Math.min(a, b), Math.max(a, b)));
    }
    return history;
  }

  @Test
  void areAcceptedIfAnOrderExplainsThem() {
    Random random = new Random(1);
    int accepted = 0;
    int total = 8_000;
    for (int i = 0; i < total; i++) {
      List<Op> history = randomHistory(random);
      boolean expected = isLinearizable(history, BlockHistory.INITIAL);
      assertThat(accepts(history)).as("%s", history).isEqualTo(expected);
      accepted += expected ? 1 : 0;
    }
    assertThat(accepted).isBetween(total / 10, total * 9 / 10);
  }

  @Test
  void aFailedWriteMayCountOrNot() {
    BlockHistory block = new BlockHistory();
    block.startWrite(1, 1);
    block.failed(1);
    block.startRead(2);
    assertThat(block.endRead(BlockHistory.INITIAL, 2, 3)).isTrue();
    block.startRead(4);
    assertThat(block.endRead(1, 4, 5)).isTrue();
    block.startRead(6);
    assertThat(block.endRead(BlockHistory.INITIAL, 6, 7)).isFalse();
  }

  @Test
  void whatIsOverIsForgotten() {
    BlockHistory block = new BlockHistory();
    for (int i = 1; i < 10_000; i++) {
      block.startWrite(i, 4L * i);
      assertThat(block.endWrite(i, 4L * i, 4L * i + 1)).isTrue();
      block.startRead(4L * i + 2);
      assertThat(block.endRead(i, 4L * i + 2, 4L * i + 3)).isTrue();
      assertThat(block.remembered()).isLessThan(4);
    }
    block.startRead(100_000);
    assertThat(block.endRead(7, 100_000, 100_001)).isFalse();
  }
}
