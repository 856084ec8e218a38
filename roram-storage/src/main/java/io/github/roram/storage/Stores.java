package io.github.roram.storage;

import java.io.IOException;

/** Creates, opens and deletes stores by URI: {@code mem:} and {@code file:DIR}. */
public final class Stores {

  private Stores() {}

  /** Creates a store. */
  public static OpenedStore create(String uri, long capacityBytes, StoreOptions options)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Opens a store. */
  public static OpenedStore open(String uri, StoreOptions options) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Whether there is a store. */
  public static boolean exists(String uri) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Deletes a store. */
  public static void delete(String uri) throws IOException {
    throw new UnsupportedOperationException();
  }
}
