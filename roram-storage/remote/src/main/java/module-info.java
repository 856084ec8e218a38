/**
 * Stores that are volumes of a block server.
 *
 * @provides io.github.roram.storage.StoreProvider {@code tcp:} and {@code tls:}
 */
module io.github.roram.remote {
  requires transitive io.github.roram.storage;
  requires transitive io.github.roram.protocol;
  requires static transitive org.jspecify;
  requires io.netty.resolver;

  exports io.github.roram.storage.remote;

  provides io.github.roram.storage.StoreProvider with
      io.github.roram.storage.remote.TcpStoreProvider,
      io.github.roram.storage.remote.TlsStoreProvider;
}
