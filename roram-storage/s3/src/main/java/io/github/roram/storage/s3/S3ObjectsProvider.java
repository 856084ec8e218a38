package io.github.roram.storage.s3;

import io.github.roram.ConfigurationException;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectTraits;
import io.github.roram.storage.ObjectsProvider;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.objects.ObjectPlace;
import java.util.List;
import java.util.regex.Pattern;

/** Objects in a bucket: {@code s3:BUCKET/PREFIX}. */
public final class S3ObjectsProvider implements ObjectsProvider {

  static final ObjectPlace.Form PLACES =
      new ObjectPlace.Form(
          "s3",
          "s3:BUCKET/PREFIX",
          Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]"),
          "its bucket must have 3 to 63 of the characters a-z, 0-9, . and -");

  /** End of the names of directory buckets, which are those of S3 Express One Zone. */
  private static final String DIRECTORY_BUCKET = "--x-s3";

  /** Refuses a directory bucket: it lists names in no order, and cannot start after a name. */
  private static ObjectPlace read(String location) {
    ObjectPlace place = PLACES.read(location);
    if (place.container().endsWith(DIRECTORY_BUCKET)) {
      throw new ConfigurationException(
          place
              + ": bucket "
              + place.container()
              + " is a directory bucket (S3 Express One Zone), which does not list objects in the"
              + " order of their names; use a general purpose bucket");
    }
    return place;
  }

  @Override
  public String scheme() {
    return PLACES.scheme();
  }

  @Override
  public String form() {
    return PLACES.text();
  }

  @Override
  public String about() {
    return "objects in Amazon S3, or on a server of its protocol";
  }

  @Override
  public List<StoreOption<?>> options() {
    return S3Options.all();
  }

  @Override
  public ObjectTraits traits(String location, StoreOptions options) {
    read(location);
    return S3Objects.traits(options);
  }

  @Override
  public ObjectSpace open(String location, StoreOptions options) {
    return S3Objects.open(read(location), options);
  }
}
