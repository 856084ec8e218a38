package io.github.roram.engine;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.cipher.BucketKeys;
import java.util.UUID;

/** The content of blocks that the client holds, and the sealing of their buckets. */
public interface Payload {

  /** Data in sealed buckets, as in every ORAM. */
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

  /** Returns a codec that opens and seals buckets of a layout. */
  BucketCodec codec(BucketDescriptor descriptor, BucketKeys keys, UUID storeId);

  /** Returns the bytes of data that the client holds of a block. */
  int heldBytes(int blockBytes);
}
