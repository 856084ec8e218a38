/** The block protocol: what the client of a block server and the server share. */
module io.github.roram.protocol {
  requires transitive io.github.roram;
  requires static transitive org.jspecify;
  requires transitive io.netty.buffer;
  requires transitive io.netty.common;
  requires transitive io.netty.handler;
  requires transitive io.netty.transport;
  requires io.netty.transport.classes.epoll;
  requires org.slf4j;

  exports io.github.roram.storage.intake;
  exports io.github.roram.storage.remote.protocol;
  exports io.github.roram.storage.tls;
}
