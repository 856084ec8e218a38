package io.github.roram.testkit;

import java.io.IOException;
import java.util.Random;

/** Makes requests one after another; one that failed is made again, as the contract allows. */
final class RepeatingUser {

  private static final int MOST_FAILURES = 3;

  private final ModelledOram oram;
  private final Random random;

  RepeatingUser(ModelledOram oram, int seed) {
    this.oram = oram;
    random = new Random(seed);
  }

  /** Makes so many requests. */
  void run(int requests) throws IOException {
    int longest = oram.config().maxRangeBlocks();
    for (int i = 0; i < requests; i++) {
      int count = 1 + random.nextInt(longest);
      long block = random.nextLong(oram.config().blocks() - count + 1);
      untilItSucceeds(i, block, count);
    }
    for (int failures = 0; ; failures++) {
      try {
        oram.oram().flush();
        return;
      } catch (IOException injected) {
        giveUpAfter(failures, injected);
      }
    }
  }

  private void untilItSucceeds(int request, long block, int count) throws IOException {
    for (int failures = 0; ; failures++) {
      try {
        switch (request % 3) {
          case 0 -> oram.write(block, count, random);
          case 1 -> oram.read(block, count);
          default -> oram.update(block, count, random);
        }
        return;
      } catch (IOException injected) {
        giveUpAfter(failures, injected);
      }
    }
  }

  private static void giveUpAfter(int failures, IOException injected) throws IOException {
    if (failures == MOST_FAILURES) {
      throw injected;
    }
  }
}
