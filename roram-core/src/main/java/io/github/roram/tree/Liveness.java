package io.github.roram.tree;

/**
 * Whether what is met of a block is its newest copy. Trees are never searched for old copies: a
 * block that was read and relabelled leaves its last copy behind, and whoever meets one asks here,
 * be it a read of paths, an eviction or an audit.
 *
 * <p>Of two copies that both pass, the one nearer the root is newer, and the client's is nearest
 * (construction, section 2.4).
 */
public interface Liveness {

  /**
   * Whether a copy in the tree is not known to be stale.
   *
   * @param level the level of the bucket that the copy stands in
   * @param bucket the number of the bucket in its level
   * @param slot the slot of the bucket
   * @param address the block
   * @param label the label that the copy has
   */
  boolean isCurrent(int level, int bucket, int slot, int address, int label);

  /** Whether a block that the client holds should have this label. */
  boolean isHeldUnder(int address, int label);
}
