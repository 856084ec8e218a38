package io.github.roram.netserver.config;

import io.github.roram.ConfigurationException;
import io.github.roram.netserver.ServerLimits;
import io.github.roram.netserver.ServerTimeouts;
import io.github.roram.netserver.access.AccessRules;
import io.github.roram.storage.tls.TlsFiles;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * All that a server is told when it starts.
 *
 * <p><b>Security.</b> Off loopback there is no connection without TLS, and nobody is let in without
 * a certificate of the authority or a token. Nothing is let in by leaving something out.
 *
 * @param listen where clients connect
 * @param directory where the volumes are
 * @param tls authority, certificate and key; null for connections in the clear, over loopback alone
 * @param tokens the file of tokens; null if there are none
 * @param anonymous whether clients are let in that show nothing, over loopback alone
 * @param access which volumes an identity may use
 * @param limits what clients may take
 * @param timeouts how long the server waits
 * @param metrics where health and metrics are told; null for nowhere
 * @param log what is logged
 */
public record ServerSettings(
    HostPort listen,
    Path directory,
    @Nullable TlsFiles tls,
    @Nullable Path tokens,
    boolean anonymous,
    AccessRules access,
    ServerLimits limits,
    ServerTimeouts timeouts,
    @Nullable MetricsSettings metrics,
    LogSettings log) {

  /**
   * Checks that nobody is let in by mistake.
   *
   * @throws ConfigurationException if the server would serve or tell metrics in the clear, or to
   *     everyone, off loopback; or serve nobody at all
   */
  public ServerSettings {
    checkExposure(listen, tls != null, tokens != null, anonymous);
    if (metrics != null) {
      metrics.checkExposure(tls != null);
    }
  }

  /**
   * Settings of a server on loopback that lets everyone in: for tests, demos, one's own machine.
   */
  public static ServerSettings openOnLoopback(HostPort listen, Path directory) {
    return open(listen, directory, null);
  }

  /** Settings of a server where everyone with a certificate of its authority uses every volume. */
  public static ServerSettings openToCertified(HostPort listen, Path directory, TlsFiles tls) {
    return open(listen, directory, tls);
  }

  private static ServerSettings open(HostPort listen, Path directory, @Nullable TlsFiles tls) {
    return new ServerSettings(
        listen,
        directory,
        tls,
        null,
        tls == null,
        AccessRules.OPEN,
        ServerLimits.defaults(),
        ServerTimeouts.defaults(),
        null,
        LogSettings.DEFAULTS);
  }

  /** The same but for the log. */
  public ServerSettings withLog(LogSettings newLog) {
    return new ServerSettings(
        listen, directory, tls, tokens, anonymous, access, limits, timeouts, metrics, newLog);
  }

  static void checkExposure(HostPort listen, boolean tls, boolean tokens, boolean anonymous) {
    boolean loopback = listen.isLoopback();
    if (!loopback && !tls) {
      throw new ConfigurationException(
          "listens at "
              + listen
              + ", off loopback, without TLS; give certificates (roram server init-certs makes"
              + " them), or listen at 127.0.0.1");
    }
    if (!loopback && anonymous) {
      throw new ConfigurationException(
          "listens at "
              + listen
              + ", off loopback, and would let everyone in; take anonymous away, or listen at"
              + " 127.0.0.1");
    }
    if (!tls && !tokens && !anonymous) {
      throw new ConfigurationException(
          "listens at "
              + listen
              + ", where nobody can prove who he is; give certificates or a token file, or say"
              + " anonymous = true to let everyone on this machine in");
    }
  }
}
