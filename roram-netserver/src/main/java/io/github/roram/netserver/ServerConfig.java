package io.github.roram.netserver;

import io.netty.handler.ssl.SslContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of a block server.
 *
 * @param listen address to listen at; port 0 picks one
 * @param backing place of its volumes
 * @param limits limits on connections, requests and volumes
 * @param timeouts how long it waits for clients
 * @param sslContext for TLS, or null for plain connections
 * @param authenticator identifies clients
 * @param access decides what they may do
 * @param observer receives what the server does
 * @param nanoClock clock in nanoseconds, such as {@link System#nanoTime}
 */
public record ServerConfig(
    InetSocketAddress listen,
    VolumeBacking backing,
    ServerLimits limits,
    ServerTimeouts timeouts,
    @Nullable SslContext sslContext,
    Authenticator authenticator,
    AccessPolicy access,
    ServerObserver observer,
    LongSupplier nanoClock) {

  /** Returns a server on loopback, without TLS, open to everyone on this machine, with defaults. */
  public static ServerConfig loopback(int port, VolumeBacking backing) {
    return new ServerConfig(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        backing,
        ServerLimits.defaults(),
        ServerTimeouts.defaults(),
        null,
        Authenticator.anyone(),
        AccessPolicy.everything(),
        ServerObserver.NONE,
        System::nanoTime);
  }

  /** Returns this configuration with other limits. */
  public ServerConfig withLimits(ServerLimits newLimits) {
    return with(newLimits, timeouts, sslContext, authenticator, access, observer, nanoClock);
  }

  /** Returns this configuration with other time-outs. */
  public ServerConfig withTimeouts(ServerTimeouts newTimeouts) {
    return with(limits, newTimeouts, sslContext, authenticator, access, observer, nanoClock);
  }

  /** Returns this configuration with another context for TLS, or none. */
  public ServerConfig withSslContext(@Nullable SslContext newSslContext) {
    return with(limits, timeouts, newSslContext, authenticator, access, observer, nanoClock);
  }

  /** Returns this configuration with other authentication and access rules. */
  public ServerConfig withAccess(Authenticator newAuthenticator, AccessPolicy newAccess) {
    return with(limits, timeouts, sslContext, newAuthenticator, newAccess, observer, nanoClock);
  }

  /** Returns this configuration with another observer. */
  public ServerConfig withObserver(ServerObserver newObserver) {
    return with(limits, timeouts, sslContext, authenticator, access, newObserver, nanoClock);
  }

  /** Returns this configuration with another clock. */
  public ServerConfig withNanoClock(LongSupplier newNanoClock) {
    return with(limits, timeouts, sslContext, authenticator, access, observer, newNanoClock);
  }

  private ServerConfig with(
      ServerLimits newLimits,
      ServerTimeouts newTimeouts,
      @Nullable SslContext newSslContext,
      Authenticator newAuthenticator,
      AccessPolicy newAccess,
      ServerObserver newObserver,
      LongSupplier newNanoClock) {
    return new ServerConfig(
        listen,
        backing,
        newLimits,
        newTimeouts,
        newSslContext,
        newAuthenticator,
        newAccess,
        newObserver,
        newNanoClock);
  }
}
