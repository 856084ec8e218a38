package io.github.roram.storage.objects;

import io.github.roram.storage.file.DirectoryObjectsProvider;

/** Stores of objects in a directory: {@code objects:DIR}. */
public final class DirectoryStoreProvider extends ObjectStoreProvider {

  /** Creates a provider, for the service loader. */
  public DirectoryStoreProvider() {
    super(new DirectoryObjectsProvider());
  }
}
