package io.github.roram.storage.ignite;

import io.github.roram.ConfigurationException;
import io.github.roram.object.ObjectSpace;
import java.util.regex.Pattern;

/**
 * Where objects are: in three caches of a cluster, under keys that begin with a prefix and a slash.
 *
 * @param caches what the caches' names begin with
 * @param prefix parts of a name, separated by slashes
 */
record IgnitePlace(String caches, String prefix) {

  static final String SCHEME = "ignite";
  static final String FORM = "ignite:CACHES/PREFIX";

  private static final Pattern CACHES = Pattern.compile("[a-z0-9][a-z0-9-]{0,39}");

  /**
   * Reads what comes after the colon of a URI.
   *
   * @throws ConfigurationException quoting the URI, if it is no name of caches and prefix
   */
  static IgnitePlace of(String location) {
    int slash = location.indexOf('/');
    String caches = slash < 0 ? location : location.substring(0, slash);
    String prefix = slash < 0 ? "" : location.substring(slash + 1);
    if (!CACHES.matcher(caches).matches()) {
      throw unreadable(
          location, "the name of its caches must have 1 to 40 of the characters a-z, 0-9 and -");
    }
    try {
      ObjectSpace.checkName(prefix);
    } catch (IllegalArgumentException e) {
      throw unreadable(
          location,
          "its prefix must be parts of the letters a to z, digits and hyphens, separated by"
              + " slashes");
    }
    return new IgnitePlace(caches, prefix);
  }

  private static ConfigurationException unreadable(String location, String why) {
    return new ConfigurationException(
        "URI is \"" + SCHEME + ":" + location + "\", must be " + FORM + ": " + why);
  }

  /** The key of an object, or what keys begin with. */
  String key(String name) {
    return prefix + "/" + name;
  }

  /** The name of an object of this place. */
  String name(String key) {
    return key.substring(prefix.length() + 1);
  }

  @Override
  public String toString() {
    return SCHEME + ":" + caches + "/" + prefix;
  }
}
