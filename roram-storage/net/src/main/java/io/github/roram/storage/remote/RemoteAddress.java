package io.github.roram.storage.remote;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.Stores;
import io.github.roram.storage.file.StateDirectory;
import io.github.roram.storage.remote.protocol.Message.VolumeName;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a volume.
 *
 * @param tls whether the connection is encrypted
 * @param host name or address of the server
 * @param port port of the server
 * @param volume name of the volume; empty for the {@linkplain #ofServer server} as a whole
 */
public record RemoteAddress(boolean tls, String host, int port, String volume) {

  private static final int MAX_PORT = 65_535;
  private static final Pattern FORM =
      Pattern.compile(
          "//(?:\\[([0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%[\\w.-]+)?)]|([^:/\\[\\]\\s\\p{Cntrl}]+)):(\\d{1,5})/(.*)");
  private static final Pattern SERVER = Pattern.compile("(tcp|tls):(//[^/]+)/?");

  /**
   * Returns the address of a store, if it is on a block server.
   *
   * @throws ConfigurationException if the address is malformed
   */
  public static Optional<RemoteAddress> ofStore(String uri) {
    if (Stores.provider(uri) instanceof RemoteStoreProvider provider) {
      return Optional.of(provider.address(uri.substring(uri.indexOf(':') + 1)));
    }
    return Optional.empty();
  }

  /**
   * Parses the address of a server: {@code tcp://HOST:PORT} or {@code tls://HOST:PORT}.
   *
   * @throws ConfigurationException if it is malformed
   */
  public static RemoteAddress ofServer(String uri) {
    Matcher matcher = SERVER.matcher(uri);
    if (!matcher.matches()) {
      throw new ConfigurationException(
          "block server is \"" + uri + "\", write tcp://HOST:PORT or tls://HOST:PORT");
    }
    RemoteAddress any = parse(matcher.group(1).equals("tls"), matcher.group(2) + "/any");
    return new RemoteAddress(any.tls, any.host, any.port, "");
  }

  /**
   * Parses the part of a store's URI after {@code tcp:} or {@code tls:}: {@code
   * //HOST:PORT/VOLUME}.
   *
   * @throws ConfigurationException if it is malformed
   */
  public static RemoteAddress parse(boolean tls, String location) {
    String scheme = tls ? "tls" : "tcp";
    String uri = scheme + ":" + location;
    Matcher matcher = FORM.matcher(location);
    if (!matcher.matches()) {
      throw new ConfigurationException(
          "store URI is \""
              + uri
              + "\", write "
              + scheme
              + "://HOST:PORT/VOLUME, the host a name, an IPv4 address or [IPV6]");
    }
    int port = Integer.parseInt(matcher.group(3));
    if (port == 0 || port > MAX_PORT) {
      throw new ConfigurationException(
          "store URI \"" + uri + "\" names the port " + port + ", must be 1 to " + MAX_PORT);
    }
    String volume = matcher.group(4);
    if (!VolumeName.isValid(volume)) {
      throw new ConfigurationException(
          "store URI \""
              + uri
              + "\" names the volume \""
              + volume
              + "\": use 1 to 64 of a-z, 0-9, '.', '_' and '-', the first a letter or digit");
    }
    String host = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
    return new RemoteAddress(tls, host, port, volume);
  }

  /** Returns the default directory of the client's records of the volume. */
  public Path stateDirectory() {
    String safeHost = host.replaceAll("[^A-Za-z0-9.-]", "-");
    return StateDirectory.usual(safeHost, String.valueOf(port), volume);
  }

  @Override
  public String toString() {
    String shown = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    String server = (tls ? "tls" : "tcp") + "://" + shown + ":" + port;
    return volume.isEmpty() ? server : server + "/" + volume;
  }
}
