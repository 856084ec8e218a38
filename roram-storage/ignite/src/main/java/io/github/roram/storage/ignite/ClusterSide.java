package io.github.roram.storage.ignite;

import org.jspecify.annotations.Nullable;

/** What a client asks of a node that is not a matter of one key: {@link RoramNode}. */
interface ClusterSide {

  /** The name of the service. */
  String NAME = "roram";

  /** Most names of an answer. */
  int NAMES_AT_ONCE = 5000;

  /**
   * Makes caches that are not there, and looks at those that are, and at all nodes.
   *
   * @param caches what their names begin with
   * @return what is wrong and its remedy; empty if the caches can be used
   */
  String prepare(String caches);

  /**
   * The start of an entry, as more than half of the nodes have it. What a primary node acknowledged
   * just when it lost the others may be with it alone.
   *
   * @param cache its whole name
   * @return as of {@link Entry.ReadPart}
   * @throws IllegalStateException if less than half of the nodes answer
   */
  byte @Nullable [] read(String cache, String key, int mostBytes);

  /**
   * Keys of objects in order: those with a prefix, behind one.
   *
   * @param after empty for all
   * @throws IllegalStateException if less than half of the nodes answer
   */
  String[] keys(String caches, String prefix, String after);
}
