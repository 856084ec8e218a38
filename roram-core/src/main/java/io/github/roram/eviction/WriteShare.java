package io.github.roram.eviction;

import io.github.roram.parameters.TreeParameters;

/**
 * The public write share ρ (construction, section 7).
 *
 * @param parts ρ in parts of {@link #PARTS}
 * @param backlogBlocks blocks beyond the share that a tree may hold before they are owed for
 */
public record WriteShare(int parts, int backlogBlocks) {

  /** ρ = 1. */
  public static final int PARTS = TreeParameters.WRITE_SHARE_PARTS;

  /** Everything might be written. */
  public static final WriteShare WHOLE = new WriteShare(PARTS, 0);

  /** Whether ρ = 1, so that there is never a backlog. */
  public boolean isWhole() {
    return parts == PARTS;
  }
}
