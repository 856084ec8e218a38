package io.github.roram;

import java.util.List;

/**
 * What {@link Oram#verify} found.
 *
 * @param buckets buckets that were read and opened, or should have been
 * @param bytes their size on the store
 * @param blocks distinct blocks that are held: those ever written
 * @param findingCount number of findings, 0 if all is well
 * @param findings the first of them, at most {@link #MAX_FINDINGS}
 */
public record VerifyReport(
    long buckets, long bytes, long blocks, long findingCount, List<Finding> findings) {

  /** So many findings are kept; the others are only counted. */
  public static final int MAX_FINDINGS = 1000;

  /** Copies the list. */
  public VerifyReport {
    findings = List.copyOf(findings);
  }

  /** Whether nothing is wrong. */
  public boolean clean() {
    return findingCount == 0;
  }

  /** What can be wrong. */
  public enum Kind {
    /** The store could not read a place. */
    UNREADABLE,
    /** A bucket is not the one that was last written there. */
    BUCKET,
    /** A block stands where no read finds it, under a wrong label, or twice. */
    MISPLACED,
    /** A tree lacks a block that another tree has. */
    MISSING,
    /** Two trees have different data for a block. */
    DIFFERS
  }

  /**
   * One thing that is wrong.
   *
   * @param kind what
   * @param tree where: number of the tree
   * @param message what and where, for people
   */
  public record Finding(Kind kind, int tree, String message) {}
}
