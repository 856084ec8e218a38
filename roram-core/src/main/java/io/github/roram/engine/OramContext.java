package io.github.roram.engine;

import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.EpochSource;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.cipher.LabelSource;
import io.github.roram.store.BlockStore;
import java.util.UUID;

/**
 * The parts from which an engine is built.
 *
 * @param config the configuration
 * @param options how the store is used while it is open
 * @param storeId identity of the store
 * @param store the store of the buckets
 * @param keys keys of the buckets, which the engine does not close
 * @param epochs begins another key epoch
 * @param firstLabels labels of ranges that were never accessed; saved with the engine's state
 * @param labels source of fresh labels
 * @param payload content of blocks: {@link Payload#DATA}, except for experiments that only count
 */
public record OramContext(
    OramConfig config,
    OpenOptions options,
    UUID storeId,
    BlockStore store,
    BucketKeys keys,
    EpochSource epochs,
    LabelPrf firstLabels,
    LabelSource labels,
    Payload payload) {

  /** Returns the same parts with another configuration. */
  public OramContext with(OramConfig other) {
    return new OramContext(
        other, options, storeId, store, keys, epochs, firstLabels, labels, payload);
  }

  /** Returns the bytes of data that the client holds of a block. */
  public int heldBlockBytes() {
    return payload.heldBytes(config.blockBytes());
  }

  /** Returns a codec that opens and seals buckets of a layout. */
  public BucketCodec codec(BucketDescriptor descriptor) {
    return payload.codec(descriptor, keys, storeId);
  }
}
