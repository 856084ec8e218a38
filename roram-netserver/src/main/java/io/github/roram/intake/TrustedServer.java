package io.github.roram.intake;

import io.github.roram.threads.OwnedThreads;
import java.io.Closeable;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/**
 * A server on the trusted side, whose clients share what it serves.
 *
 * <p>Thread safety: implementations are safe.
 */
public abstract class TrustedServer implements Closeable {

  private final ClientServer server;
  private final OwnedThreads threads;

  /**
   * A server that was started.
   *
   * @param threads that end with it
   */
  protected TrustedServer(ClientServer server, OwnedThreads threads) {
    this.server = server;
    this.threads = threads;
  }

  /** Where it listens. */
  public final InetSocketAddress address() {
    return (InetSocketAddress) server.address();
  }

  /** Number of connections. */
  public final int connections() {
    return server.connections();
  }

  /** Requests that were not passed to the ORAM yet. */
  public abstract int waiting();

  /** Bytes that are held of requests and answers. */
  public final long heldBytes() {
    return server.heldBytes();
  }

  /** Requests that are not answered. */
  public final long requests() {
    return server.requests();
  }

  /**
   * Completes when another client is found to have taken the records of what is served, which can
   * do nothing any more: the server is to be closed then, so that its clients find that one.
   */
  public abstract CompletableFuture<Void> replaced();

  /** As {@link ClientServer#isDrained}. */
  public final boolean isDrained() {
    return server.isDrained();
  }

  /** As {@link ClientServer#close}. What is served stays open; close it next. */
  @Override
  public final void close() {
    server.close();
    threads.end();
  }
}
