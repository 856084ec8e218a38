package io.github.roram.intake;

import io.github.roram.intake.ClientConnection.Phase;
import io.github.roram.intake.Listener.ConnectionObserver;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.SslContext;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A server, from its start to an orderly end. {@linkplain Phase Phases} of a protocol serve its
 * connections, on one event loop.
 *
 * <p>Thread safety: safe.
 */
public class ClientServer implements Closeable {

  /** Most answers that are sent together. */
  private static final int MOST_TOGETHER = 64;

  private final SharedIntake intake;
  private final Function<ClientConnection, Phase> first;
  private final Listener listener;
  private boolean closed;
  private boolean drained;

  /**
   * Starts a server.
   *
   * @param name name of its thread
   * @param listen address to listen at: a Unix socket, or host and port; port 0 picks one
   * @param sslContext for TLS from the first byte on; null for none
   * @param first creates the first phase of a connection
   * @throws IOException if it cannot listen at that address
   * @throws io.github.roram.ConfigurationException if something else is at the socket's path
   */
  public ClientServer(
      String name,
      SocketAddress listen,
      @Nullable SslContext sslContext,
      SharedIntake intake,
      ConnectionObserver observer,
      Function<ClientConnection, Phase> first)
      throws IOException {
    this.intake = intake;
    this.first = first;
    IntakeLimits limits = intake.limits();
    listener =
        new Listener(
            name,
            1,
            listen,
            new Admission(limits.maxConnections(), limits.newcomers()),
            sslContext,
            observer,
            this::serve);
  }

  private void serve(Channel channel, Admission.Visitor visitor) {
    channel
        .pipeline()
        .addLast(new FlushConsolidationHandler(MOST_TOGETHER, true))
        .addLast(new ClientConnection(intake, channel, visitor, first));
  }

  /** Returns the address that it listens at. */
  public SocketAddress address() {
    return listener.address();
  }

  /** Returns the number of connections. */
  public int connections() {
    return listener.connections();
  }

  /** Returns the bytes that are held for requests and answers. */
  public long heldBytes() {
    return intake.budget().used();
  }

  /** Returns the number of requests that are not answered yet. */
  public long requests() {
    return intake.underWay().requests();
  }

  /** Returns whether it was closed and answered everything that was in flight then. */
  public synchronized boolean isDrained() {
    return drained;
  }

  /**
   * Accepts no more requests, answers those in flight within the {@linkplain IntakeLimits#drain
   * time limit}, and ends all connections. The served resource stays open; close it next.
   */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      drained = listener.drain(intake.underWay(), intake.limits().drain());
      listener.close();
    }
  }
}
