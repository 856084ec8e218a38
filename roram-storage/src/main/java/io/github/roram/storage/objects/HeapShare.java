package io.github.roram.storage.objects;

import io.github.roram.ConfigurationException;

/**
 * Counts what is held in memory of what whoever has a store or a backup may have invented, and
 * refuses more than a part of Java's heap.
 */
public final class HeapShare {

  private final String what;
  private final long most;
  private long bytes;

  /**
   * Nothing yet.
   *
   * @param what does not fit, for the message: "... has more names than fit"
   * @param part 4 for a quarter of the heap
   */
  public HeapShare(String what, int part) {
    this.what = what;
    most = Runtime.getRuntime().maxMemory() / part;
  }

  /**
   * Counts further bytes, about to be held.
   *
   * @throws ConfigurationException if there are too many
   */
  public void add(long more) {
    bytes += more;
    if (bytes > most) {
      throw new ConfigurationException(
          what
              + " in "
              + (most >> 20)
              + " MiB, a part of Java's heap: give it more (-Xmx), or find out who made them");
    }
  }
}
