package io.github.roram.netserver.tls;

import io.github.roram.ConfigurationException;
import io.netty.util.NetUtil;
import java.util.regex.Pattern;

/** Names that a server's certificate can carry. */
final class HostNames {

  private static final int MAX_CHARS = 253;
  private static final String LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
  private static final Pattern DNS = Pattern.compile("(\\*\\.)?" + LABEL + "(\\." + LABEL + ")*");

  private HostNames() {}

  /** Whether it is an IP address. */
  static boolean isAddress(String host) {
    return NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host);
  }

  /**
   * Checks a name.
   *
   * @throws ConfigurationException if it is neither a DNS name nor an IP address
   */
  static void check(String host) {
    if (!isAddress(host) && (host.length() > MAX_CHARS || !DNS.matcher(host).matches())) {
      throw new ConfigurationException(
          "host is \"" + host + "\", must be a DNS name or an IP address, without a port");
    }
  }
}
