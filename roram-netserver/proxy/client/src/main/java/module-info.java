/** Clients of a proxy that shares an ORAM, and the protocol that they speak with it. */
module io.github.roram.proxy.client {
  requires transitive io.github.roram;
  requires transitive io.github.roram.protocol;
  requires static transitive org.jspecify;
  requires io.netty.codec;

  exports io.github.roram.proxy.client;
  exports io.github.roram.proxy.protocol;
}
