package io.github.roram.intake;

import io.github.roram.intake.ClientConnection.Phase;
import io.github.roram.intake.Listener.ConnectionObserver;
import io.github.roram.threads.OwnedThreads;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A server on the trusted side, whose clients share one ORAM or map.
 *
 * <p>Thread safety: implementations are safe.
 */
public abstract class TrustedServer extends ClientServer {

  private final OwnedThreads threads;

  /**
   * Starts a server, as {@link ClientServer} does.
   *
   * @param threads threads that end with it
   * @throws IOException if it cannot listen at that address
   */
  protected TrustedServer(
      String name,
      InetSocketAddress listen,
      @Nullable SslContext sslContext,
      SharedIntake intake,
      ConnectionObserver observer,
      Function<ClientConnection, Phase> first,
      OwnedThreads threads)
      throws IOException {
    super(name, listen, sslContext, intake, observer, first);
    this.threads = threads;
  }

  @Override
  public final InetSocketAddress address() {
    return (InetSocketAddress) super.address();
  }

  /** Returns the number of requests not yet passed to the ORAM. */
  public abstract int waiting();

  /**
   * Completes when another client has taken over the records of the served ORAM, which is then
   * useless. Close the server, so that its clients connect to the other one.
   */
  public abstract CompletableFuture<Void> replaced();

  @Override
  public final synchronized void close() {
    super.close();
    threads.end();
  }
}
