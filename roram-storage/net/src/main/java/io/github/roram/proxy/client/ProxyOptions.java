package io.github.roram.proxy.client;

import io.github.roram.storage.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Options of a proxy's client.
 *
 * @param tls trusted authorities and the client's own certificate; null for a connection in the
 *     clear, only over loopback
 * @param tokenFile file whose first line is this client's token; null for none
 * @param connect how long to wait for a connection, and then for the proxy to let this client in
 * @param silence how long to wait for any answer while one is due, before the connection counts as
 *     lost
 * @param again how long to try to reconnect after a lost connection; zero for not at all
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
   * Returns options without TLS or token: 10 s to connect, 2 minutes of silence, and a minute to
   * reconnect.
   */
  public static ProxyOptions defaults() {
    return DEFAULTS;
  }

  /** Returns these options with other files for TLS, or none. */
  public ProxyOptions withTls(@Nullable TlsFiles files) {
    return new ProxyOptions(files, tokenFile, connect, silence, again);
  }

  /** Returns these options with another file for the token, or none. */
  public ProxyOptions withTokenFile(@Nullable Path file) {
    return new ProxyOptions(tls, file, connect, silence, again);
  }

  /** Returns these options with other times to connect and of silence. */
  public ProxyOptions withTimes(Duration newConnect, Duration newSilence) {
    return new ProxyOptions(tls, tokenFile, newConnect, newSilence, again);
  }

  /** Returns these options with another time to reconnect. */
  public ProxyOptions withAgain(Duration newAgain) {
    return new ProxyOptions(tls, tokenFile, connect, silence, newAgain);
  }
}
