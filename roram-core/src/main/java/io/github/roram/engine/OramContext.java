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
 * What an engine is built from.
 *
 * @param config the parameters
 * @param options how the store is used while it is open
 * @param storeId identity of the store
 * @param store where the buckets go
 * @param keys those of the buckets; not the engine's to close
 * @param epochs begins another key epoch
 * @param firstLabels labels of ranges that were never accessed; saved with the engine's state
 * @param labels source of fresh labels
 * @param payload what blocks hold: {@link Payload#DATA} but for experiments that only count
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

  /** The same parts with another configuration. */
  public OramContext with(OramConfig other) {
    return new OramContext(
        other, options, storeId, store, keys, epochs, firstLabels, labels, payload);
  }

  /** Bytes of data in a block that the client holds. */
  public int heldBlockBytes() {
    return payload.heldBytes(config.blockBytes());
  }

  /** Opens and seals buckets that lie on the store like this. */
  public BucketCodec codec(BucketDescriptor descriptor) {
    return payload.codec(descriptor, keys, storeId);
  }
}
