package io.github.roram.storage.ignite;

import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectTraits;
import io.github.roram.storage.ObjectsProvider;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import java.io.IOException;
import java.util.List;

/** Objects in a cluster of Apache Ignite: {@code ignite:CACHES/PREFIX}. */
public final class IgniteObjectsProvider implements ObjectsProvider {

  @Override
  public String scheme() {
    return IgnitePlace.SCHEME;
  }

  @Override
  public String form() {
    return IgnitePlace.FORM;
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
    IgnitePlace.of(location);
    return IgniteObjects.traits(options);
  }

  @Override
  public ObjectSpace open(String location, StoreOptions options) throws IOException {
    return IgniteObjects.open(IgnitePlace.of(location), options);
  }
}
