package io.github.roram.resp;

import io.github.roram.intake.SharedIntake;
import io.github.roram.intake.TrustedServer;
import io.github.roram.map.OramMap;
import io.github.roram.proxy.ProxyConfig;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * Serves a map to clients of Redis.
 *
 * <h2>Security</h2>
 *
 * Belongs on the trusted side, as a {@linkplain io.github.roram.proxy.ProxyServer proxy} does. The
 * store sees one operation of the map for each key that a command names, in the order of the
 * commands, and not which command it was.
 *
 * <p>Thread safety: safe.
 */
public final class RespServer extends TrustedServer {

  /** The most bytes of a command and its answer. */
  private static final long MOST_BYTES = 256 << 10;

  private final RespCommands commands;

  private RespServer(
      ProxyConfig config, SharedIntake intake, RespCommands commands, OwnedThreads threads)
      throws IOException {
    super(
        "roram-resp",
        config.listen(),
        config.sslContext(),
        intake,
        config.observer(),
        connection -> new RespRequests(config, intake, commands, connection),
        threads);
    this.commands = commands;
  }

  /**
   * Starts a server.
   *
   * @param config configuration, whose limit on a request's length is ignored: a command and its
   *     answer may have 256 KiB
   * @param map the map to serve; the caller closes its ORAM
   * @throws IOException if it cannot listen at the configured address
   */
  public static RespServer start(ProxyConfig config, OramMap map) throws IOException {
    SharedIntake intake = new SharedIntake(config.limits().withMaxRequestBytes(MOST_BYTES));
    OwnedThreads threads = new OwnedThreads();
    RespCommands commands = new RespCommands(map, threads.serial("roram-map"));
    return new RespServer(config, intake, commands, threads);
  }

  /** Returns 0: every request that was accepted is in flight. */
  @Override
  public int waiting() {
    return 0;
  }

  @Override
  public CompletableFuture<Void> replaced() {
    return commands.replaced();
  }

  @Override
  public String toString() {
    return "map at " + address();
  }
}
