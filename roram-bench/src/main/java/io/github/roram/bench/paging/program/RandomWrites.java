package io.github.roram.bench.paging.program;

import io.github.roram.paging.Memory;
import java.util.SplittableRandom;

/**
 * Writes at random places of an array of pages: the paper's {@code random_writes}.
 *
 * @param pages of 4 KiB
 * @param writes how many
 */
public record RandomWrites(int pages, int writes) implements Program {

  private static final int PAGE_BYTES = 4096;

  @Override
  public String id() {
    return "random-writes";
  }

  @Override
  public String description() {
    return writes + " writes over " + pages + " pages";
  }

  @Override
  public long bytes() {
    return (long) pages * PAGE_BYTES;
  }

  @Override
  public Run start(Memory memory) {
    SplittableRandom random = new SplittableRandom(writes);
    return new Run() {
      private int done;
      private long sum;

      @Override
      public boolean step() {
        if (done == writes) {
          return false;
        }
        long place = random.nextLong(bytes() / Long.BYTES) * Long.BYTES;
        long value = random.nextLong();
        sum = Long.rotateLeft(sum, 1) ^ place ^ value;
        memory.putLong(place, value);
        done++;
        return true;
      }

      @Override
      public long result() {
        return sum;
      }
    };
  }
}
