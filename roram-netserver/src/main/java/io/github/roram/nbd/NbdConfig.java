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
 * What a server is made of.
 *
 * <p><b>Security.</b> Who connects reads and writes the data in the clear. So a server listens on a
 * Unix socket, which is made for its owner alone, or with TLS; on loopback without TLS every user
 * of the machine can connect, and somebody must have said that they may.
 *
 * @param listen a Unix socket, or host and port; port 0 picks one
 * @param exports what is served, under names that differ; the first is the default
 * @param limits what the server takes on
 * @param tls files for TLS; clients that do not begin it, or show no certificate of its authority,
 *     are refused. Null for none
 * @param anyoneOnThisMachine whether all local users may connect; needed on loopback without TLS
 */
public record NbdConfig(
    SocketAddress listen,
    List<Export> exports,
    IntakeLimits limits,
    @Nullable TlsFiles tls,
    boolean anyoneOnThisMachine) {

  /**
   * Checks that nobody listens in.
   *
   * @throws ConfigurationException if it would serve strangers in the clear, or exports are none or
   *     have one name
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

  /** 256 connections of 128 requests each, 256 MiB in all; 10, 30, 60 and 30 s. */
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
