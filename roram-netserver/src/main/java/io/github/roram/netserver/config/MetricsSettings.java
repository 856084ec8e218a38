package io.github.roram.netserver.config;

import io.github.roram.ConfigurationException;
import java.util.Set;

/**
 * Where health and metrics are told, and to whom.
 *
 * <p><b>Security.</b> They tell how much is asked for, and when; at a constant rate that is what
 * the rate hides. Without readers everyone who can connect is told, so that must be on loopback.
 * With readers, there is TLS, and who asks shows a certificate of the authority or a token.
 *
 * @param listen where they are told
 * @param readers identities that may read them, {@code "*"} for all; empty for no login and no TLS
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
