package io.github.roram.storage;

import io.github.roram.ConfigurationException;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectTraits;
import java.io.IOException;
import java.util.List;

/**
 * A kind of engine that keeps objects: the operations on URIs of one scheme. A jar adds its own
 * kinds by naming them in {@code META-INF/services/io.github.roram.storage.ObjectsProvider}; {@link
 * Engines} finds them there.
 *
 * <p>An implementation is public, has a public constructor without arguments that does nothing
 * slow, and no state. It answers an invalid location with a {@link ConfigurationException} that
 * quotes the URI and gives the right form. Missing options, and options of other kinds, are no
 * error.
 *
 * <p>Thread safety: safe.
 */
public interface ObjectsProvider {

  /** Returns the part of the URI before the colon, in lower case. It must be unique. */
  String scheme();

  /** Returns the form of such a URI, as in {@code s3:BUCKET/PREFIX}. */
  String form();

  /** Describes such an engine in a few words. */
  String about();

  /** Returns the options that these engines have; their names begin with the scheme. */
  List<StoreOption<?>> options();

  /** Returns the same text for all spellings of a location, from any working directory. */
  default String place(String location) {
    return location;
  }

  /** Returns the properties of an engine, without a request to it. */
  ObjectTraits traits(String location, StoreOptions options);

  /**
   * Opens a place of objects, which may be empty.
   *
   * @param location the part of the URI after the colon
   * @throws ConfigurationException if the engine cannot have an option
   * @throws IOException if the engine cannot be reached
   */
  ObjectSpace open(String location, StoreOptions options) throws IOException;
}
