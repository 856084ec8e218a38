package io.github.roram.proxy.client;

import io.github.roram.ConfigurationException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a proxy: {@code proxy://HOST:PORT}.
 *
 * @param host name or IP address, without brackets
 * @param port 1 to 65535
 */
public record ProxyAddress(String host, int port) {

  private static final String SCHEME = "proxy:";
  private static final int MAX_PORT = 65_535;
  private static final Pattern FORM =
      Pattern.compile(
          "proxy:(?://)?(?:\\[([0-9A-Fa-f:.]+(?:%[\\w.-]+)?)]|([^:/\\[\\]\\s]+)):(\\d{1,5})/?");

  /** Returns whether a text is meant as a proxy's URI, valid or not. */
  public static boolean isProxy(String uri) {
    return uri.startsWith(SCHEME);
  }

  /**
   * Parses a URI; the two slashes may be omitted.
   *
   * @throws ConfigurationException if it is not a proxy's URI
   */
  public static ProxyAddress parse(String uri) {
    Matcher matcher = FORM.matcher(uri);
    if (matcher.matches()) {
      int port = Integer.parseInt(matcher.group(3));
      if (port > 0 && port <= MAX_PORT) {
        return new ProxyAddress(
            matcher.group(1) != null ? matcher.group(1) : matcher.group(2), port);
      }
    }
    throw new ConfigurationException(
        "proxy is \"" + uri + "\", write proxy://HOST:PORT with a port from 1 to " + MAX_PORT);
  }

  @Override
  public String toString() {
    return "proxy://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
