package io.github.roram.nbd;

import io.github.roram.ConfigurationException;
import io.github.roram.intake.IntakeLimits;
import io.github.roram.storage.tls.TlsFiles;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of an NBD server.
 *
 * <p><b>Security.</b> Clients read and write the data in the clear. So a server listens on a Unix
 * socket, which only its owner can use, or with TLS; on loopback without TLS every user of the
 * machine can connect, which must be allowed explicitly.
 *
 * @param listen a Unix socket, or host and port; port 0 picks one
 * @param exports the devices to serve, under distinct names; the first is the default
 * @param limits limits on connections and requests
 * @param tls files for TLS, or null; with TLS, clients that do not start it or have no certificate
 *     of its authority are refused
 * @param anyoneOnThisMachine whether all local users may connect; needed on loopback without TLS
 */
public record NbdConfig(
    SocketAddress listen,
    List<Export> exports,
    IntakeLimits limits,
    @Nullable TlsFiles tls,
    boolean anyoneOnThisMachine) {

  /**
   * Checks that no stranger can connect in the clear.
   *
   * @throws ConfigurationException if one could, if there are no exports, or if two have the same
   *     name
   */
  public NbdConfig {
    exports = List.copyOf(exports);
    if (limits.maxRequestBytes() < IntakeLimits.MOST_REQUEST_BYTES) {
      throw new ConfigurationException(
          "maxRequestBytes is "
              + limits.maxRequestBytes()
              + ", must be "
              + IntakeLimits.MOST_REQUEST_BYTES
              + ", which clients of NBD may ask for");
    }
    if (exports.isEmpty()) {
      throw new ConfigurationException("a server has no export; name a store");
    }
    Set<String> names = new HashSet<>();
    for (Export export : exports) {
      if (!names.add(export.name())) {
        throw new ConfigurationException(
            "two exports have the name \"" + export.name() + "\"; give each its own");
      }
    }
    checkExposure(listen, tls != null, anyoneOnThisMachine);
  }

  /** Returns 256 connections of 128 requests, 256 MiB in all; times of 10, 30, 60 and 30 s. */
  public static IntakeLimits defaultLimits() {
    return IntakeLimits.of(256, 128);
  }

  private static void checkExposure(SocketAddress listen, boolean tls, boolean anyone) {
    if (listen instanceof UnixDomainSocketAddress) {
      return;
    }
    if (!(listen instanceof InetSocketAddress inet) || inet.isUnresolved()) {
      throw new ConfigurationException(
          "cannot listen at " + listen + "; give a Unix socket or a host that this machine knows");
    }
    if (!tls && !inet.getAddress().isLoopbackAddress()) {
      throw new ConfigurationException(
          "would serve the data in the clear at " + listen + "; give TLS files, or a Unix socket");
    }
    if (!tls && !anyone) {
      throw new ConfigurationException(
          "would give the data to every user of this machine at "
              + listen
              + "; give a Unix socket or TLS files, or say --anyone-on-this-machine");
    }
  }
}
