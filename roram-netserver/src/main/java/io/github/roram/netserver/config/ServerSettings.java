package io.github.roram.netserver.config;

import io.github.roram.ConfigurationException;
import io.github.roram.netserver.ServerLimits;
import io.github.roram.netserver.ServerTimeouts;
import io.github.roram.netserver.access.AccessRules;
import io.github.roram.storage.tls.TlsFiles;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All settings that a server starts with.
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
 * @param metrics where health and metrics are served; null for nowhere
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

  /**
   * What the server says about itself on standard error.
   *
   * @param level the least important messages that are shown
   * @param format how
   */
  public record LogSettings(Level level, Format format) {

    /** What holds where the settings say nothing. */
    public static final LogSettings DEFAULTS = new LogSettings(Level.INFO, Format.TEXT);

    /** How important a message is. */
    public enum Level {
      /** What needs attention. */
      ERROR,
      /** What may need attention. */
      WARN,
      /** What happened. */
      INFO,
      /** Details of what happened. */
      DEBUG,
      /** Everything: names of volumes and clients, sizes; not for production. */
      TRACE
    }

    /** How a message is written. */
    public enum Format {
      /** A line for people. */
      TEXT,
      /** A JSON object, on a line. */
      JSON
    }
  }

  /**
   * Where health and metrics are served, and to whom.
   *
   * <p><b>Security.</b> They tell how much is asked for, and when; at a constant rate that is what
   * the rate hides. Without readers everyone who can connect sees them, so that must be on
   * loopback. With readers, there is TLS, and who asks shows a certificate of the authority or a
   * token.
   *
   * @param listen where they are served
   * @param readers identities that may read them, {@code "*"} for all; empty for no login and no
   *     TLS
   */
  public record MetricsSettings(HostPort listen, Set<String> readers) {

    /** Everyone whom the server knows. */
    public static final String ALL = "*";

    /**
     * Checks that no stranger is told.
     *
     * @param tls whether there are certificates
     * @throws ConfigurationException if one would be, or readers could not prove who they are
     */
    public void checkExposure(boolean tls) {
      if (readers.isEmpty() && !listen.isLoopback()) {
        throw new ConfigurationException(
            "metrics would be told to everyone at "
                + listen
                + ", off loopback; name who may read them (metrics-readers) and give certificates, or"
                + " tell them at 127.0.0.1");
      }
      if (!readers.isEmpty() && !tls) {
        throw new ConfigurationException(
            "metrics at "
                + listen
                + " have readers, who need TLS to prove who they are; give certificates (roram server"
                + " init-certs makes them), or tell metrics to everyone at 127.0.0.1");
      }
    }

    /** Whether an identity may read them, where there are readers. */
    public boolean allows(String identity) {
      return readers.contains(ALL) || readers.contains(identity);
    }
  }
}
