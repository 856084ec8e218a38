package io.github.roram.netserver.config;

import io.github.roram.ConfigurationException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An address to listen at.
 *
 * @param host name or IP address, without brackets
 * @param port 0 to 65535; 0 lets the system choose one
 */
public record HostPort(String host, int port) {

  private static final int MAX_PORT = 65_535;
  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.]+(?:%[\\w.-]+)?)\\]|([^:\\[\\]\\s]+)):(\\d{1,5})");

  /**
   * Parses {@code HOST:PORT} or {@code [IPV6]:PORT}.
   *
   * @throws ConfigurationException if it is neither
   */
  public static HostPort parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (matcher.matches()) {
      String host = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
      int port = Integer.parseInt(matcher.group(3));
      if (port <= MAX_PORT) {
        return new HostPort(host, port);
      }
    }
    throw new ConfigurationException(
        "address is \""
            + text
            + "\", must be HOST:PORT or [IPV6]:PORT with a port from 0 to "
            + MAX_PORT);
  }

  /**
   * Returns whether only this machine can connect.
   *
   * @throws ConfigurationException if the host is unknown
   */
  public boolean isLoopback() {
    return resolve().getAddress().isLoopbackAddress();
  }

  /**
   * Returns the socket address.
   *
   * @throws ConfigurationException if the host is unknown
   */
  public InetSocketAddress resolve() {
    try {
      return new InetSocketAddress(InetAddress.getByName(host), port);
    } catch (UnknownHostException e) {
      throw new ConfigurationException(
          "host \"" + host + "\" is unknown; give a name that this machine resolves, or an address",
          e);
    }
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
