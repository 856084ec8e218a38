package io.github.roram;

import java.util.UUID;

/**
 * What the superblock of a store tells anyone, key or not.
 *
 * @param formatVersion version of the layout on the store
 * @param storeId random, fixed at creation; part of what every bucket is authenticated with
 * @param storeBytes size of the address space that the layout takes
 * @param config the parameters
 */
public record StoreInfo(int formatVersion, UUID storeId, long storeBytes, OramConfig config) {}
