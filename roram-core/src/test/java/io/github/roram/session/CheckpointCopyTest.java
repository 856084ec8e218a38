package io.github.roram.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.checkpoint.GradualCopy;
import io.github.roram.checkpoint.StateCopy;
import java.io.ByteArrayOutputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** How many accesses a checkpoint takes, and how long it is, do not depend on what it holds. */
class CheckpointCopyTest {

  private static final int PIECE_BYTES = 3000;
  private static final int MOST_BYTES = 3 << 20;

  /** A part that takes fewer bytes than it might. */
  private static final class Part implements GradualCopy {
    private int leftBytes;

    Part(int bytes) {
      leftBytes = bytes;
    }

    @Override
    public long mostBytes() {
      return MOST_BYTES;
    }

    @Override
    public boolean step(DataOutput out) throws IOException {
      int count = Math.min(leftBytes, PIECE_BYTES);
      out.write(new byte[count]);
      leftBytes -= count;
      return leftBytes > 0;
    }

    @Override
    public void end() {}
  }

  @Property(tries = 50)
  void stepsAndLengthFollowFromTheBounds(
      @ForAll @IntRange(max = MOST_BYTES) int first,
      @ForAll @IntRange(max = MOST_BYTES) int second,
      @ForAll long seed)
      throws IOException {
    Copied copied = copy(seed, first, second);
    assertThat(copied).isEqualTo(copy(seed, MOST_BYTES, MOST_BYTES));
    assertThat(copied.bytes()).isEqualTo(2L * MOST_BYTES);
  }

  private record Copied(int steps, long bytes) {}

  private static Copied copy(long seed, int... lengths) throws IOException {
    Random growth = new Random(seed);
    StateCopy state = new StateCopy();
    for (int length : lengths) {
      state.add(new Part(length));
    }
    CheckpointCopy copy = new CheckpointCopy(1, state);
    int steps = 1;
    long journalBytes = 0;
    while (copy.step(journalBytes)) {
      journalBytes += growth.nextInt(1 << 21);
      steps++;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    copy.writeTo(new DataOutputStream(out));
    copy.end();
    return new Copied(steps, out.size());
  }
}
