package io.github.roram.tao;

/**
 * What names the content of a bucket: a number that counts paths written, and the key epoch that
 * sealed it. A write-back that failed, or that a crash tore, is done again with the same numbers in
 * another epoch, so what it left is never taken for what the client has. 0 means never written.
 *
 * <p>A master key seals one content under a version, so whoever knows the version need not know
 * which epoch sealed it: that is its own, or the one in which the master key was changed.
 */
final class BucketVersion {

  /** A bucket that was never written. */
  static final long NEVER = 0;

  private static final int NUMBER_BITS = 40;

  /** Epochs are below this: a new one begins with each opening and each failed write. */
  private static final int EPOCHS = 1 << (Long.SIZE - 1 - NUMBER_BITS);

  private BucketVersion() {}

  /**
   * A version.
   *
   * @param number above 0, and below 2^40
   * @throws IllegalStateException if the store was opened too often
   */
  static long of(int epoch, long number) {
    if (epoch < 0 || epoch >= EPOCHS || number < 1 || number >>> NUMBER_BITS != 0) {
      throw new IllegalStateException(
          "the store is in key epoch "
              + epoch
              + " and has written "
              + number
              + " paths, a store of scheme tao has at most "
              + (EPOCHS - 1)
              + " epochs and 2^40 paths; export it and import it to a new one");
    }
    return (long) epoch << NUMBER_BITS | number;
  }
}
