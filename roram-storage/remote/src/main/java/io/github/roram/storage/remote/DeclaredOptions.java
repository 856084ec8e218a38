package io.github.roram.storage.remote;

import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The options of {@code tcp:} and {@code tls:} stores as they are declared. */
final class DeclaredOptions {

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

  static final StoreOption<Boolean> TAKE_OVER =
      StoreOption.flag("take-over", "Take the store from a client that still holds it.");

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
   * The variable for the state directory is for block servers alone: set for one of them, it must
   * not send a store in files, opened in the same shell, to another store's records.
   */
  static List<StoreOption<?>> all(boolean tls) {
    Stream<StoreOption<?>> both =
        Stream.of(
            TOKEN_FILE,
            RETRY,
            TAKE_OVER,
            CONNECT,
            REQUEST,
            PING,
            UNSYNCED,
            WINDOW,
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
        options.get(TAKE_OVER).orElse(false));
  }

  static StoreOptions write(RemoteOptions remote) {
    StoreOptions options =
        StoreOptions.defaults()
            .with(TAKE_OVER, remote.takeOver())
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
