package io.github.roram.auditor.overlap;

import io.github.roram.cipher.LabelSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Labels of scheme {@code ring} with which both sides of a pair show the same, whatever blocks they
 * access. The labels that accesses show are drawn first, and a block gets the label of the access
 * that will show it next. So everything else that a store sees, except which slots are read, must
 * be equal: only the permitted differences follow from labels.
 *
 * <p>A block that is already being read is shown as a random path. Which blocks those are is
 * determined in advance, too: before each access exactly those reads are complete that were drawn
 * to be.
 */
final class ForeseenLabels implements LabelSource {

  /**
   * An access that is to be made.
   *
   * @param block its first
   * @param count of how many it is
   * @param shown of how many it looks
   */
  record Access(int block, int count, boolean writes, int shown) {

    boolean has(int address) {
      return address >= block && address < block + count;
    }
  }

  private static final LabelSource SECURE = LabelSource.secure();

  private final List<Access> accesses;
  private final int[] oldest;
  private final int leaves;
  private final int[] drawn;
  private int used;

  /**
   * Labels of accesses which are begun in this order, each as one read.
   *
   * @param accesses all that are ever made
   * @param oldest for each how many of them are complete when it begins
   * @param leaves of the tree
   * @param random the same for both sides
   */
  ForeseenLabels(List<Access> accesses, int[] oldest, int leaves, SplittableRandom random) {
    this.accesses = List.copyOf(accesses);
    this.oldest = oldest.clone();
    this.leaves = leaves;
    drawn = new int[2 * accesses.stream().mapToInt(Access::shown).sum()];
    foresee(random);
  }

  /**
   * Draws two numbers for each block of a read, in the order of requests: its next label, and a
   * random number.
   */
  private void foresee(SplittableRandom random) {
    Map<Integer, Integer> next = new HashMap<>();
    int end = drawn.length;
    for (int number = accesses.size() - 1; number >= 0; number--) {
      Access access = accesses.get(number);
      end -= 2 * access.shown();
      for (int i = 0; i < access.shown(); i++) {
        int label = random.nextInt(leaves);
        int other = random.nextInt(leaves);
        drawn[end + 2 * i] = i < access.count() ? next.getOrDefault(access.block() + i, other) : 0;
        drawn[end + 2 * i + 1] = label;
        if (i < access.count() && !isBeingRead(number, access.block() + i)) {
          next.put(access.block() + i, label);
        }
      }
    }
  }

  private boolean isBeingRead(int number, int address) {
    return accesses.subList(oldest[number], number).stream().anyMatch(one -> one.has(address));
  }

  /**
   * Draws for each access how many are complete when it begins. They come in bursts, between which
   * all are, so that evictions never wait for good for a read which they need complete.
   *
   * @param first those before are made one after another
   * @param inFlight the most that are under way
   * @param burst blocks that a burst shows at most, unless one access does
   */
  static int[] order(
      List<Access> accesses, int first, int inFlight, int burst, SplittableRandom random) {
    int[] oldest = new int[accesses.size()];
    int blocks = 0;
    for (int number = 0; number < oldest.length; number++) {
      int shown = accesses.get(number).shown();
      blocks = number <= first || blocks + shown > burst ? shown : blocks + shown;
      oldest[number] =
          blocks == shown
              ? number
              : Math.max(oldest[number - 1], number - random.nextInt(inFlight));
    }
    return oldest;
  }

  /** Accesses that read each block once, some at a time. */
  static List<Access> eachOnce(int blocks, int count) {
    List<Access> accesses = new ArrayList<>();
    for (int block = 0; block < blocks; block += count) {
      accesses.add(new Access(Math.min(block, blocks - count), count, false, count));
    }
    return accesses;
  }

  @Override
  public int next(int bound) {
    return bound == leaves && used < drawn.length ? drawn[used++] : SECURE.next(bound);
  }
}
