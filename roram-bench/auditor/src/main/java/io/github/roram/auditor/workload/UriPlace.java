package io.github.roram.auditor.workload;

import io.github.roram.auditor.line.LineWatch;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.view.ViewRecorder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Stores at one URI. */
final class UriPlace implements Place {

  private static final String STATE_NAME = "client-state";

  private final String uri;
  private final StoreOptions options;
  private final @Nullable RemoteAddress remote;

  UriPlace(String uri, StoreOptions options, Path stateParent) {
    this.uri = uri;
    this.remote = RemoteAddress.ofStore(uri).orElse(null);
    this.options =
        options.stateDirectory() == null
            ? options.withStateDirectory(stateParent.resolve(STATE_NAME))
            : options;
  }

  @Override
  public NewStore newStore(long capacityBytes, ViewRecorder recorder) throws IOException {
    if (remote != null) {
      InetSocketAddress server = new InetSocketAddress(remote.host(), remote.port());
      if (!server.isUnresolved() && server.getAddress().isLoopbackAddress()) {
        return watched(remote, server, capacityBytes, recorder);
      }
    }
    OpenedStore opened = Stores.create(uri, capacityBytes, options);
    return new NewStore(opened, this::delete);
  }

  private NewStore watched(
      RemoteAddress address, InetSocketAddress server, long capacityBytes, ViewRecorder recorder)
      throws IOException {
    LineWatch watch = LineWatch.start(recorder, server, address.tls());
    InetSocketAddress here = watch.address();
    RemoteAddress there =
        new RemoteAddress(
            address.tls(), here.getAddress().getHostAddress(), here.getPort(), address.volume());
    try {
      OpenedStore opened = Stores.create(there.toString(), capacityBytes, options);
      return new NewStore(
          opened,
          () -> {
            try {
              watch.close();
            } finally {
              delete();
            }
          });
    } catch (IOException | RuntimeException e) {
      try (watch) {
        throw e;
      }
    }
  }

  /** A store in memory ended when it was closed. */
  private void delete() throws IOException {
    if (Stores.exists(uri, options)) {
      Stores.delete(uri, options);
    }
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return uri;
  }
}
