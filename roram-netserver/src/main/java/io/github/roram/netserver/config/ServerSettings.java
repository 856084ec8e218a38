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
 * All settings of a server.
 *
 * <p><b>Security.</b> Off loopback there is no connection without TLS, and no client is admitted
 * without a certificate of the authority or a token. Omitting a setting never admits anyone.
 *
 * @param listen address to listen at
 * @param directory directory of the volumes
 * @param tls authority, certificate and key; null for connections in the clear, only over loopback
 * @param tokens the file of tokens; null if there are none
 * @param anonymous whether to admit clients without credentials, only over loopback
 * @param access which volumes an identity may use
 * @param limits limits on clients
 * @param timeouts how long the server waits for clients
 * @param metrics settings of health and metrics; null if they are not served
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
   * Checks that no client is admitted by mistake.
   *
   * @throws ConfigurationException if the server would serve clients or metrics in the clear, or to
   *     everyone, off loopback; or if it would serve nobody
   */
  public ServerSettings {
    checkExposure(listen, tls != null, tokens != null, anonymous);
    if (metrics != null) {
      metrics.checkExposure(tls != null);
    }
  }

  /** Returns settings of a server on loopback that admits everyone: for tests and trials. */
  public static ServerSettings openOnLoopback(HostPort listen, Path directory) {
    return open(listen, directory, null);
  }

  /** Returns settings that let all clients with a certificate of the authority use all volumes. */
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

  /** Returns these settings with others for the log. */
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
   * Settings of the server's log, which goes to standard error.
   *
   * @param level the least important messages that are shown
   * @param format format of a message
   */
  public record LogSettings(Level level, Format format) {

    /** The settings that apply by default. */
    public static final LogSettings DEFAULTS = new LogSettings(Level.INFO, Format.TEXT);

    /** Importance of a message. */
    public enum Level {
      /** An event that needs attention. */
      ERROR,
      /** An event that may need attention. */
      WARN,
      /** An event. */
      INFO,
      /** Details of an event. */
      DEBUG,
      /** Everything, including names of volumes and clients, and sizes; not for production. */
      TRACE
    }

    /** Format of a message. */
    public enum Format {
      /** A line for people to read. */
      TEXT,
      /** A JSON object on one line. */
      JSON
    }
  }

  /**
   * The address of health and metrics, and who may read them.
   *
   * <p><b>Security.</b> Metrics tell how much is requested, and when; a constant rate is meant to
   * hide just that. Without readers, everyone who can connect sees them, so the address must be on
   * loopback. With readers, there is TLS, and a reader presents a certificate of the authority or a
   * token.
   *
   * @param listen address to listen at
   * @param readers identities that may read them, {@code "*"} for all; empty for no login and no
   *     TLS
   */
  public record MetricsSettings(HostPort listen, Set<String> readers) {

    /** Stands for every identity that the server knows. */
    public static final String ALL = "*";

    /**
     * Checks that no stranger can read them.
     *
     * @param tls whether there are certificates
     * @throws ConfigurationException if one could, or if readers could not prove who they are
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

    /** Returns whether an identity may read them, if there are readers. */
    public boolean allows(String identity) {
      return readers.contains(ALL) || readers.contains(identity);
    }
  }
}
