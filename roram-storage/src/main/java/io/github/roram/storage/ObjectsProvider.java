package io.github.roram.storage;

import io.github.roram.ConfigurationException;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectTraits;
import java.io.IOException;
import java.util.List;

/**
 * A kind of engines that keep objects: what can be done with the URIs of one scheme. A jar adds its
 * own kinds by naming them in {@code META-INF/services/io.github.roram.storage.ObjectsProvider};
 * {@link Engines} finds them there.
 *
 * <p>An implementation is public, has a public constructor without arguments that does nothing
 * slow, and no state. A location that cannot be is a {@link ConfigurationException} that quotes the
 * URI and says how it is written. Values of options that are not given, and options of other kinds,
 * are no error.
 *
 * <p>Thread safety: safe.
 */
public interface ObjectsProvider {

  /** What comes before the colon of the URI, in lower case. No other provider may have the same. */
  String scheme();

  /** How such a URI is written, as in {@code s3:BUCKET/PREFIX}. */
  String form();

  /** What such an engine is, in a few words. */
  String about();

  /** The options that these engines have; their names begin with the scheme. */
  List<StoreOption<?>> options();

  /** The location, however it was written, from wherever on this machine. */
  default String place(String location) {
    return location;
  }

  /** What is good to know of an engine before it is used. Asks nobody. */
  ObjectTraits traits(String location, StoreOptions options);

  /**
   * Opens a place of objects, whether it has any or not.
   *
   * @param location what comes after the colon of the URI
   * @throws ConfigurationException if an option cannot be had there
   * @throws IOException if the engine cannot be reached
   */
  ObjectSpace open(String location, StoreOptions options) throws IOException;
}
