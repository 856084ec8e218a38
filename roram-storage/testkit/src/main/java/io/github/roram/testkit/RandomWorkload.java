package io.github.roram.testkit;

import io.github.roram.OramConfig;
import java.io.IOException;
import java.util.Random;

/**
 * Random operations of every kind: reads, writes and updates of ranges of all sizes, anywhere, on a
 * hot spot and at the very end; the byte view at any position; now and then closing and opening
 * again.
 */
public final class RandomWorkload {

  private final ModelledOram oram;
  private final Random random;
  private final int blocks;
  private final int longest;
  private final int reopenEvery;

  /**
   * Creates a workload.
   *
   * @param reopenEvery mean number of operations between two openings
   */
  public RandomWorkload(ModelledOram oram, Random random, int reopenEvery) {
    this.oram = oram;
    this.random = random;
    this.reopenEvery = reopenEvery;
    OramConfig config = oram.config();
    blocks = (int) config.blocks();
    longest = Math.min(config.maxRangeBlocks(), blocks);
  }

  /** Makes {@code operations} operations. */
  public void run(int operations) throws IOException {
    for (int i = 0; i < operations; i++) {
      step();
    }
  }

  private void step() throws IOException {
    if (random.nextInt(reopenEvery) == 0) {
      oram.reopen();
    }
    int kind = random.nextInt(100);
    if (kind < 34) {
      int count = count();
      oram.write(block(count), count, random);
    } else if (kind < 44) {
      int count = count();
      oram.update(block(count), count, random);
    } else if (kind < 88) {
      int count = count();
      oram.read(block(count), count);
    } else {
      byteView(kind < 94);
    }
  }

  private void byteView(boolean write) throws IOException {
    int blockBytes = oram.config().blockBytes();
    int all = blocks * blockBytes;
    int bytes = random.nextInt(1 + Math.min(all, 1 + random.nextInt(2 * longest * blockBytes)));
    if (write) {
      oram.writeBytes(random.nextInt(all - bytes + 1), bytes, random);
    } else {
      oram.readBytes(random.nextInt(all + 1), bytes);
    }
  }

  /**
   * Returns the length of a range: small and large ones equally often; powers of two, and one more
   * or less.
   */
  private int count() {
    int bits = 32 - Integer.numberOfLeadingZeros(longest);
    int power = 1 << random.nextInt(bits);
    int count =
        switch (random.nextInt(4)) {
          case 0 -> power;
          case 1 -> power + 1;
          default -> 1 + random.nextInt(power);
        };
    return Math.min(count, longest);
  }

  private int block(int count) {
    int last = blocks - count;
    return switch (random.nextInt(5)) {
      case 0 -> last;
      case 1 -> Math.min(last, random.nextInt(1 + blocks / 16));
      default -> random.nextInt(last + 1);
    };
  }
}
