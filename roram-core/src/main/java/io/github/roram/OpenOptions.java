package io.github.roram;

import io.github.roram.store.RollbackGuard;

/**
 * How a store is used while it is open; nothing of it is stored.
 *
 * @param durability what an acknowledged access is safe from
 * @param checkpointBytes the client's state is checkpointed, and its journal starts anew, whenever
 *     the journal has grown by so many bytes; at least 64 KiB
 * @param rollbackGuard tells whether the client's own records are the newest; {@link
 *     RollbackGuard#NONE} for none
 */
public record OpenOptions(
    Durability durability, long checkpointBytes, RollbackGuard rollbackGuard) {

  /** The smallest {@code checkpointBytes}. */
  public static final long MIN_CHECKPOINT_BYTES = 1 << 16;

  /** Checks the bounds. */
  public OpenOptions {
    if (checkpointBytes < MIN_CHECKPOINT_BYTES) {
      throw new ConfigurationException(
          "checkpointBytes is " + checkpointBytes + ", must be at least " + MIN_CHECKPOINT_BYTES);
    }
  }

  /** These options with another durability. */
  public OpenOptions withDurability(Durability value) {
    return new OpenOptions(value, checkpointBytes, rollbackGuard);
  }

  /** These options with another bound on the journal. */
  public OpenOptions withCheckpointBytes(long value) {
    return new OpenOptions(durability, value, rollbackGuard);
  }

  /** These options with a guard, which stays the caller's. */
  public OpenOptions withRollbackGuard(RollbackGuard value) {
    return new OpenOptions(durability, checkpointBytes, value);
  }

  /**
   * {@link Durability#SYNC} and a checkpoint every 256 MiB. Classic Path ORAM, the baseline of
   * experiments, overwrites paths in place and has no journal: its durability is NONE.
   */
  public static OpenOptions defaults(Scheme scheme) {
    return new OpenOptions(
        scheme == Scheme.PATH ? Durability.NONE : Durability.SYNC, 256L << 20, RollbackGuard.NONE);
  }
}
