package io.github.roram.intake;

import io.github.roram.threads.OwnedThreads;
import java.io.Closeable;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/**
 * A server on the trusted side, whose clients share one ORAM or map.
 *
 * <p>Thread safety: implementations are safe.
 */
public abstract class TrustedServer implements Closeable {

  private final ClientServer server;
  private final OwnedThreads threads;

  /**
   * Wraps a server that was started.
   *
   * @param threads threads that end with it
   */
  protected TrustedServer(ClientServer server, OwnedThreads threads) {
    this.server = server;
    this.threads = threads;
  }

  /** Returns the address that it listens at. */
  public final InetSocketAddress address() {
    return (InetSocketAddress) server.address();
  }

  /** Returns the number of connections. */
  public final int connections() {
    return server.connections();
  }

  /** Returns the number of requests not yet passed to the ORAM. */
  public abstract int waiting();

  /** Returns the bytes that are held for requests and answers. */
  public final long heldBytes() {
    return server.heldBytes();
  }

  /** Returns the number of requests that are not answered yet. */
  public final long requests() {
    return server.requests();
  }

  /**
   * Completes when another client has taken over the records of the served ORAM, which is then
   * useless. Close the server, so that its clients connect to the other one.
   */
  public abstract CompletableFuture<Void> replaced();

  /** Returns the same as {@link ClientServer#isDrained}. */
  public final boolean isDrained() {
    return server.isDrained();
  }

  /** Closes the server as {@link ClientServer#close} does. The ORAM stays open; close it next. */
  @Override
  public final void close() {
    server.close();
    threads.end();
  }
}
