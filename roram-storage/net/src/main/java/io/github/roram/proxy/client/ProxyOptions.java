package io.github.roram.proxy.client;

import io.github.roram.storage.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a client connects.
 *
 * @param tls whom it trusts and what it shows of itself; null for a connection in the clear, over
 *     loopback alone
 * @param tokenFile file whose first line proves who this client is; null for none
 * @param connect how long to wait for a connection, and then for the proxy to let this client in
 * @param silence how long to wait for any answer while one is due, before the connection counts as
 *     lost
 * @param again how long to try to connect again once a connection was lost; zero for not at all
 */
public record ProxyOptions(
    @Nullable TlsFiles tls,
    @Nullable Path tokenFile,
    Duration connect,
    Duration silence,
    Duration again) {

  private static final ProxyOptions DEFAULTS =
      new ProxyOptions(
          null, null, Duration.ofSeconds(10), Duration.ofMinutes(2), Duration.ofMinutes(1));

  /**
   * In the clear, without a token; gives up after 10 s, and 2 minutes of silence; connects again
   * for a minute.
   */
  public static ProxyOptions defaults() {
    return DEFAULTS;
  }

  /** The same but for TLS. */
  public ProxyOptions withTls(@Nullable TlsFiles files) {
    return new ProxyOptions(files, tokenFile, connect, silence, again);
  }

  /** The same but for the token. */
  public ProxyOptions withTokenFile(@Nullable Path file) {
    return new ProxyOptions(tls, file, connect, silence, again);
  }

  /** The same but for the times. */
  public ProxyOptions withTimes(Duration newConnect, Duration newSilence) {
    return new ProxyOptions(tls, tokenFile, newConnect, newSilence, again);
  }

  /** The same but for how long to try to connect again. */
  public ProxyOptions withAgain(Duration newAgain) {
    return new ProxyOptions(tls, tokenFile, connect, silence, newAgain);
  }
}
