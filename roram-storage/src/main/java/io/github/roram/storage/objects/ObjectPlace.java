package io.github.roram.storage.objects;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.object.ObjectSpace;
import java.util.regex.Pattern;

/**
 * The place of objects in an engine that many users share: in a container, under keys that begin
 * with a prefix and a slash.
 *
 * @param scheme scheme of the URI
 * @param container what the engine calls a bucket, or the beginning of its caches' names
 * @param prefix parts of a name, separated by slashes
 */
public record ObjectPlace(String scheme, String container, String prefix) {

  /**
   * The form of an engine's places.
   *
   * @param scheme scheme of the URI
   * @param text the whole URI, as in a usage message
   * @param container the names that a container may have
   * @param containerRule the same in words
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

  /** Returns the key of an object, or the beginning of keys. */
  public String key(String name) {
    return prefix + "/" + name;
  }

  /**
   * Returns the name of an object from its key.
   *
   * @throws IntegrityException if the key, which comes from the engine, is not one of this place
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
