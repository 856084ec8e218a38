package io.github.roram.storage.remote;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.Stores;
import io.github.roram.storage.remote.protocol.VolumeNameDescriptor;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a volume is.
 *
 * @param tls whether the connection is encrypted
 * @param host name or address of the server
 * @param port where it listens
 * @param volume name of the volume
 */
public record RemoteAddress(boolean tls, String host, int port, String volume) {

  /**
   * Where a store is, if it is on a block server.
   *
   * @throws ConfigurationException saying what is wrong with its address
   */
  public static Optional<RemoteAddress> ofStore(String uri) {
    if (Stores.provider(uri) instanceof RemoteStoreProvider provider) {
      return Optional.of(provider.address(uri.substring(uri.indexOf(':') + 1)));
    }
    return Optional.empty();
  }

  /**
   * Takes what follows {@code tcp:} or {@code tls:} in a store's URI: {@code //HOST:PORT/VOLUME}.
   *
   * @throws ConfigurationException saying what is wrong with it
   */
  public static RemoteAddress parse(boolean tls, String location) {
    String uri = (tls ? "tls:" : "tcp:") + location;
    int slash = location.indexOf('/', 2);
    int colon = slash < 0 ? -1 : location.lastIndexOf(':', slash);
    if (!location.startsWith("//") || colon <= 2) {
      throw new ConfigurationException(
          "store URI is \"" + uri + "\", write " + (tls ? "tls" : "tcp") + "://HOST:PORT/VOLUME");
    }
    String host = location.substring(2, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    String volume = location.substring(slash + 1);
    if (!VolumeNameDescriptor.isValid(volume)) {
      throw new ConfigurationException(
          "store URI \""
              + uri
              + "\" names the volume \""
              + volume
              + "\": use 1 to 64 of a-z, 0-9, '.', '_' and '-', the first a letter or digit");
    }
    return new RemoteAddress(tls, host, port(uri, location.substring(colon + 1, slash)), volume);
  }

  private static int port(String uri, String text) {
    try {
      int port = Integer.parseInt(text);
      if (port > 0 && port < 1 << 16) {
        return port;
      }
    } catch (NumberFormatException e) {
      // told below, like a number out of range
    }
    throw new ConfigurationException(
        "store URI \"" + uri + "\" names the port \"" + text + "\", must be 1 to 65535");
  }

  /** Where the client's records of the volume are, unless another place is named. */
  public Path stateDirectory() {
    String home = System.getenv("XDG_STATE_HOME");
    Path base =
        home != null && !home.isEmpty()
            ? Path.of(home)
            : Path.of(System.getProperty("user.home"), ".local", "state");
    String safeHost = host.replaceAll("[^A-Za-z0-9.-]", "-");
    return base.resolve("roram").resolve(safeHost + "_" + port + "_" + volume);
  }

  @Override
  public String toString() {
    String shown = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return (tls ? "tls" : "tcp") + "://" + shown + ":" + port + "/" + volume;
  }
}
