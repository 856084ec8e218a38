package io.github.roram.storage;

import io.github.roram.ConfigurationException;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectTraits;
import java.io.IOException;
import java.util.List;

/**
 * Opens places of objects by URI. The part of a URI before the colon is the scheme of an {@link
 * ObjectsProvider}; the rest is a location that the provider interprets.
 *
 * <p>Every method throws {@link ConfigurationException} if the URI is malformed or of an unknown
 * kind. Thread safety: safe.
 */
public final class Engines {

  private static final UriKinds<ObjectsProvider> KINDS =
      new UriKinds<>(
          "engine",
          ObjectsProvider.class,
          ObjectsProvider::scheme,
          kind -> kind.form() + " (" + kind.about() + ")");

  private Engines() {}

  /**
   * Opens a place of objects, which may be empty.
   *
   * @throws IOException if the engine cannot be reached
   */
  public static ObjectSpace open(String uri, StoreOptions options) throws IOException {
    return provider(uri).open(UriKinds.locationOf(uri), options);
  }

  /** Returns the properties of an engine, without a request to it. */
  public static ObjectTraits traits(String uri, StoreOptions options) {
    return provider(uri).traits(UriKinds.locationOf(uri), options);
  }

  /**
   * Returns all kinds of engines, in alphabetical order: those that the current thread's class
   * loader finds, and those that come with this library.
   */
  public static List<ObjectsProvider> providers() {
    return KINDS.all();
  }

  /** Returns the kind of engine that a URI names. */
  public static ObjectsProvider provider(String uri) {
    return KINDS.of(uri, "");
  }
}
