package io.github.roram.tree;

import io.github.roram.bucket.BucketDescriptor;

/**
 * How many threads open and seal the buckets of a request, and how many buckets stand between them
 * and the store.
 *
 * @param threads the calling one included; at least 1
 * @param slots buckets in the ring: a power of two
 */
public record RingShape(int threads, int slots) {

  /** A thread that lost its processor for a moment does not stop the others at once. */
  private static final int MOST_SLOTS_FOR_THREAD = 128;

  private static final int LEAST_SLOTS_FOR_THREAD = 4;

  /** Of a ring with a bound: as many keep any number of threads busy. */
  private static final int MOST_SLOTS = 256;

  /** Of a ring with a bound: a thread costs memory of its own. */
  private static final int LEAST_BYTES_FOR_THREAD = 1 << 17;

  /** Memory for sealed buckets in the ring, and as much for opened ones. */
  private static final int USUAL_BYTES = 4 << 20;

  /**
   * The shape for buckets of a layout.
   *
   * @param threads how many there are
   * @param mostBytes of the buckets in the ring, sealed and opened: so many threads work as have
   *     room in it, and one does in any case; 0 for no bound
   */
  public static RingShape of(BucketDescriptor descriptor, int threads, long mostBytes) {
    int bucketBytes = descriptor.sealedBytes();
    if (mostBytes == 0) {
      return threads == 1
          ? new RingShape(1, 1)
          : new RingShape(threads, slots(threads, USUAL_BYTES / bucketBytes));
    }
    long fitting = Math.min(USUAL_BYTES, mostBytes / 2) / bucketBytes;
    long eachBytes = Math.max(LEAST_BYTES_FOR_THREAD, 2L * LEAST_SLOTS_FOR_THREAD * bucketBytes);
    int working = (int) Math.min(threads, mostBytes / eachBytes);
    if (working <= 1) {
      return new RingShape(1, 1);
    }
    return new RingShape(working, (int) Long.highestOneBit(Math.min(MOST_SLOTS, fitting)));
  }

  private static int slots(int threads, int fitting) {
    int wanted =
        Math.min(
            MOST_SLOTS_FOR_THREAD * threads, Math.max(LEAST_SLOTS_FOR_THREAD * threads, fitting));
    return Integer.highestOneBit(2 * wanted - 1);
  }

  /** Bytes of the buckets in the ring, sealed and opened. */
  public long bytes(BucketDescriptor descriptor) {
    return (long) slots * (descriptor.sealedBytes() + descriptor.plainBytes());
  }
}
