package io.github.roram.storage;

import io.github.roram.ConfigurationException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a store on a block server is reached. Immutable; start from {@link #defaults} and change what
 * differs.
 *
 * @param caCertificate PEM file of the authority that signed the server's certificate, for {@code
 *     tls:}; null takes the JDK's authorities
 * @param clientCertificate PEM file of this client's certificate, for {@code tls:}; null for none
 * @param clientKey PEM file (PKCS#8) of the key of that certificate; null for none
 * @param tokenFile file whose first line proves who this client is; null for none. Without TLS it
 *     is sent over loopback alone: connecting to any other address is refused
 * @param connectTimeout how long connecting and each step of the handshake may take
 * @param requestTimeout how long a request may go without any progress before the connection is
 *     given up
 * @param retryBound for how long after its first failure a call is retried; zero for no retries
 * @param pingInterval after what silence the server is asked whether it is there; it is given up
 *     after three such intervals
 * @param unsyncedBytes most bytes of writes that are kept in memory to be repeated should the
 *     server lose them before they are durable; beyond, the store syncs by itself
 * @param windowBytes most bytes of answers that wait for callers before the connection stops
 *     reading
 * @param takeOver whether opening takes the lease of a volume from a client that still holds it
 */
public record RemoteOptions(
    @Nullable Path caCertificate,
    @Nullable Path clientCertificate,
    @Nullable Path clientKey,
    @Nullable Path tokenFile,
    Duration connectTimeout,
    Duration requestTimeout,
    Duration retryBound,
    Duration pingInterval,
    long unsyncedBytes,
    int windowBytes,
    boolean takeOver) {

  private static final RemoteOptions DEFAULTS =
      new RemoteOptions(
          null,
          null,
          null,
          null,
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          Duration.ofSeconds(10),
          256L << 20,
          8 << 20,
          false);

  /**
   * Checks that times and sizes are positive.
   *
   * @throws ConfigurationException naming what is not
   */
  public RemoteOptions {
    requirePositive("connectTimeout", connectTimeout);
    requirePositive("requestTimeout", requestTimeout);
    requirePositive("pingInterval", pingInterval);
    if (retryBound.isNegative()) {
      throw new ConfigurationException("retryBound is " + retryBound + ", must not be negative");
    }
    if (unsyncedBytes <= 0 || windowBytes <= 0) {
      throw new ConfigurationException(
          "unsyncedBytes is "
              + unsyncedBytes
              + " and windowBytes "
              + windowBytes
              + ", both must be positive");
    }
    if ((clientCertificate == null) != (clientKey == null)) {
      throw new ConfigurationException(
          "clientCertificate and clientKey belong together: give both, or none");
    }
  }

  /** No credentials; give up after a minute; keep up to 256 MiB of writes. */
  public static RemoteOptions defaults() {
    return DEFAULTS;
  }

  /** The same options but for the authority that servers are checked against. */
  public RemoteOptions withCaCertificate(@Nullable Path pemFile) {
    return with(pemFile, clientCertificate, clientKey, tokenFile, takeOver);
  }

  /** The same options but for the certificate that this client shows, and its key. */
  public RemoteOptions withClientCertificate(@Nullable Path certificate, @Nullable Path key) {
    return with(caCertificate, certificate, key, tokenFile, takeOver);
  }

  /** The same options but for the file with the token. */
  public RemoteOptions withTokenFile(@Nullable Path file) {
    return with(caCertificate, clientCertificate, clientKey, file, takeOver);
  }

  /** The same options but for whether a lease is taken from who holds it. */
  public RemoteOptions withTakeOver(boolean newTakeOver) {
    return with(caCertificate, clientCertificate, clientKey, tokenFile, newTakeOver);
  }

  /** The same options but for the times, as in the record's description. */
  public RemoteOptions withTimeouts(
      Duration connect, Duration request, Duration retry, Duration ping) {
    return new RemoteOptions(
        caCertificate,
        clientCertificate,
        clientKey,
        tokenFile,
        connect,
        request,
        retry,
        ping,
        unsyncedBytes,
        windowBytes,
        takeOver);
  }

  /** The same options but for the memory, as in the record's description. */
  public RemoteOptions withMemory(long newUnsyncedBytes, int newWindowBytes) {
    return new RemoteOptions(
        caCertificate,
        clientCertificate,
        clientKey,
        tokenFile,
        connectTimeout,
        requestTimeout,
        retryBound,
        pingInterval,
        newUnsyncedBytes,
        newWindowBytes,
        takeOver);
  }

  private RemoteOptions with(
      @Nullable Path ca,
      @Nullable Path certificate,
      @Nullable Path key,
      @Nullable Path token,
      boolean newTakeOver) {
    return new RemoteOptions(
        ca,
        certificate,
        key,
        token,
        connectTimeout,
        requestTimeout,
        retryBound,
        pingInterval,
        unsyncedBytes,
        windowBytes,
        newTakeOver);
  }

  private static void requirePositive(String name, Duration duration) {
    if (duration.isZero() || duration.isNegative()) {
      throw new ConfigurationException(name + " is " + duration + ", must be positive");
    }
  }
}
