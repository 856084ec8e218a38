package io.github.roram.storage.s3;

import io.github.roram.object.ObjectTraits.Prices;

/** What Amazon charges, by its list for us-east-1. Traffic out of its region costs more. */
final class S3Prices {

  /** S3 Standard. */
  static final Prices STANDARD = new Prices(0.40, 5, 0, 0, 0, 0.023);

  private S3Prices() {}
}
