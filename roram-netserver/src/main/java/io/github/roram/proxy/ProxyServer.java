package io.github.roram.proxy;

import io.github.roram.AsyncOram;
import io.github.roram.OramConfig;
import io.github.roram.intake.SharedIntake;
import io.github.roram.intake.SharedOram;
import io.github.roram.intake.TrustedServer;
import io.github.roram.object.VaultTakenException;
import io.github.roram.proxy.protocol.WelcomeDescriptor;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Shares an ORAM among many clients, whose accesses form one sequence.
 *
 * <h2>Security</h2>
 *
 * Belongs on the trusted side: its clients read and write the data in the clear. The ORAM
 * determines what the store sees. Each request becomes one access, in an order that depends on
 * arrival and on the clients' turns, and not on addresses, on data, or on whether it reads or
 * writes.
 *
 * <p>Thread safety: safe.
 */
public final class ProxyServer extends TrustedServer {

  private final ProxyState state;

  private ProxyServer(ProxyState state, OwnedThreads threads) throws IOException {
    super(
        "roram-proxy",
        state.config().listen(),
        state.config().sslContext(),
        state.intake(),
        state.config().observer(),
        connection -> new ProxyRequests(state, connection),
        threads);
    this.state = state;
  }

  /**
   * Starts a proxy.
   *
   * @param oram the ORAM to share, which the caller closes
   * @throws IOException if it cannot listen at the configured address
   */
  public static ProxyServer start(ProxyConfig config, AsyncOram oram) throws IOException {
    OwnedThreads threads = new OwnedThreads();
    return new ProxyServer(ProxyState.of(config, oram, threads), threads);
  }

  @Override
  public int waiting() {
    return state.oram().waiting();
  }

  @Override
  public CompletableFuture<Void> replaced() {
    return state.replaced();
  }

  @Override
  public String toString() {
    return "proxy at " + address();
  }

  /**
   * State that the connections of a proxy share.
   *
   * @param intake intake of requests
   * @param succession tells which connections belong to the same client
   * @param process see {@link WelcomeDescriptor}
   * @param replaced see {@link TrustedServer#replaced}
   * @param statsThread thread that reads counters, which may wait for accesses
   */
  record ProxyState(
      ProxyConfig config,
      SharedOram oram,
      SharedIntake intake,
      Succession succession,
      long process,
      CompletableFuture<Void> replaced,
      Executor statsThread) {

    /** Returns the state of a new proxy. */
    static ProxyState of(ProxyConfig config, AsyncOram oram, OwnedThreads threads) {
      return new ProxyState(
          config,
          new SharedOram(oram),
          new SharedIntake(config.limits()),
          new Succession(),
          config.durable() ? WelcomeDescriptor.DURABLE : newProcess(),
          new CompletableFuture<>(),
          threads.serial("roram-proxy-stats"));
    }

    private static long newProcess() {
      long number = new SecureRandom().nextLong();
      return number == WelcomeDescriptor.DURABLE ? newProcess() : number;
    }

    /** Returns whether another proxy has replaced this one, as this or an earlier failure says. */
    boolean isReplaced(Throwable failure) {
      if (VaultTakenException.isCauseOf(failure)) {
        replaced.complete(null);
      }
      return replaced.isDone();
    }

    /** Returns the welcome for a client, with the store's present configuration. */
    WelcomeDescriptor welcome(OramConfig of) {
      return new WelcomeDescriptor(of, mostBytes(of), config.limits().maxRequests(), process);
    }

    /** Returns the most bytes of a request. */
    int mostBytes(OramConfig of) {
      long longest = (long) of.maxRangeBlocks() * of.blockBytes();
      return (int) Math.min(config.limits().maxRequestBytes(), longest);
    }
  }
}
