package io.github.roram.storage.s3;

import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectTraits;
import io.github.roram.storage.ObjectsProvider;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import java.util.List;

/** Objects in a bucket: {@code s3:BUCKET/PREFIX}. */
public final class S3ObjectsProvider implements ObjectsProvider {

  @Override
  public String scheme() {
    return S3Place.SCHEME;
  }

  @Override
  public String form() {
    return S3Place.FORM;
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
    return S3Objects.traits(S3Place.of(location), options);
  }

  @Override
  public ObjectSpace open(String location, StoreOptions options) {
    return S3Objects.open(S3Place.of(location), options);
  }
}
