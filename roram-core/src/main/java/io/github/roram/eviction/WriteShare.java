package io.github.roram.eviction;

import io.github.roram.parameters.TreeParameters;

/**
 * The public write share ρ (construction, section 7).
 *
 * @param parts ρ in parts of {@link #PARTS}
 * @param backlogBlocks the most blocks that a tree may hold before they are owed for: beyond the
 *     share, or, where it is shown which accesses write, put off until the tree's turn; 0 if all
 *     are owed for at once
 */
public record WriteShare(int parts, int backlogBlocks) {

  /** ρ = 1. */
  public static final int PARTS = TreeParameters.WRITE_SHARE_PARTS;

  /** Everything might be written. */
  public static final WriteShare WHOLE = new WriteShare(PARTS, 0);

  /** Whether ρ = 1, so that nothing is ever written beyond it. */
  public boolean isWhole() {
    return parts == PARTS;
  }

  /** Whether there may be a backlog. */
  boolean hasBacklog() {
    return backlogBlocks > 0;
  }
}
