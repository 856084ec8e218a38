/**
 * The client sides of what roram serves over a network, and the protocols that servers share:
 * stores that are volumes of a block server, and clients of a proxy.
 *
 * @provides io.github.roram.storage.StoreProvider {@code tcp:} and {@code tls:}
 */
module io.github.roram.net {
  requires transitive io.github.roram.storage;
  requires static transitive org.jspecify;
  requires transitive io.netty.buffer;
  requires transitive io.netty.common;
  requires transitive io.netty.handler;
  requires transitive io.netty.transport;
  requires io.netty.codec;
  requires io.netty.resolver;
  requires io.netty.transport.classes.epoll;
  requires org.slf4j;

  exports io.github.roram.proxy.client;
  exports io.github.roram.proxy.protocol;
  exports io.github.roram.storage.remote;
  exports io.github.roram.storage.remote.protocol;
  exports io.github.roram.storage.tls;

  provides io.github.roram.storage.StoreProvider with
      io.github.roram.storage.remote.RemoteStoreProvider.Tcp,
      io.github.roram.storage.remote.RemoteStoreProvider.Tls;
}
