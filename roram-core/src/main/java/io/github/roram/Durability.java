package io.github.roram;

/** Which failures an acknowledged access survives (construction, section 6). */
public enum Durability {
  /**
   * Power failure: an acknowledged access is on durable media. The record of a read is on durable
   * media before the store sees the read, so that no label is shown for two reasons.
   */
  SYNC,
  /**
   * The death of this process, and, once {@link Oram#flush} has returned, power failure: the
   * promise of a disk with a cache. After a power failure the store comes back as it was after some
   * access that was acknowledged or in flight. No flushed access is missing; of the others, only
   * the last ones can be. As with {@link #SYNC}, the record of a read is on durable media before
   * the store sees the read. That sync makes all earlier accesses durable too: with one caller at a
   * time, at most the last access can be lost.
   */
  FLUSH,
  /**
   * The death of this process, however it dies. After a power failure the store comes back as it
   * was at an earlier moment, or can no longer be opened or read, which is reported as an error.
   * The store may then see labels for a second reason: if the record of a read was lost, the next
   * read of the same range shows the same label. The store then learns which of the last accesses
   * before the failure and which access after it were of one range. {@link #FLUSH} has neither
   * fault, at the cost of one sync per access.
   */
  OS,
  /**
   * Nothing but {@link Oram#close}: if the process dies before, everything done since the opening
   * is lost, and the store cannot be opened again. For experiments.
   */
  NONE
}
