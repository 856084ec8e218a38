package io.github.roram.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.eviction.EvictionSchedule.WriteShare;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class EvictionScheduleTest {

  @Property
  void paysExactlyOneEvictionForEveryABlocksAndKeepsTheDebtWithinTheWindow(
      @ForAll @IntRange(min = 2, max = 16) int halfBlocks,
      @ForAll @IntRange(min = 0, max = 100) int window,
      @ForAll @IntRange(min = 1, max = 50) int chunk,
      @ForAll @Size(max = 100) List<@IntRange(min = 1, max = 64) Integer> debts) {
    EvictionSchedule schedule =
        new EvictionSchedule(halfBlocks, window, chunk, 16, WriteShare.WHOLE);
    long owed = 0;
    for (int debt : debts) {
      schedule.owe(debt);
      owed += debt;
      for (int paths = schedule.due(); paths > 0; paths = schedule.due()) {
        assertThat(paths).isLessThanOrEqualTo(chunk);
        int next = schedule.dueAfter(paths);
        schedule.done(paths);
        assertThat(schedule.due()).isEqualTo(next);
      }
      long done = schedule.evictions() - 16;
      assertThat(done * halfBlocks / 2 + schedule.owedBlocks()).isEqualTo(owed);
      long mostPaid = (halfBlocks + 1L) / 2;
      assertThat(schedule.owedBlocks()).isBetween(0L, Math.max(window, mostPaid) - 1);
      assertThat(schedule.mostEntered()).isGreaterThanOrEqualTo(owed);
    }
  }

  @Test
  void aFullWindowIsOneChunk() {
    EvictionSchedule schedule = new EvictionSchedule(6, 96, 32, 0, WriteShare.WHOLE);
    schedule.owe(95);
    assertThat(schedule.due()).isZero();
    schedule.owe(1);
    assertThat(schedule.due()).isEqualTo(32);
  }

  /** 3.5: three and four blocks in turn, and the same after a restart, which saves whole blocks. */
  @Test
  void halvesArePaidInTurnByTheNumberOfTheEviction() {
    EvictionSchedule schedule = new EvictionSchedule(7, 0, 1, 16, WriteShare.WHOLE);
    List<Long> paid = new ArrayList<>();
    schedule.owe(14);
    while (schedule.due() > 0) {
      long before = schedule.owedBlocks();
      EvictionSchedule again = new EvictionSchedule(7, 0, 1, 16, WriteShare.WHOLE);
      again.restore(schedule.evictions(), schedule.owedBlocks());
      again.done(1);
      schedule.done(1);
      assertThat(again.owedBlocks()).isEqualTo(schedule.owedBlocks());
      paid.add(before - schedule.owedBlocks());
    }
    assertThat(paid).containsExactly(3L, 4L, 3L, 4L);
  }

  /** What was written is owed for, by the share or by padding, or is in a backlog within bounds. */
  @Property
  void whatIsWrittenBeyondTheShareWaitsWithinItsBound(
      @ForAll @IntRange(min = 1, max = WriteShare.PARTS - 1) int parts,
      @ForAll @IntRange(min = 1, max = 100) int bound,
      @ForAll @Size(max = 100) List<@IntRange(min = 0, max = 16) Integer> writes) {
    EvictionSchedule schedule = new EvictionSchedule(2, 0, 1, 0, new WriteShare(parts, bound));
    long written = 0;
    for (int blocks : writes) {
      schedule.oweShare(16);
      for (int block = 0; block < blocks; block++) {
        schedule.writtenBeside(1);
      }
      written += blocks;
      assertThat(schedule.backlogBlocks()).isBetween(0L, (long) bound);
      assertThat(schedule.owedBlocks() + schedule.backlogBlocks()).isGreaterThanOrEqualTo(written);
    }
    long byShare = 16L * writes.size() * parts / WriteShare.PARTS;
    assertThat(schedule.owedBlocks() - schedule.paddingBlocks()).isEqualTo(byShare);
  }

  /** What is put off is owed for at the turn, whole, and is kept when the schedule is saved. */
  @Test
  void whatIsPutOffIsOwedAtTheTurn() throws IOException {
    EvictionSchedule schedule =
        new EvictionSchedule(2, 0, 100, 8, new WriteShare(WriteShare.PARTS, 3));
    schedule.putOffBlock();
    schedule.putOffBlock();
    schedule.writtenBeside(2);
    assertThat(schedule.due()).isZero();
    assertThat(schedule.mostEntered()).isGreaterThanOrEqualTo(2);
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    schedule.writeShareTo(new DataOutputStream(saved));
    schedule.restore(8, 0);
    assertThat(schedule.backlogBlocks()).isZero();
    schedule.readShareFrom(new DataInputStream(new ByteArrayInputStream(saved.toByteArray())));
    assertThat(schedule.backlogBlocks()).isEqualTo(2);
    schedule.owePutOff();
    assertThat(schedule.owedBlocks()).isEqualTo(2);
    assertThat(schedule.due()).isEqualTo(2);
    assertThat(schedule.backlogBlocks()).isZero();
    assertThat(schedule.paddingBlocks()).isZero();
  }

  @Test
  void withAShareOfOneNothingThatIsWrittenChangesWhatIsOwed() {
    EvictionSchedule schedule = new EvictionSchedule(2, 0, 1, 0, WriteShare.WHOLE);
    schedule.writtenBeside(1);
    schedule.oweShare(16);
    assertThat(schedule.owedBlocks()).isEqualTo(16);
    assertThat(schedule.backlogBlocks()).isZero();
    assertThat(schedule.paddingBlocks()).isZero();
  }
}
