package io.github.roram.bucket;

import java.nio.ByteBuffer;

/**
 * The bytes of a bucket as the store has it, in an array of its own; those of a left out payload
 * are skipped. Not thread safe.
 */
public final class SealedBucket {

  private final byte[] bytes;
  private final ByteBuffer view;
  private final int skippedBytes;

  /** An array for buckets of this layout. */
  public SealedBucket(BucketDescriptor descriptor) {
    bytes = new byte[descriptor.keptBytes()];
    skippedBytes = descriptor.sealedBytes() - bytes.length;
    view = ByteBuffer.wrap(bytes);
  }

  /** Takes the next bucket of {@code source}. */
  public void take(ByteBuffer source) {
    source.get(bytes).position(source.position() + skippedBytes);
  }

  /** Takes the bucket that starts at {@code index} of {@code source}, whose position stays. */
  public void take(ByteBuffer source, int index) {
    source.get(index, bytes);
  }

  /** Appends the bucket to {@code target}. */
  public void give(ByteBuffer target) {
    target.put(bytes).position(target.position() + skippedBytes);
  }

  /** The bytes themselves. */
  public byte[] bytes() {
    return bytes;
  }

  /** The same bytes, for their header. */
  public ByteBuffer view() {
    return view;
  }
}
