package io.github.roram.storage.objects;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.object.ObjectSpace;
import java.util.regex.Pattern;

/**
 * Where objects are in an engine that many share: in a container, under keys that begin with a
 * prefix and a slash.
 *
 * @param scheme that of the URI
 * @param container what the engine calls a bucket, or what its caches' names begin with
 * @param prefix parts of a name, separated by slashes
 */
public record ObjectPlace(String scheme, String container, String prefix) {

  /**
   * How places of an engine are written.
   *
   * @param scheme that of the URI
   * @param text the whole URI, as a usage message has it
   * @param container which names a container may have
   * @param containerRule that in words
   */
  public record Form(String scheme, String text, Pattern container, String containerRule) {

    /**
     * Reads what comes after the colon of a URI.
     *
     * @throws ConfigurationException quoting the URI, if it is no container and prefix
     */
    public ObjectPlace read(String location) {
      int slash = location.indexOf('/');
      String name = slash < 0 ? location : location.substring(0, slash);
      String prefix = slash < 0 ? "" : location.substring(slash + 1);
      if (!container.matcher(name).matches()) {
        throw unreadable(location, containerRule);
      }
      try {
        ObjectSpace.checkName(prefix);
      } catch (IllegalArgumentException e) {
        throw unreadable(
            location,
            "its prefix must be parts of the letters a to z, digits and hyphens, separated by"
                + " slashes");
      }
      return new ObjectPlace(scheme, name, prefix);
    }

    private ConfigurationException unreadable(String location, String why) {
      return new ConfigurationException(
          "URI is \"" + scheme + ":" + location + "\", must be " + text + ": " + why);
    }
  }

  /** The key of an object, or what keys begin with. */
  public String key(String name) {
    return prefix + "/" + name;
  }

  /**
   * The name of an object of this place.
   *
   * @throws IntegrityException if the key, which comes from the engine, is none of this place
   */
  public String name(String key) {
    if (!key.startsWith(prefix + "/")) {
      throw new IntegrityException(
          this + ": the engine was asked for keys of this place, and names others: use another");
    }
    return key.substring(prefix.length() + 1);
  }

  @Override
  public String toString() {
    return scheme + ":" + container + "/" + prefix;
  }
}
