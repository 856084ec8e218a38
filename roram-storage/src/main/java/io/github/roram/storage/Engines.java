package io.github.roram.storage;

import io.github.roram.ConfigurationException;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectTraits;
import java.io.IOException;
import java.util.List;

/**
 * Opens places of objects by URI. What comes before the colon of a URI is the scheme of an {@link
 * ObjectsProvider}; what follows is a location as the provider understands it.
 *
 * <p>Every method throws {@link ConfigurationException} if the URI is of no known kind, or
 * malformed. Thread safety: safe.
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
   * Opens a place of objects, whether it has any or not.
   *
   * @throws IOException if the engine cannot be reached
   */
  public static ObjectSpace open(String uri, StoreOptions options) throws IOException {
    return provider(uri).open(UriKinds.locationOf(uri), options);
  }

  /** What is good to know of an engine before it is used. Asks nobody. */
  public static ObjectTraits traits(String uri, StoreOptions options) {
    return provider(uri).traits(UriKinds.locationOf(uri), options);
  }

  /**
   * All kinds of engines that there are, in alphabetical order: those that the current thread's
   * class loader finds, and those that came with this library.
   */
  public static List<ObjectsProvider> providers() {
    return KINDS.all();
  }

  /** The kind of engines that a URI is of. */
  public static ObjectsProvider provider(String uri) {
    return KINDS.of(uri, "");
  }
}
