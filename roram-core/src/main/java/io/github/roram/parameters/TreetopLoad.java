package io.github.roram.parameters;

/**
 * The number of blocks of a tree's top levels that a client is expected to hold in the steady state
 * of a full store, where every block was written and accesses go to random blocks.
 *
 * <h2>In buckets without limit</h2>
 *
 * Let M = 2^m. A block is in the top m levels as long as no eviction since it entered has met its
 * path at level m or below. Write {@code a} for the evictions since it entered.
 *
 * <ul>
 *   <li>Evictions in bit-reversed order (rORAM, §IV-B) meet each bucket of level m once in M: the
 *       block is still above with probability 1 − a/M for a &lt; M, then not. A blocks enter for
 *       each eviction, and one of age {@code a} was not accessed again with probability e^(−Aa/N).
 *       The integral of A (1 − a/M) e^(−Aa/N) over a is N (1 − (1 − e^(−x)) / x) with x = AM/N:
 *       about AM/2 if M is small, so each bucket holds A/2 blocks.
 *   <li>Evictions of random paths (Path ORAM: that of each access, A = 1) miss it with probability
 *       (1 − 1/M)^a. The sum over a of (1 − 1/M)^a (1 − 1/N)^a is about 1 / (1/M + 1/N): about M,
 *       so each bucket holds one block.
 * </ul>
 *
 * Level m holds the value for m + 1 less the value for m. A bucket holds the blocks that came for
 * one of its children since the last eviction but one: a Poisson number if evictions take turns; if
 * they are random, the time since then is random too, which makes the number geometric.
 *
 * <h2>In buckets of Z slots</h2>
 *
 * Blocks beyond the room of a subtree stay above it (Path ORAM, lemma 1). So the overflow of a
 * bucket is the excess over Z of its own blocks and both its children's overflow; the levels below
 * are assumed to be independent. The top m levels hold their blocks in buckets without limit, and
 * the overflow of the M buckets of level m.
 *
 * <h2>What it is not</h2>
 *
 * The load is a mean, not a bound. With chunks of K evictions the number varies by AK/2 around it,
 * and the window adds up to W blocks. Fewer blocks are held if accesses go to few blocks again and
 * again, or if fewer blocks enter a tree than it evicts for.
 */
public final class TreetopLoad {

  /**
   * Number of blocks, in a bucket or as overflow, from which on probabilities are added together.
   */
  private static final int MOST = 96;

  private final long blocks;
  private final double rate;
  private final int slots;
  private final double[] expected;

  /** By level, the mean number of blocks held if no block is accessed before it leaves. */
  private final double[] full;

  private TreetopLoad(long blocks, int height, int slots, double rate) {
    this.blocks = blocks;
    this.slots = slots;
    this.rate = rate;
    expected = new double[height + 1];
    full = new double[height + 1];
    double[] overflow = {1};
    for (int level = height; level >= 0; level--) {
      double[] other = thinned(overflow, survival(level));
      double[] waiting = plus(bucket(level, height), plus(overflow, other));
      overflow = beyond(waiting, slots);
      expected[level] = above(level) - above(0) + (1L << level) * kept(level) * mean(overflow);
      full[level] = (1L << level) * ((inTurn() ? rate / 2 : 1) + mean(overflow));
    }
  }

  /**
   * Returns the load of a tree that evicts paths in bit-reversed order, one for each A blocks.
   *
   * @param blocks N
   * @param height h
   * @param slots Z
   * @param rate A
   */
  public static TreetopLoad inTurn(long blocks, int height, int slots, double rate) {
    return new TreetopLoad(blocks, height, slots, rate);
  }

  /** Returns the load of a Path ORAM, whose accesses each evict a random path. */
  public static TreetopLoad random(long blocks, int height, int slots) {
    return new TreetopLoad(blocks, height, slots, 0);
  }

  /** Returns the blocks held of levels 0 … m − 1, for m up to the height. */
  public double blocks(int levels) {
    return expected[levels];
  }

  /**
   * Returns the number of blocks for which levels 0 … m − 1 need room, which no load comes near:
   * the mean if no block is accessed before it leaves, as when all are accessed one after another,
   * plus an eighth, plus eight standard deviations of a Poisson number; at most the slots of these
   * levels.
   */
  public int room(int levels) {
    return room(levels, 0);
  }

