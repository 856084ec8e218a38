/**
 * Servers: the block server that runs on the untrusted machine; and, on the trusted side, where the
 * keys are, ORAMs as block devices over NBD, a proxy that shares an ORAM with many clients, and
 * maps for clients of Redis.
 */
@SuppressWarnings("requires-automatic") // Micrometer and TomlJ have names, and no descriptors
module io.github.roram.netserver {
  requires transitive com.fasterxml.jackson.databind;
  requires transitive io.github.roram.storage;
  requires transitive io.github.roram.map;
  requires transitive io.github.roram.net;
  requires static transitive org.jspecify;
  requires io.netty.codec;
  requires io.netty.codec.http;
  requires io.netty.codec.redis;
  requires java.naming;
  requires micrometer.core;
  requires micrometer.registry.prometheus;
  requires org.bouncycastle.pkix;
  requires org.bouncycastle.provider;
  requires org.slf4j;
  requires org.tomlj;

  exports io.github.roram.intake;
  exports io.github.roram.json;
  exports io.github.roram.nbd;
  exports io.github.roram.netserver;
  exports io.github.roram.netserver.access;
  exports io.github.roram.netserver.config;
  exports io.github.roram.netserver.link;
  exports io.github.roram.netserver.metrics;
  exports io.github.roram.netserver.operations;
  exports io.github.roram.netserver.tls;
  exports io.github.roram.proxy;
  exports io.github.roram.resp;
}
