package io.github.roram.storage.ignite;

import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectTraits;
import io.github.roram.storage.ObjectsProvider;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.objects.ObjectPlace;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

/** Objects in a cluster of Apache Ignite: {@code ignite:CACHES/PREFIX}. */
public final class IgniteObjectsProvider implements ObjectsProvider {

  static final ObjectPlace.Form PLACES =
      new ObjectPlace.Form(
          "ignite",
          "ignite:CACHES/PREFIX",
          Pattern.compile("[a-z0-9][a-z0-9-]{0,39}"),
          "the name of its caches must have 1 to 40 of the characters a-z, 0-9 and -");

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
    return "objects in a cluster of Apache Ignite";
  }

  @Override
  public List<StoreOption<?>> options() {
    return IgniteOptions.all();
  }

  @Override
  public ObjectTraits traits(String location, StoreOptions options) {
    PLACES.read(location);
    return IgniteObjects.traits(options);
  }

  @Override
  public ObjectSpace open(String location, StoreOptions options) throws IOException {
    return IgniteObjects.open(PLACES.read(location), options);
  }
}
