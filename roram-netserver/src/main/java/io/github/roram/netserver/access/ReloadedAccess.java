package io.github.roram.netserver.access;

import io.github.roram.ConfigurationException;
import io.github.roram.netserver.AccessPolicy;
import io.github.roram.netserver.Authenticator;
import io.github.roram.netserver.ClientIdentity;
import io.github.roram.storage.tls.TlsFiles;
import io.github.roram.threads.DaemonThreads;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates, tokens and access rules of a running server, which are reloaded when one of their
 * files changes. If a file is invalid, all changes are refused, with a message in the log, and the
 * previous content stays in force.
 *
 * <p>New connections use the latest content; the caller decides about existing ones.
 *
 * <p>Thread safety: safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // looking fails with a message of its own
public final class ReloadedAccess implements Authenticator, AccessPolicy, Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(ReloadedAccess.class);

  private static final Duration INTERVAL = Duration.ofSeconds(2);

  private final Source source;
  private final Runnable changed;
  private final ScheduledExecutorService thread;
  private List<Object> fingerprint;
  private volatile Loaded loaded;
  private volatile @Nullable String refusal;

  /** Returns the places of the files; these may themselves be in a file. */
  @FunctionalInterface
  public interface Source {

    /**
     * Returns the places at present.
     *
     * @throws ConfigurationException if the file that names them is invalid
     */
    AccessFiles read() throws IOException;
  }

  /**
   * The files and settings that decide who is admitted, and to what.
   *
   * @param settings file with the other settings; null if there is none
   * @param tls authority, certificate and key; null for none
   * @param tokens file of tokens; null for none
   * @param anonymous whether clients on loopback need no credentials
   * @param rules what identities may do
   */
  public record AccessFiles(
      @Nullable Path settings,
      @Nullable TlsFiles tls,
      @Nullable Path tokens,
      boolean anonymous,
      AccessRules rules) {

    private List<Path> all() {
      Stream<@Nullable Path> ofTls =
          tls == null ? Stream.empty() : Stream.of(tls.ca(), tls.certificate(), tls.key());
      return Stream.concat(Stream.of(settings, tokens), ofTls).filter(Objects::nonNull).toList();
    }

    /**
     * Reads all files.
     *
     * @throws ConfigurationException if one is invalid
     */
    private Loaded load() throws IOException {
      TokenFile known = tokens == null ? null : TokenFile.read(tokens);
      boolean otherProof = known != null || anonymous;
      return new Loaded(
          this,
          tls == null
              ? null
              : tls.serverContext(otherProof ? ClientAuth.OPTIONAL : ClientAuth.REQUIRE),
          tls == null ? Instant.MAX : tls.expiry(),
          new ClientAuthenticator(known, anonymous),
          new ClientAuthenticator(known, false));
    }
  }

  private record Loaded(
      AccessFiles files,
      @Nullable SslContext sslContext,
      Instant expiry,
      ClientAuthenticator clients,
      ClientAuthenticator proven) {}

  private ReloadedAccess(Source source, Runnable changed, List<Object> fingerprint, Loaded loaded) {
    this.source = source;
    this.changed = changed;
    this.fingerprint = fingerprint;
    this.loaded = loaded;
    thread =
        Executors.newSingleThreadScheduledExecutor(task -> DaemonThreads.of("roram-reload", task));
  }

  /**
   * Reads all files, and from now on checks every two seconds whether they changed.
   *
   * @param changed called after they were read again
   * @throws ConfigurationException if one is invalid
   */
  public static ReloadedAccess start(Source source, Runnable changed) throws IOException {
    return start(source, changed, INTERVAL);
  }

  /** Does the same at another interval. */
  static ReloadedAccess start(Source source, Runnable changed, Duration interval)
      throws IOException {
    AccessFiles files = source.read();
    List<Object> fingerprint = fingerprint(files);
    ReloadedAccess access = new ReloadedAccess(source, changed, fingerprint, files.load());
    access.thread.scheduleWithFixedDelay(
        access::look, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    return access;
  }

  /**
   * Reads and checks all files, and starts nothing.
   *
   * @throws ConfigurationException if one is invalid
   */
  public static void check(AccessFiles files) throws IOException {
    files.load();
  }

  /** Checks whether a file changed since the last reading, and if so reads all of them. */
  synchronized void look() {
    List<Object> now = fingerprint(loaded.files());
    if (now.equals(fingerprint) && !isRefused()) {
      return;
    }
    fingerprint = now;
    try {
      AccessFiles files = source.read();
      if ((files.tls() == null) != (loaded.files().tls() == null)) {
        throw new ConfigurationException("TLS cannot be switched on or off: restart the server");
      }
      Loaded next = files.load();
      fingerprint = files.all().equals(loaded.files().all()) ? now : fingerprint(files);
      loaded = next;
      refusal = null;
      LOG.info("certificates, tokens and access lists were read again");
      changed.run();
    } catch (IOException | RuntimeException e) {
      // Looked at again even if none of these changes: it may be of a right, or of another file.
      String reason = String.valueOf(e.getMessage());
      if (!reason.equals(refusal)) {
        LOG.error(
            "changed certificates, tokens or access lists are refused, the old ones stay in force:"
                + " {}",
            reason);
      }
      refusal = reason;
    }
  }

  /** Returns values that change when a file does, even if it is replaced within the same second. */
  private static List<Object> fingerprint(AccessFiles files) {
    List<Object> prints = new ArrayList<>();
    for (Path file : files.all()) {
      try {
        BasicFileAttributes of = Files.readAttributes(file, BasicFileAttributes.class);
        prints.add(List.of(file, of.lastModifiedTime(), of.size(), String.valueOf(of.fileKey())));
      } catch (IOException e) {
        prints.add(file);
      }
    }
    return prints;
  }

  /** Returns whether the files as they are now were refused. */
  public boolean isRefused() {
    return refusal != null;
  }

  /** Returns when the first of the certificates expires; {@link Instant#MAX} without TLS. */
  public Instant expiry() {
    return loaded.expiry();
  }

  @Override
  public Optional<ClientIdentity> authenticate(Credentials credentials) {
    return loaded.clients().authenticate(credentials);
  }

  /** Identifies a client that presents valid credentials, even on loopback. */
  public Optional<ClientIdentity> authenticateProven(Credentials credentials) {
    return loaded.proven().authenticate(credentials);
  }

  @Override
  public boolean allows(ClientIdentity client, String volume, Action action) {
    return loaded.files().rules().allows(client, volume, action);
  }

  @Override
  public long maxVolumeBytes(String volume, long otherwise) {
    return loaded.files().rules().maxVolumeBytes(volume, otherwise);
  }

  /** Returns the context for new connections; null if they are in the clear. */
  public @Nullable SslContext sslContext() {
    return loaded.sslContext() == null ? null : new CurrentContext();
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  /** Delegates to the context that was made last. */
  private final class CurrentContext extends SslContext {

    private SslContext current() {
      return Objects.requireNonNull(loaded.sslContext(), "TLS is not switched off");
    }

    @Override
    public boolean isClient() {
      return false;
    }

    @Override
    public List<String> cipherSuites() {
      return current().cipherSuites();
    }

    @Override
    @SuppressWarnings("deprecation") // the supertype asks for it
    public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
      return current().applicationProtocolNegotiator();
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator) {
      return current().newEngine(allocator);
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator, String host, int port) {
      return current().newEngine(allocator, host, port);
    }

    @Override
    public SSLSessionContext sessionContext() {
      return current().sessionContext();
    }
  }
}
