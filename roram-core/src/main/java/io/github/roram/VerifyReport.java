package io.github.roram;

import java.util.List;

/**
 * What {@link Oram#verify} found.
 *
 * @param buckets buckets that were read and opened, or should have been
 * @param bytes their size on the store
 * @param blocks distinct blocks that the ORAM holds: those ever written
 * @param findingCount number of findings, 0 if all is well
 * @param findings the first findings, at most {@link #MAX_FINDINGS}
 */
public record VerifyReport(
    long buckets, long bytes, long blocks, long findingCount, List<Finding> findings) {

  /** The most findings that a report lists; further ones are only counted. */
  public static final int MAX_FINDINGS = 1000;

  /** Copies the list. */
  public VerifyReport {
    findings = List.copyOf(findings);
  }

  /** Returns whether there are no findings. */
  public boolean clean() {
    return findingCount == 0;
  }

  /** The kind of a finding. */
  public enum Kind {
    /** The store could not read an extent. */
    UNREADABLE,
    /** A bucket is not the one that was last written there. */
    BUCKET,
    /** A block is where no read finds it, has a wrong label, or occurs twice. */
    MISPLACED,
    /** A tree lacks a block that another tree has. */
    MISSING,
    /** Two trees have different data for a block. */
    DIFFERS
  }

  /**
   * One finding.
   *
   * @param kind what is wrong
   * @param tree number of the tree
   * @param message what is wrong and where, for people to read
   */
  public record Finding(Kind kind, int tree, String message) {}
}
