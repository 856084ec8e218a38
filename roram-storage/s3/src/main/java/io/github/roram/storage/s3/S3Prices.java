package io.github.roram.storage.s3;

import io.github.roram.object.ObjectTraits.Prices;

/** What Amazon charges, by its list for us-east-1. Traffic out of its region costs more. */
final class S3Prices {

  /** S3 Standard. */
  static final Prices STANDARD = new Prices(0.40, 5, 0, 0, 0, 0.023);

  /** S3 Express One Zone. */
  static final Prices EXPRESS = new Prices(0.03, 1.13, 0, 0.0006, 0.0032, 0.11);

  private S3Prices() {}
}
