package io.github.roram.proxy;

import io.github.roram.AsyncOram;
import io.github.roram.OramConfig;
import io.github.roram.intake.ClientServer;
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
 * Shares an ORAM with many clients, whose accesses are one sequence.
 *
 * <h2>Security</h2>
 *
 * Belongs on the trusted side: its clients read and write the data in the clear. What the store
 * sees is the ORAM's affair; requests become accesses one to one, in the order in which they come
 * and clients take turns, which does not depend on addresses, on data, nor on read against write.
 *
 * <p>Thread safety: safe.
 */
public final class ProxyServer extends TrustedServer {

  private final ProxyState state;

  private ProxyServer(ProxyState state, OwnedThreads threads) throws IOException {
    super(
        new ClientServer(
            "roram-proxy",
            state.config().listen(),
            state.config().sslContext(),
            state.intake(),
            state.config().observer(),
            connection -> new ProxyRequests(state, connection)),
        threads);
    this.state = state;
  }

  /**
   * Starts a proxy.
   *
   * @param oram what is shared; stays the caller's
   * @throws IOException if it cannot listen where it should
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
   * What the connections of a proxy share.
   *
   * @param intake what is taken of clients
   * @param succession which connections are of the same client
   * @param process see {@link WelcomeDescriptor}
   * @param replaced see {@link TrustedServer#replaced}
   * @param statsThread asks for counters, which may wait for accesses
   */
  record ProxyState(
      ProxyConfig config,
      SharedOram oram,
      SharedIntake intake,
      Succession succession,
      long process,
      CompletableFuture<Void> replaced,
      Executor statsThread) {

    /** Of a new proxy of an ORAM. */
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

    /**
     * Whether another proxy has taken the place of this one, as a failure says or one before did.
     */
    boolean isReplaced(Throwable failure) {
      if (VaultTakenException.isCauseOf(failure)) {
        replaced.complete(null);
      }
      return replaced.isDone();
    }

    /** What a client is told that is let in, of a store as it is now. */
    WelcomeDescriptor welcome(OramConfig of) {
      return new WelcomeDescriptor(of, mostBytes(of), config.limits().maxRequests(), process);
    }

    /** The most bytes of a request. */
    int mostBytes(OramConfig of) {
      long longest = (long) of.maxRangeBlocks() * of.blockBytes();
      return (int) Math.min(config.limits().maxRequestBytes(), longest);
    }
  }
}
