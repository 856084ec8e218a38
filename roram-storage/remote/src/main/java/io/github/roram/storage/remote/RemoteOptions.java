package io.github.roram.storage.remote;

import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a store on a block server is reached. Immutable; start from {@link #defaults} and change what
 * differs.
 *
 * @param tls whom the client trusts and what it shows of itself, for {@code tls:}
 * @param tokenFile file whose first line proves who this client is; null for none. Without TLS it
 *     is sent over loopback alone: connecting to any other address is refused
 * @param times how long to wait
 * @param memory what may be kept in memory
 * @param takeOver whether opening takes the lease of a volume from a client that still holds it
 */
public record RemoteOptions(
    TlsFiles tls,
    @Nullable Path tokenFile,
    RemoteTimes times,
    RemoteMemory memory,
    boolean takeOver) {

  private static final RemoteOptions DEFAULTS =
      new RemoteOptions(
          new TlsFiles(null, null, null),
          null,
          RemoteTimes.defaults(),
          RemoteMemory.defaults(),
          false);

  /** No credentials; give up after a minute; keep up to 256 MiB of writes. */
  public static RemoteOptions defaults() {
    return DEFAULTS;
  }

  /**
   * What a set of options says of stores on block servers.
   *
   * @throws io.github.roram.ConfigurationException if a value cannot be
   */
  public static RemoteOptions of(StoreOptions options) {
    return DeclaredOptions.read(options);
  }

  /** As {@link io.github.roram.storage.Stores} takes them. */
  public StoreOptions storeOptions() {
    return DeclaredOptions.write(this);
  }

  /** The same options but for whom to trust and what to show. */
  public RemoteOptions withTls(TlsFiles files) {
    return new RemoteOptions(files, tokenFile, times, memory, takeOver);
  }

  /** The same options but for the authority that servers are checked against; null for Java's. */
  public RemoteOptions withCaCertificate(@Nullable Path pemFile) {
    return withTls(new TlsFiles(pemFile, tls.certificate(), tls.key()));
  }

  /** The same options but for the certificate that this client shows, and its key. */
  public RemoteOptions withClientCertificate(@Nullable Path certificate, @Nullable Path key) {
    return withTls(new TlsFiles(tls.ca(), certificate, key));
  }

  /** The same options but for the file with the token. */
  public RemoteOptions withTokenFile(@Nullable Path file) {
    return new RemoteOptions(tls, file, times, memory, takeOver);
  }

  /** The same options but for whether a lease is taken from who holds it. */
  public RemoteOptions withTakeOver(boolean newTakeOver) {
    return new RemoteOptions(tls, tokenFile, times, memory, newTakeOver);
  }

  /** The same options but for the times, as in {@link RemoteTimes}. */
  public RemoteOptions withTimeouts(
      Duration connect, Duration request, Duration retry, Duration ping) {
    RemoteTimes newTimes = new RemoteTimes(connect, request, retry, ping);
    return new RemoteOptions(tls, tokenFile, newTimes, memory, takeOver);
  }

  /** The same options but for the memory, as in {@link RemoteMemory}. */
  public RemoteOptions withMemory(long unsyncedBytes, int windowBytes) {
    RemoteMemory newMemory = new RemoteMemory(unsyncedBytes, windowBytes);
    return new RemoteOptions(tls, tokenFile, times, newMemory, takeOver);
  }
}