  /** Returns the room with {@code part} buckets of the next level, whose subtrees are alike. */
  public int room(int levels, int part) {
    long buckets = 1L << levels;
    double mean = full[levels];
    if (part > 0) {
      mean += (full[levels + 1] - mean) * part / buckets;
    }
    double most = mean + mean / 8 + 8 * StrictMath.sqrt(mean);
    long room = Math.min(slots * (buckets - 1 + part), (long) Math.ceil(most));
    return (int) Math.min(Integer.MAX_VALUE, room);
  }

  private boolean inTurn() {
    return rate > 0;
  }

  /** Returns the blocks in levels 0 … m − 1 if buckets had no limit. */
  private double above(int levels) {
    double buckets = 1L << levels;
    if (!inTurn()) {
      return 1 / (1 / buckets + 1.0 / blocks);
    }
    double x = rate * buckets / blocks;
    // StrictMath: every machine must choose the same levels.
    return blocks * (1 + StrictMath.expm1(-x) / x);
  }

  /**
   * Returns the mean part of the blocks that an eviction leaves in a bucket that stays until the
   * next eviction: the others are accessed in the meantime, and their slots stay empty. A Path ORAM
   * writes the path that it accesses, so all blocks stay.
   */
  private double kept(int level) {
    if (!inTurn()) {
      return 1;
    }
    double x = rate * (1L << level) / blocks;
    return -StrictMath.expm1(-x) / x;
  }

  /** Returns the part of a bucket's blocks left after as many evictions as there are buckets. */
  private double survival(int level) {
    return inTurn() ? StrictMath.exp(-rate * (1L << level) / blocks) : 1;
  }

  /** Returns the distribution of a bucket's blocks after its eviction, if it had no limit. */
  private double[] bucket(int level, int height) {
    double next = level == height ? blocks : above(level + 1);
    double mean = (next - above(level)) / (1L << level) / kept(level);
    return inTurn() || level == height ? poisson(mean) : geometric(mean);
  }

  private static double[] poisson(double mean) {
    double[] probability = new double[MOST];
    probability[0] = StrictMath.exp(-mean);
    for (int count = 1; count < MOST; count++) {
      probability[count] = probability[count - 1] * mean / count;
    }
    return probability;
  }

  private static double[] geometric(double mean) {
    double[] probability = new double[MOST];
    probability[0] = 1 / (1 + mean);
    for (int count = 1; count < MOST; count++) {
      probability[count] = probability[count - 1] * mean / (1 + mean);
    }
    return probability;
  }

  /** Returns the distribution of the sum of two independent numbers. */
  private static double[] plus(double[] first, double[] second) {
    double[] sum = new double[Math.min(MOST, first.length + second.length - 1)];
    int last = sum.length - 1;
    for (int i = 0; i < first.length; i++) {
      // Sums below the last have a loop of their own: most of the time to open a small store is
      // here.
      int apart = Math.min(second.length, last - i);
      for (int j = 0; j < apart; j++) {
        sum[i + j] += first[i] * second[j];
      }
      for (int j = apart; j < second.length; j++) {
        sum[last] += first[i] * second[j];
      }
    }
    return sum;
  }

  /** Returns the distribution of the items left if each stays with probability {@code stays}. */
  private static double[] thinned(double[] number, double stays) {
    double[] left = {0};
    for (int count = number.length - 1; count >= 0; count--) {
      left = plus(left, new double[] {1 - stays, stays});
      left[0] += number[count];
    }
    return left;
  }

  /** Returns the distribution of a number's excess over {@code slots}. */
  private static double[] beyond(double[] number, int slots) {
    double[] rest = new double[Math.max(1, number.length - slots)];
    for (int count = 0; count < number.length; count++) {
      rest[Math.max(0, count - slots)] += number[count];
    }
    return rest;
  }

  private static double mean(double[] number) {
    double mean = 0;
    for (int count = 0; count < number.length; count++) {
      mean += count * number[count];
    }
    return mean;
  }
}
