package io.github.roram.proxy;

import io.github.roram.ConfigurationException;
import io.github.roram.intake.IntakeLimits;
import io.github.roram.netserver.AccessPolicy;
import io.github.roram.netserver.AccessPolicy.Action;
import io.github.roram.netserver.Authenticator;
import io.github.roram.netserver.Authenticator.Credentials;
import io.github.roram.netserver.ClientIdentity;
import io.github.roram.netserver.ServerObserver;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Configuration of a proxy.
 *
 * <p><b>Security.</b> Clients read and write the data in the clear, so a proxy listens on loopback,
 * or with TLS.
 *
 * @param listen address to listen at; port 0 picks one
 * @param sslContext for TLS; null for none
 * @param authenticator identifies clients
 * @param access decides which of them may use the ORAM, as the volume {@link #VOLUME}
 * @param limits limits on connections and requests
 * @param observer receives events of the proxy
 * @param durable whether acknowledged accesses survive every failure, as with {@link
 *     io.github.roram.Durability#SYNC}; if not, clients are told when another process has replaced
 *     the proxy
 */
public record ProxyConfig(
    InetSocketAddress listen,
    @Nullable SslContext sslContext,
    Authenticator authenticator,
    AccessPolicy access,
    IntakeLimits limits,
    ServerObserver observer,
    boolean durable) {

  private static final Logger LOG = LoggerFactory.getLogger(ProxyConfig.class);

  /** Name of the ORAM for access policies. */
  public static final String VOLUME = "oram";

  /**
   * Checks that no other machine can connect in the clear.
   *
   * @throws ConfigurationException if one could
   */
  public ProxyConfig {
    if (listen.isUnresolved()) {
      throw new ConfigurationException(
          "cannot listen at " + listen + "; give a host that this machine knows");
    }
    if (sslContext == null && !listen.getAddress().isLoopbackAddress()) {
      throw new ConfigurationException(
          "would serve the data in the clear at "
              + listen
              + "; give certificates (roram server init-certs makes them), or an address of"
              + " loopback");
    }
  }

  /** Returns 1024 connections of 64 requests, 256 MiB in all; times of 10, 30, 60 and 30 s. */
  public static IntakeLimits defaultLimits() {
    return IntakeLimits.of(1024, 64);
  }

  /** Returns a proxy on loopback, in the clear, for all users of this machine, with defaults. */
  public static ProxyConfig anyoneOnThisMachine(int port) {
    return new ProxyConfig(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        null,
        Authenticator.anyone(),
        AccessPolicy.everything(),
        defaultLimits(),
        ServerObserver.NONE,
        false);
  }

  /**
   * Returns whether a client may use the ORAM without a token. A client that may not is not logged:
   * it may be about to present one.
   */
  public boolean needsNoToken(Channel client) {
    return mayUse(authenticator.authenticate(Credentials.of(client, new byte[0])));
  }

  private boolean mayUse(Optional<ClientIdentity> who) {
    return who.isPresent() && access.allows(who.get(), VOLUME, Action.USE);
  }

  /**
   * Returns whether a client that presents this token, possibly empty, may use the ORAM. One that
   * may not is logged, and the observer is told.
   */
  public boolean letsIn(Channel client, byte[] token) {
    Optional<ClientIdentity> who = authenticator.authenticate(Credentials.of(client, token));
    boolean letIn = mayUse(who);
    if (!letIn) {
      observer.accessDenied();
      LOG.atWarn()
          .addKeyValue("remote", client.remoteAddress())
          .addKeyValue("identity", who.map(ClientIdentity::name).orElse("unknown"))
          .log("client not let in");
    }
    return letIn;
  }

  /** Returns this configuration with other limits. */
  public ProxyConfig withLimits(IntakeLimits newLimits) {
    return new ProxyConfig(listen, sslContext, authenticator, access, newLimits, observer, durable);
  }

  /** Returns this configuration with other TLS and access. */
  public ProxyConfig withAccess(
      @Nullable SslContext tls, Authenticator newAuthenticator, AccessPolicy newAccess) {
    return new ProxyConfig(listen, tls, newAuthenticator, newAccess, limits, observer, durable);
  }

  /** Returns this configuration with another observer. */
  public ProxyConfig withObserver(ServerObserver newObserver) {
    return new ProxyConfig(listen, sslContext, authenticator, access, limits, newObserver, durable);
  }

  /** Returns this configuration with another value of {@code durable}. */
  public ProxyConfig withDurable(boolean survives) {
    return new ProxyConfig(listen, sslContext, authenticator, access, limits, observer, survives);
  }
}
