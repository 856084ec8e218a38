package io.github.roram.storage.s3;

import io.github.roram.storage.objects.ObjectStoreProvider;

/** Stores of objects in Amazon S3, or on a server of its protocol: {@code s3:BUCKET/PREFIX}. */
public final class S3StoreProvider extends ObjectStoreProvider {

  /** Creates a provider, for the service loader. */
  public S3StoreProvider() {
    super(new S3ObjectsProvider());
  }
}
