package io.github.roram.engine;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.cipher.BucketKeys;
import java.util.UUID;

/** What blocks hold while they are with the client, and how their buckets are sealed. */
public interface Payload {

  /** Their data, in sealed buckets: that of every ORAM. */
  Payload DATA =
      new Payload() {
        @Override
        public BucketCodec codec(BucketDescriptor descriptor, BucketKeys keys, UUID storeId) {
          return new BucketCodec(descriptor, keys, storeId);
        }

        @Override
        public int heldBytes(int blockBytes) {
          return blockBytes;
        }
      };

  /** Opens and seals buckets that lie on the store like this. */
  BucketCodec codec(BucketDescriptor descriptor, BucketKeys keys, UUID storeId);

  /** Bytes of data in a block that the client holds. */
  int heldBytes(int blockBytes);
}
