package io.github.roram.storage.ignite;

import io.github.roram.storage.objects.ObjectStoreProvider;

/** Stores of objects in a cluster of Apache Ignite: {@code ignite:CACHES/PREFIX}. */
public final class IgniteStoreProvider extends ObjectStoreProvider {

  /** Creates a provider, for the service loader. */
  public IgniteStoreProvider() {
    super(new IgniteObjectsProvider());
  }
}
