package io.github.roram.pattern;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.engine.Payload;
import java.util.UUID;

/**
 * Blocks that hold nothing while they are with the client, in buckets that are as long on the store
 * as if they did: only what is accessed counts. For experiments; it cannot be had from outside.
 */
final class PayloadFree implements Payload {

  private final PatternStore store;
  private final boolean asWritten;

  /**
   * Blocks whose buckets go to this store.
   *
   * @param asWritten whether buckets that were never written are taken for empty ones
   */
  PayloadFree(PatternStore store, boolean asWritten) {
    this.store = store;
    this.asWritten = asWritten;
  }

  @Override
  public BucketCodec codec(BucketDescriptor descriptor, BucketKeys keys, UUID storeId) {
    BucketDescriptor kept = descriptor.withoutPayload();
    store.keep(kept);
    return new PayloadFreeCodec(kept, keys, storeId, asWritten);
  }

  @Override
  public int heldBytes(int blockBytes) {
    return 0;
  }
}
