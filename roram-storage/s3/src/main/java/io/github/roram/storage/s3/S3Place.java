package io.github.roram.storage.s3;

import io.github.roram.ConfigurationException;
import io.github.roram.object.ObjectSpace;
import java.util.regex.Pattern;

/**
 * Where objects are: in a bucket, under keys that begin with a prefix and a slash.
 *
 * @param bucket its name, as S3 allows it
 * @param prefix parts of a name, separated by slashes
 */
record S3Place(String bucket, String prefix) {

  static final String SCHEME = "s3";
  static final String FORM = "s3:BUCKET/PREFIX";

  /** Directory buckets, which are those of S3 Express One Zone, have names that end so. */
  private static final String DIRECTORY_BUCKET = "--x-s3";

  private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");

  /**
   * Reads what comes after the colon of a URI.
   *
   * @throws ConfigurationException quoting the URI, if it is no bucket and prefix
   */
  static S3Place of(String location) {
    int slash = location.indexOf('/');
    String bucket = slash < 0 ? location : location.substring(0, slash);
    String prefix = slash < 0 ? "" : location.substring(slash + 1);
    if (!BUCKET.matcher(bucket).matches()) {
      throw unreadable(
          location, "its bucket must have 3 to 63 of the characters a-z, 0-9, . and -");
    }
    try {
      ObjectSpace.checkName(prefix);
    } catch (IllegalArgumentException e) {
      throw unreadable(
          location,
          "its prefix must be parts of the letters a to z, digits and hyphens, separated by"
              + " slashes");
    }
    return new S3Place(bucket, prefix);
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

  /** Whether it is in S3 Express One Zone. */
  boolean isExpress() {
    return bucket.endsWith(DIRECTORY_BUCKET);
  }

  @Override
  public String toString() {
    return SCHEME + ":" + bucket + "/" + prefix;
  }
}
