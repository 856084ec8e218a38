package io.github.roram.storage.ignite;

import org.jspecify.annotations.Nullable;

/** What a client asks of a node that is not a matter of one key: {@link RoramNode}. */
interface ClusterSide {

  /** The name of the service. */
  String NAME = "roram";

  /** Most names of an answer. */
  int NAMES_AT_ONCE = 5000;

  /**
   * Creates missing caches, and checks existing ones and all nodes.
   *
   * @param caches beginning of their names
   * @return what is wrong and its remedy; empty if the caches can be used
   */
  String prepare(String caches);

  /**
   * Returns the start of an entry as more than half of the nodes have it. A primary node that
   * acknowledged data just as it lost the others may be the only one with them.
   *
   * @param cache full name of the cache
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
