package io.github.roram.storage.remote;

/** Volumes of a block server: {@code tcp://HOST:PORT/VOLUME}. */
public final class TcpStoreProvider extends RemoteStoreProvider {

  /** For the service loader. */
  public TcpStoreProvider() {
    super(false);
  }
}
