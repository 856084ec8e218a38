package io.github.roram.suites;

import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;

/**
 * Ways to make requests of given sizes: all that a user may choose and that a server must not see.
 */
enum Requests {
  /** Reads here and there. */
  RANDOM_READS,
  /** Writes of noise here and there. */
  RANDOM_WRITES,
  /** Reads of the same place again and again. */
  SAME_PLACE_READS,
  /** Writes of zeros to the same place again and again. */
  SAME_PLACE_ZERO_WRITES,
  /** A scan from the first block to the last, and over again. */
  SEQUENTIAL_READS,
  /** The same, writing. */
  SEQUENTIAL_WRITES,
  /** Always the last blocks. */
  READS_AT_THE_END,
  /** To blocks anywhere, where accesses of the class can be; others are reads of ranges. */
  SCATTERED,
  /** Whatever comes. */
  MIXED;

  /**
   * Makes requests.
   *
   * @param sizes of each request, in blocks: powers of two
   */
  void make(Oram oram, int[] sizes, Random random) throws IOException {
    int next = 0;
    for (int size : sizes) {
      int count = sameClass(oram.config(), size, random);
      int last = (int) oram.config().blocks() - count;
      if (next > last) {
        next = 0;
      }
      int block = block(next, last, random);
      next = block + count;
      if (this == SCATTERED && scatter(oram, count, random)) {
        continue;
      }
      if (isWrite(random)) {
        byte[] content = new byte[count * oram.config().blockBytes()];
        if (this != SAME_PLACE_ZERO_WRITES) {
          random.nextBytes(content);
        }
        oram.write(block, ByteBuffer.wrap(content));
      } else {
        oram.read(block, count);
      }
    }
  }

  /** Writes noise to a few blocks anywhere; false if the ORAM makes no such access. */
  private static boolean scatter(Oram oram, int count, Random random) throws IOException {
    if (!oram.config().has(Scheme.Trait.WHOLE_RANGES)) {
      return false; // the count of a range's accesses shows, and that these are one
    }
    int few = random.nextBoolean() ? count : 1 + random.nextInt(count);
    long[] blocks = random.longs(0, oram.config().blocks()).distinct().limit(few).toArray();
    try {
      oram.access(blocks, count, all -> all[0].putLong(0, random.nextLong()));
      return true;
    } catch (ConfigurationException e) {
      return false;
    }
  }

  /** Another size of the same class; without classes, the count itself shows. */
  private int sameClass(OramConfig config, int size, Random random) {
    boolean varies = "roram".equals(config.scheme()) && this != RANDOM_READS;
    return varies && size > 1 ? size - random.nextInt(size / 2) : size;
  }

  private int block(int next, int last, Random random) {
    return switch (this) {
      case SAME_PLACE_READS, SAME_PLACE_ZERO_WRITES -> Math.min(7, last);
      case SEQUENTIAL_READS, SEQUENTIAL_WRITES -> next;
      case READS_AT_THE_END -> last;
      default -> random.nextInt(last + 1);
    };
  }

  private boolean isWrite(Random random) {
    return switch (this) {
      case RANDOM_WRITES, SAME_PLACE_ZERO_WRITES, SEQUENTIAL_WRITES -> true;
      case MIXED -> random.nextBoolean();
      default -> false;
    };
  }
}
