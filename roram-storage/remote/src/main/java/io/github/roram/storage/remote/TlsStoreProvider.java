package io.github.roram.storage.remote;

/** Volumes of a block server, over TLS: {@code tls://HOST:PORT/VOLUME}. */
public final class TlsStoreProvider extends RemoteStoreProvider {

  /** For the service loader. */
  public TlsStoreProvider() {
    super(true);
  }
}
