package io.github.roram.tree;

/**
 * The levels that were added to a tree since it was created, and when: level h + 1 + i, where the
 * tree had height h at first, is written by evictions from {@code since(i)} on. Before, its buckets
 * are empty (construction, section 2.6).
 */
public final class AddedLevels {

  /** Of a tree that never grew. */
  public static final AddedLevels NONE = new AddedLevels();

  private final long[] since;

  /**
   * Levels from the uppermost on.
   *
   * @param since cnt when each was added, not decreasing
   */
  public AddedLevels(long... since) {
    this.since = since.clone();
  }

  /** How many. */
  int count() {
    return since.length;
  }

  /** The first eviction that writes one of them. */
  long since(int index) {
    return since[index];
  }
}
