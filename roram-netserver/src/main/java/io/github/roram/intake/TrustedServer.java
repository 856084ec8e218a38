package io.github.roram.intake;

import java.io.Closeable;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/**
 * A server on the trusted side, whose clients share what it serves.
 *
 * <p>Thread safety: implementations are safe.
 */
public interface TrustedServer extends Closeable {

  /** Where it listens. */
  InetSocketAddress address();

  /** Requests that were not passed to the ORAM yet. */
  int waiting();

  /** Bytes that are held of requests and answers. */
  long heldBytes();

  /** Requests that are not answered. */
  long requests();

  /**
   * Completes when another client is found to have taken the records of what is served, which can
   * do nothing any more: the server is to be closed then, so that its clients find that one.
   */
  CompletableFuture<Void> replaced();

  /** As {@link ClientServer#isDrained}. */
  boolean isDrained();

  /** As {@link ClientServer#close}. What is served stays open; close it next. */
  @Override
  void close();
}
