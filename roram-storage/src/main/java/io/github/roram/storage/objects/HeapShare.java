package io.github.roram.storage.objects;

import io.github.roram.ConfigurationException;

/**
 * Limits the memory for data that the holder of a store or backup may have forged: refuses more
 * than a part of Java's heap.
 */
public final class HeapShare {

  private final String what;
  private final long most;
  private long bytes;

  /**
   * Creates a limit of which nothing is used.
   *
   * @param what the data, for the message: "... has more names than fit"
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
