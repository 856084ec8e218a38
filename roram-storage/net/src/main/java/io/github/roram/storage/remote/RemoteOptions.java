package io.github.roram.storage.remote;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.ClientCopy;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.remote.protocol.Message.Hello;
import io.github.roram.storage.tls.TlsFiles;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Options for reaching a store on a block server. Immutable; start from {@link #defaults} and
 * change what differs.
 *
 * @param tls trusted authorities and the client's own certificate, for {@code tls:}
 * @param tokenFile file whose first line is this client's token; null for none. Without TLS the
 *     token is sent only over loopback: connecting to any other address is refused
 * @param times how long to wait for the server
 * @param memory limits on the client's memory
 * @param takeOver whether opening takes a volume's lease from a client that still holds it
 * @param readsXor whether the server returns the XOR of the units that scheme {@code ring} reads of
 *     a path: fewer bytes are received, and both sides compute more
 */
public record RemoteOptions(
    TlsFiles tls,
    @Nullable Path tokenFile,
    RemoteTimes times,
    RemoteMemory memory,
    boolean takeOver,
    boolean readsXor) {

  private static final RemoteOptions DEFAULTS =
      new RemoteOptions(
          new TlsFiles(null, null, null),
          null,
          RemoteTimes.defaults(),
          RemoteMemory.defaults(),
          false,
          false);

  /** Returns options without credentials: give up after a minute, keep up to 256 MiB of writes. */
  public static RemoteOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns the options of stores on block servers that a set has.
   *
   * @throws io.github.roram.ConfigurationException if a value is out of bounds
   */
  public static RemoteOptions of(StoreOptions options) {
    return DeclaredOptions.read(options);
  }

  /** Returns these options in the form that {@link io.github.roram.storage.Stores} takes. */
  public StoreOptions storeOptions() {
    return DeclaredOptions.write(this);
  }

  /** Returns these options with other files for TLS. */
  public RemoteOptions withTls(TlsFiles files) {
    return new RemoteOptions(files, tokenFile, times, memory, takeOver, readsXor);
  }

  /** Returns these options with another file for the token. */
  public RemoteOptions withTokenFile(@Nullable Path file) {
    return new RemoteOptions(tls, file, times, memory, takeOver, readsXor);
  }

  /** Returns these options with or without taking over a lease. */
  public RemoteOptions withTakeOver(boolean newTakeOver) {
    return new RemoteOptions(tls, tokenFile, times, memory, newTakeOver, readsXor);
  }

  /** Returns these options with or without XOR of a path at the server. */
  public RemoteOptions withXor(boolean newReadsXor) {
    return new RemoteOptions(tls, tokenFile, times, memory, takeOver, newReadsXor);
  }

  /** Returns these options with other times, as in {@link RemoteTimes}. */
  public RemoteOptions withTimeouts(
      Duration connect, Duration request, Duration retry, Duration ping) {
    RemoteTimes newTimes = new RemoteTimes(connect, request, retry, ping);
    return new RemoteOptions(tls, tokenFile, newTimes, memory, takeOver, readsXor);
  }

  /** Returns these options with other limits on memory, as in {@link RemoteMemory}. */
  public RemoteOptions withMemory(long unsyncedBytes, int windowBytes) {
    RemoteMemory newMemory = new RemoteMemory(unsyncedBytes, windowBytes);
    return new RemoteOptions(tls, tokenFile, times, newMemory, takeOver, readsXor);
  }

  /**
   * Refuses to send the token in the clear, as connecting does; for connections through a relay on
   * this machine, where connecting sees only the relay's address.
   *
   * @param address address of the server
   * @param peer address that the relay connects to
   * @throws ConfigurationException if there is a token and no TLS, and {@code peer} is not on
   *     loopback
   * @throws IOException if the file with the token cannot be read
   */
  public void checkToken(RemoteAddress address, SocketAddress peer) throws IOException {
    Trust.checkToken(address, Hello.tokenIn(tokenFile), peer);
  }

  /**
   * How long a client waits for a block server.
   *
   * @param connectTimeout time for connecting, and for each step of the handshake
   * @param requestTimeout time without any progress of a request after which the connection is
   *     abandoned
   * @param retryBound time after its first failure during which a call is retried; zero for no
   *     retries
   * @param pingInterval silence after which the client pings the server; it abandons the connection
   *     after three such intervals
   */
  public record RemoteTimes(
      Duration connectTimeout,
      Duration requestTimeout,
      Duration retryBound,
      Duration pingInterval) {

    private static final RemoteTimes DEFAULTS =
        new RemoteTimes(
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60),
            Duration.ofSeconds(10));

    /**
     * Checks that the times are positive.
     *
     * @throws ConfigurationException if one is not
     */
    public RemoteTimes {
      requirePositive("connectTimeout", connectTimeout);
      requirePositive("requestTimeout", requestTimeout);
      requirePositive("pingInterval", pingInterval);
      if (retryBound.isNegative()) {
        throw new ConfigurationException("retryBound is " + retryBound + ", must not be negative");
      }
    }

    private static void requirePositive(String name, Duration duration) {
      if (duration.isZero() || duration.isNegative()) {
        throw new ConfigurationException(name + " is " + duration + ", must be positive");
      }
    }

    /** Returns times that give up after a minute. */
    public static RemoteTimes defaults() {
      return DEFAULTS;
    }
  }

  /**
   * Limits on the memory of a block server's client.
   *
   * @param unsyncedBytes most bytes of writes that are kept to be repeated if the server loses them
   *     before they are durable; beyond, the store syncs by itself
   * @param windowBytes most bytes of answers that wait for callers before the connection stops
   *     reading
   */
  public record RemoteMemory(long unsyncedBytes, int windowBytes) {

    private static final RemoteMemory DEFAULTS = new RemoteMemory(256L << 20, 8 << 20);

    /**
     * Checks that the sizes are positive.
     *
     * @throws ConfigurationException if one is not
     */
    public RemoteMemory {
      if (unsyncedBytes <= 0 || windowBytes <= 0) {
        throw new ConfigurationException(
            "unsyncedBytes is "
                + unsyncedBytes
                + " and windowBytes "
                + windowBytes
                + ", both must be positive");
      }
    }

    /** Returns 256 MiB for writes and 8 MiB for answers. */
    public static RemoteMemory defaults() {
      return DEFAULTS;
    }
  }

  /** The options of {@code tcp:} and {@code tls:} stores as they are declared. */
  static final class DeclaredOptions {

    private static final int MAX_SECONDS = 86_400;
    private static final int MIN_WINDOW_BYTES = 1 << 16;
    private static final int MAX_WINDOW_BYTES = 1 << 30;

    static final StoreOption<Path> CA =
        StoreOption.path("ca", "FILE", "Certificate of the server's authority, PEM.")
            .orVariable("RORAM_CA");

    static final StoreOption<Path> CLIENT_CERT =
        StoreOption.path("client-cert", "FILE", "Your certificate, PEM.")
            .orVariable("RORAM_CLIENT_CERT");

    static final StoreOption<Path> CLIENT_KEY =
        StoreOption.path("client-key", "FILE", "Your certificate's private key, PEM.")
            .orVariable("RORAM_CLIENT_KEY");

    static final StoreOption<Path> TOKEN_FILE =
        StoreOption.path(
                "token-file",
                "FILE",
                "Your token instead of a certificate; without TLS on loopback alone.")
            .orVariable("RORAM_TOKEN_FILE");

    static final StoreOption<Duration> RETRY =
        StoreOption.seconds(
                "retry-seconds", 0, MAX_SECONDS, "How long to try to reach a server that is away.")
            .byDefault("60");

    static final StoreOption<Boolean> TAKE_OVER = StoreOptions.TAKE_OVER;

    static final StoreOption<Boolean> XOR =
        StoreOption.flag(
                "xor",
                "Have the server return the XOR of what scheme ring reads of a path: fewer bytes"
                    + " down, for a line that is narrow or billed; more computing.")
            .rare();

    static final StoreOption<Duration> CONNECT =
        rareSeconds("connect-seconds", "How long connecting may take.").byDefault("10");

    static final StoreOption<Duration> REQUEST =
        rareSeconds("request-seconds", "How long a request may go without any progress.")
            .byDefault("60");

    static final StoreOption<Duration> PING =
        rareSeconds("ping-seconds", "After what silence the server is asked whether it is there.")
            .byDefault("10");

    static final StoreOption<Long> UNSYNCED =
        StoreOption.bytes(
                "unsynced-bytes",
                "Most bytes of writes that are kept in memory until they are durable on the server.")
            .byDefault("256M")
            .rare();

    static final StoreOption<Integer> WINDOW =
        StoreOption.number(
                "window-bytes",
                MIN_WINDOW_BYTES,
                MAX_WINDOW_BYTES,
                "Most bytes of answers that wait in memory for their readers.")
            .byDefault("8388608")
            .rare();

    private DeclaredOptions() {}

    private static StoreOption<Duration> rareSeconds(String name, String description) {
      return StoreOption.seconds(name, 0, MAX_SECONDS, description).rare();
    }

    /**
     * Returns the variable for the state directory applies to block servers only. If it is set for
     * one of them, a store in files that is opened in the same shell must not be given another
     * store's records.
     */
    static List<StoreOption<?>> all(boolean tls) {
      Stream<StoreOption<?>> both =
          Stream.of(
              TOKEN_FILE,
              RETRY,
              TAKE_OVER,
              XOR,
              StoreOptions.VAULT,
              StoreOptions.STAND_BY,
              StoreOptions.VAULT_SECONDS,
              CONNECT,
              REQUEST,
              PING,
              UNSYNCED,
              WINDOW,
              ClientCopy.OPTION,
              StoreOptions.STATE_DIRECTORY
                  .orVariable("RORAM_STATE_DIR")
                  .byDefault("below ~/.local/state/roram"));
      return tls
          ? Stream.concat(Stream.of(CA, CLIENT_CERT, CLIENT_KEY), both).toList()
          : both.toList();
    }

    static RemoteOptions read(StoreOptions options) {
      RemoteTimes times = RemoteTimes.defaults();
      RemoteMemory memory = RemoteMemory.defaults();
      return new RemoteOptions(
          new TlsFiles(
              options.get(CA).orElse(null),
              options.get(CLIENT_CERT).orElse(null),
              options.get(CLIENT_KEY).orElse(null)),
          options.get(TOKEN_FILE).orElse(null),
          new RemoteTimes(
              options.get(CONNECT).orElse(times.connectTimeout()),
              options.get(REQUEST).orElse(times.requestTimeout()),
              options.get(RETRY).orElse(times.retryBound()),
              options.get(PING).orElse(times.pingInterval())),
          new RemoteMemory(
              options.get(UNSYNCED).orElse(memory.unsyncedBytes()),
              options.get(WINDOW).orElse(memory.windowBytes())),
          // Whoever stood by has the client's records, so the volume is left or must be.
          options.get(TAKE_OVER).orElse(false) || options.get(StoreOptions.STAND_BY).orElse(false),
          options.get(XOR).orElse(false));
    }

    static StoreOptions write(RemoteOptions remote) {
      StoreOptions options =
          StoreOptions.defaults()
              .with(TAKE_OVER, remote.takeOver())
              .with(XOR, remote.readsXor())
              .with(CONNECT, remote.times().connectTimeout())
              .with(REQUEST, remote.times().requestTimeout())
              .with(RETRY, remote.times().retryBound())
              .with(PING, remote.times().pingInterval())
              .with(UNSYNCED, remote.memory().unsyncedBytes())
              .with(WINDOW, remote.memory().windowBytes());
      options = withPath(options, CA, remote.tls().ca());
      options = withPath(options, CLIENT_CERT, remote.tls().certificate());
      options = withPath(options, CLIENT_KEY, remote.tls().key());
      return withPath(options, TOKEN_FILE, remote.tokenFile());
    }

    private static StoreOptions withPath(
        StoreOptions options, StoreOption<Path> option, @Nullable Path path) {
      return path == null ? options : options.with(option, path);
    }
  }
}
