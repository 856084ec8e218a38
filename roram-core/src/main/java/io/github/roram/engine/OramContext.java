package io.github.roram.engine;

import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PatternCodec;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.cipher.LabelSource;
import io.github.roram.state.ClientRecords;
import io.github.roram.store.BlockStore;
import io.github.roram.tree.Workspace;
import java.util.UUID;

/**
 * What a scheme is built from.
 *
 * @param config the parameters
 * @param options how the store is used while it is open
 * @param storeId identity of the store
 * @param store where the buckets go
 * @param records keys and saved state; the ORAM closes them
 * @param firstLabels labels of ranges that were never accessed
 * @param labels source of fresh labels
 * @param payload whether blocks hold data: false only for {@code pattern.PatternOram}
 */
public record OramContext(
    OramConfig config,
    OpenOptions options,
    UUID storeId,
    BlockStore store,
    ClientRecords records,
    LabelPrf firstLabels,
    LabelSource labels,
    boolean payload) {

  /** Bytes of data in a block that the client holds: none without payload. */
  public int heldBlockBytes() {
    return payload ? config.blockBytes() : 0;
  }

  /** Working memory for buckets with this many bytes of links. */
  public Workspace workspace(int linkBytes) {
    BucketDescriptor descriptor =
        new BucketDescriptor(config.bucketSlots(), config.blockBytes(), linkBytes);
    BucketCodec codec =
        payload
            ? new BucketCodec(descriptor, records.keys(), storeId)
            : new PatternCodec(descriptor.withoutPayload(), records.keys(), storeId);
    return new Workspace(codec, records, cipherThreads());
  }

  /** Path ORAM moves a path at a time, too little to share. */
  private int cipherThreads() {
    return config.scheme() == Scheme.PATH ? 1 : options.threads();
  }
}
