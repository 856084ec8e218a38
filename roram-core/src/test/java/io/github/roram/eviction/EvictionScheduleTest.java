package io.github.roram.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class EvictionScheduleTest {

  @Property
  void paysExactlyOneEvictionForEveryABlocksAndKeepsTheDebtWithinTheWindow(
      @ForAll @IntRange(min = 1, max = 8) int rate,
      @ForAll @IntRange(min = 0, max = 100) int window,
      @ForAll @IntRange(min = 1, max = 50) int chunk,
      @ForAll @Size(max = 100) List<@IntRange(min = 1, max = 64) Integer> debts) {
    EvictionSchedule schedule = new EvictionSchedule(rate, window, chunk, 16);
    long owed = 0;
    for (int debt : debts) {
      schedule.owe(debt);
      owed += debt;
      for (int paths = schedule.due(); paths > 0; paths = schedule.due()) {
        assertThat(paths).isLessThanOrEqualTo(chunk);
        schedule.done(paths);
      }
      long done = schedule.evictions() - 16;
      assertThat(done * rate + schedule.owedBlocks()).isEqualTo(owed);
      assertThat(schedule.owedBlocks()).isBetween(0L, (long) Math.max(window, rate) - 1);
    }
  }

  @Test
  void aFullWindowIsOneChunk() {
    EvictionSchedule schedule = new EvictionSchedule(3, 96, 32, 0);
    schedule.owe(95);
    assertThat(schedule.due()).isZero();
    schedule.owe(1);
    assertThat(schedule.due()).isEqualTo(32);
  }
}
