package io.github.roram.bucket;

import java.nio.ByteBuffer;

/**
 * The bytes of a bucket as on the store, in a separate array; those of an omitted payload are
 * skipped. Not thread safe.
 */
public final class SealedBucket {

  private final byte[] bytes;
  private final ByteBuffer view;
  private final int skippedBytes;

  /** Creates an array for buckets of a layout. */
  public SealedBucket(BucketDescriptor descriptor) {
    bytes = new byte[descriptor.keptBytes()];
    skippedBytes = descriptor.sealedBytes() - bytes.length;
    view = ByteBuffer.wrap(bytes);
  }

  /** Copies the next bucket of {@code source}. */
  public void take(ByteBuffer source) {
    source.get(bytes).position(source.position() + skippedBytes);
  }

  /** Copies the bucket at {@code index} of {@code source}, whose position does not change. */
  public void take(ByteBuffer source, int index) {
    source.get(index, bytes);
  }

  /** Appends the bucket to {@code target}. */
  public void give(ByteBuffer target) {
    target.put(bytes).position(target.position() + skippedBytes);
  }

  /** Returns the array itself. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns a view of the same bytes, for access to the header. */
  public ByteBuffer view() {
    return view;
  }
}
