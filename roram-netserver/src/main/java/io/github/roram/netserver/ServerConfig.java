package io.github.roram.netserver;

import io.netty.handler.ssl.SslContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a server is made of.
 *
 * @param listen where it listens; port 0 picks one
 * @param backing where its volumes are
 * @param limits how much it takes on
 * @param timeouts how long it waits
 * @param sslContext for TLS, or null for plain connections
 * @param authenticator who clients are
 * @param access what they may do
 * @param observer receives what the server does
 * @param nanoClock what times are measured with, as {@link System#nanoTime} does
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

  /** Plain, on loopback, for everyone on this machine, with the default limits. */
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

  /** The same but for the limits. */
  public ServerConfig withLimits(ServerLimits newLimits) {
    return new ServerConfig(
        listen,
        backing,
        newLimits,
        timeouts,
        sslContext,
        authenticator,
        access,
        observer,
        nanoClock);
  }

  /** The same but for the time-outs. */
  public ServerConfig withTimeouts(ServerTimeouts newTimeouts) {
    return new ServerConfig(
        listen,
        backing,
        limits,
        newTimeouts,
        sslContext,
        authenticator,
        access,
        observer,
        nanoClock);
  }

  /** The same but for TLS. */
  public ServerConfig withSslContext(@Nullable SslContext newSslContext) {
    return new ServerConfig(
        listen,
        backing,
        limits,
        timeouts,
        newSslContext,
        authenticator,
        access,
        observer,
        nanoClock);
  }

  /** The same but for who clients are and what they may do. */
  public ServerConfig withAccess(Authenticator newAuthenticator, AccessPolicy newAccess) {
    return new ServerConfig(
        listen,
        backing,
        limits,
        timeouts,
        sslContext,
        newAuthenticator,
        newAccess,
        observer,
        nanoClock);
  }

  /** The same but for the observer. */
  public ServerConfig withObserver(ServerObserver newObserver) {
    return new ServerConfig(
        listen,
        backing,
        limits,
        timeouts,
        sslContext,
        authenticator,
        access,
        newObserver,
        nanoClock);
  }

  /** The same but for the clock. */
  public ServerConfig withNanoClock(LongSupplier newNanoClock) {
    return new ServerConfig(
        listen,
        backing,
        limits,
        timeouts,
        sslContext,
        authenticator,
        access,
        observer,
        newNanoClock);
  }
}
