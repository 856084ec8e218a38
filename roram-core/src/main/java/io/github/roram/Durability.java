package io.github.roram;

/** What an access that returned is safe from (construction, section 6). */
public enum Durability {
  /**
   * Power failure: an acknowledged access is on durable media. What is about to be read is on
   * durable media before the store sees it, so that no label is shown for two reasons.
   */
  SYNC,
  /**
   * The death of this process, and power failure once {@link Oram#flush} returned: what a disk
   * promises that has a cache. After a power failure the store comes back as it was after some
   * access that was acknowledged or under way, and no flushed one is missing: of the others the
   * last ones are. What is about to be read is on durable media before the store sees it, as with
   * {@link #SYNC}, so that no label is shown for two reasons. That sync makes all accesses before
   * it durable, too: with one caller at a time, no more than the last one can be lost.
   */
  FLUSH,
  /**
   * The death of this process, however it dies. After a power failure the store comes back as it
   * was at an earlier moment, or cannot be opened or read any more, which is an error. The store
   * may then see labels for a second reason: reads were begun whose record was lost, and the next
   * read of the same range shows the same label. It learns which of the last accesses before the
   * failure, and which after it, were of one range. {@link #FLUSH} has neither fault, for one sync
   * an access.
   */
  OS,
  /**
   * Nothing but {@link Oram#close}: what was done since the opening is lost if the process dies
   * before, and the store cannot be opened again. For experiments.
   */
  NONE
}
