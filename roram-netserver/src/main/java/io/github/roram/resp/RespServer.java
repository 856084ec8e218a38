package io.github.roram.resp;

import io.github.roram.intake.ClientServer;
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
 * store sees one operation of the map for each key that a command names, in the order in which
 * commands came, and nothing of which command it was.
 *
 * <p>Thread safety: safe.
 */
public final class RespServer extends TrustedServer {

  /** Of a command with its answer. */
  private static final long MOST_BYTES = 256 << 10;

  private final RespCommands commands;

  private RespServer(
      ProxyConfig config, SharedIntake intake, RespCommands commands, OwnedThreads threads)
      throws IOException {
    super(
        new ClientServer(
            "roram-resp",
            config.listen(),
            config.sslContext(),
            intake,
            config.observer(),
            connection -> new RespRequests(config, intake, commands, connection)),
        threads);
    this.commands = commands;
  }

  /**
   * Starts a server.
   *
   * @param config its longest request counts for nothing: commands may have 256 KiB, with what is
   *     answered
   * @param map what is served; its ORAM stays the caller's
   * @throws IOException if it cannot listen where it should
   */
  public static RespServer start(ProxyConfig config, OramMap map) throws IOException {
    SharedIntake intake = new SharedIntake(config.limits().withMaxRequestBytes(MOST_BYTES));
    OwnedThreads threads = new OwnedThreads();
    RespCommands commands = new RespCommands(map, threads.serial("roram-map"));
    return new RespServer(config, intake, commands, threads);
  }

  /** None: what was taken is under way. */
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
