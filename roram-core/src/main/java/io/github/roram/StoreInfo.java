package io.github.roram;

import java.util.UUID;

/**
 * What the superblock of a store tells anyone, key or not.
 *
 * @param formatVersion version of the layout on the store
 * @param storeId random, fixed at creation; part of what every bucket is authenticated with
 * @param storeBytes size of the address space that the layout takes
 * @param config the parameters
 * @param witnessed whether the store keeps a watermark of the client's records, so that older ones
 *     that are put back alone are noticed
 * @param guarded whether it was created with a rollback guard, and opens with one only
 */
public record StoreInfo(
    int formatVersion,
    UUID storeId,
    long storeBytes,
    OramConfig config,
    boolean witnessed,
    boolean guarded) {

  /** The same store, used with another configuration. */
  public StoreInfo with(OramConfig used) {
    return new StoreInfo(formatVersion, storeId, storeBytes, used, witnessed, guarded);
  }
}
