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
 * What a proxy is made of.
 *
 * <p><b>Security.</b> Who connects reads and writes the data in the clear. So a proxy listens on
 * loopback, or with TLS.
 *
 * @param listen where clients connect; port 0 picks one
 * @param sslContext for TLS; null for none
 * @param authenticator who clients are
 * @param access who of them may use the ORAM, which it knows as the volume {@link #VOLUME}
 * @param limits what the proxy takes on
 * @param observer receives what the proxy does
 * @param durable whether what it acknowledges survives whatever comes, as with {@link
 *     io.github.roram.Durability#SYNC}; of others clients are told that they were replaced
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

  /** What access policies know the ORAM as. */
  public static final String VOLUME = "oram";

  /**
   * Checks that nobody listens in.
   *
   * @throws ConfigurationException if it would serve others than this machine in the clear
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

  /** 1024 connections of 64 requests each, 256 MiB in all; 10, 30, 60 and 30 s. */
  public static IntakeLimits defaultLimits() {
    return IntakeLimits.of(1024, 64);
  }

  /** In the clear on loopback, for every user of this machine, with the default limits. */
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
   * Whether a client may use the ORAM without a token. Of one that may not nothing is said: it may
   * be about to show one.
   */
  public boolean needsNoToken(Channel client) {
    return mayUse(authenticator.authenticate(Credentials.of(client, new byte[0])));
  }

  private boolean mayUse(Optional<ClientIdentity> who) {
    return who.isPresent() && access.allows(who.get(), VOLUME, Action.USE);
  }

  /**
   * Whether a client that shows this token, perhaps an empty one, may use the ORAM. One that may
   * not is told to the log and the observer.
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

  /** The same but for the limits. */
  public ProxyConfig withLimits(IntakeLimits newLimits) {
    return new ProxyConfig(listen, sslContext, authenticator, access, newLimits, observer, durable);
  }

  /** The same but for TLS, and for who may do what. */
  public ProxyConfig withAccess(
      @Nullable SslContext tls, Authenticator newAuthenticator, AccessPolicy newAccess) {
    return new ProxyConfig(listen, tls, newAuthenticator, newAccess, limits, observer, durable);
  }

  /** The same but for the observer. */
  public ProxyConfig withObserver(ServerObserver newObserver) {
    return new ProxyConfig(listen, sslContext, authenticator, access, limits, newObserver, durable);
  }

  /** The same but for whether what it acknowledges survives whatever comes. */
  public ProxyConfig withDurable(boolean survives) {
    return new ProxyConfig(listen, sslContext, authenticator, access, limits, observer, survives);
  }
}
