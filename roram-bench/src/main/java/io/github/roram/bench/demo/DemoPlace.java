package io.github.roram.bench.demo;

import io.github.roram.storage.StoreOptions;
import java.nio.file.Path;

/**
 * Where the demo makes its stores.
 *
 * @param uriStart what their URIs begin with; the name of a scheme comes after it
 * @param options how they are accessed
 */
public record DemoPlace(String uriStart, StoreOptions options) {

  /** What the names of the demo's stores begin with. */
  public static final String NAME_START = "roram-demo-";

  /** Segment files in a directory. */
  public static DemoPlace files(Path directory, boolean directIo) {
    return new DemoPlace(
        "file:" + directory.resolve(NAME_START), StoreOptions.defaults().withDirectIo(directIo));
  }

  /** Volumes of a block server. */
  public static DemoPlace server(DemoMedium medium, String hostAndPort, StoreOptions options) {
    return new DemoPlace(medium.scheme() + "://" + hostAndPort + "/" + NAME_START, options);
  }

  String uri(String scheme) {
    return uriStart + scheme;
  }
}
