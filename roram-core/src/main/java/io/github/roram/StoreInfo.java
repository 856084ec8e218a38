package io.github.roram;

import java.util.UUID;

/**
 * What the superblock of a store tells anyone, with or without the key.
 *
 * @param formatVersion version of the layout on the store
 * @param storeId random id, fixed at creation; every bucket is authenticated together with it
 * @param storeBytes bytes of address space that the layout takes
 * @param config the configuration
 * @param witnessed whether the store keeps a watermark of the client's records, which detects a
 *     rollback of those records alone
 * @param guarded whether the store was created with a rollback guard, and opens only with one
 */
public record StoreInfo(
    int formatVersion,
    UUID storeId,
    long storeBytes,
    OramConfig config,
    boolean witnessed,
    boolean guarded) {

  /** Returns this information with another configuration. */
  public StoreInfo with(OramConfig used) {
    return new StoreInfo(formatVersion, storeId, storeBytes, used, witnessed, guarded);
  }
}
