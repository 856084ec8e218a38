/** A proxy that shares an ORAM with many clients; on the trusted side, where the keys are. */
module io.github.roram.proxy {
  requires transitive io.github.roram;
  requires transitive io.github.roram.netserver;
  requires transitive io.github.roram.proxy.client;
  requires static transitive org.jspecify;
  requires org.slf4j;

  exports io.github.roram.proxy;
}
