package io.github.roram;

/** What an access that returned is safe from (construction, section 6). */
public enum Durability {
  /** Power failure: an acknowledged access is on durable media. */
  SYNC,
  /** The death of this process, however it dies; a power failure may leave the store unusable. */
  OS,
  /**
   * Nothing but {@link Oram#close}: what was done since the opening is lost if the process dies
   * before, and the store cannot be opened again. For experiments.
   */
  NONE
}
