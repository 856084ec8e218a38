package io.github.roram.intake;

import io.github.roram.intake.ClientConnection.Phase;
import io.github.roram.threads.Futures;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The phase of a connection in which it sends requests. A request is a header of fixed length and
 * an optional payload. Many may be in flight; each is answered when it is done. A request is
 * received only once there is {@linkplain ConnectionRequests room} for it. The payload of a refused
 * request is dropped. Call methods on the event loop unless they say otherwise.
 *
 * @param <R> header of a request
 */
@SuppressWarnings("FutureReturnValueIgnored") // what comes of a request is told to it
public abstract class RequestPhase<R> implements Phase {

  private final ClientConnection connection;
  private final SharedIntake shared;
  private final ConnectionRequests requests;
  private final Input.Piece head;
  private @Nullable R request;
  private boolean refused;

  /** The payload of the request that is arriving. */
  private Input.@Nullable Piece payload;

  private long skipping;
  private long arrived;
  private long whole;

  /** Creates the phase, before the first request. */
  protected RequestPhase(ClientConnection connection, SharedIntake shared, int headBytes) {
    this.connection = connection;
    this.shared = shared;
    requests = new ConnectionRequests(connection, shared);
    head = new Input.Piece(headBytes);
  }

  /** Parses a header. */
  protected abstract R parse(byte[] bytes) throws IOException;

  /** Returns whether a request must be answered without being carried out. */
  protected abstract boolean refuses(R next) throws IOException;

  /** Returns the length in bytes of the payload behind a header. */
  protected abstract long payloadBytes(R next);

  /** Returns the bytes to hold for a request that is not refused: at most 2^31 − 1. */
  protected abstract long heldBytes(R next);

  /**
   * All of a request has come: it is to be answered, or dropped.
   *
   * @param data its payload, or room for as many bytes as are held for it
   * @param held bytes that are held for it
   */
  protected abstract void begin(R next, byte[] data, long held) throws IOException;

  @Override
  public final boolean step(Input in) throws IOException {
    if (requests.isEnding()) {
      in.skip(Long.MAX_VALUE);
      return false;
    }
    R next = request;
    if (next == null) {
      if (!fill(head, in)) {
        return false;
      }
      next = parse(head.bytes());
      refused = refuses(next);
      skipping = refused ? payloadBytes(next) : 0;
      request = next;
    }
    if (!requests.takeRoom(needs(next)) || !receive(next, in)) {
      return false;
    }
    take(next);
    return true;
  }

  private boolean fill(Input.Piece piece, Input in) {
    int before = piece.filled();
    boolean complete = piece.fill(in);
    arrived += piece.filled() - before;
    return complete;
  }

  /** Returns the bytes to hold for a request once there is room for it. */
  private long needs(R next) {
    return refused ? 0 : heldBytes(next);
  }

  /** Receives the payload; returns whether it is complete. */
  private boolean receive(R next, Input in) {
    if (skipping > 0) {
      long skipped = in.skip(skipping);
      skipping -= skipped;
      arrived += skipped;
      return skipping == 0;
    }
    if (refused || payloadBytes(next) == 0) {
      return true;
    }
    if (payload == null) {
      payload = new Input.Piece(Math.toIntExact(payloadBytes(next)));
    }
    return fill(payload, in);
  }

  private void take(R next) throws IOException {
    // Allocate first, which may fail: a request that has begun must also end.
    byte[] data = payload != null ? payload.bytes() : new byte[Math.toIntExact(needs(next))];
    long held = requests.begin();
    payload = null;
    request = null;
    head.clear();
    whole++;
    begin(next, data, held);
  }

  /** Returns whether further requests must be refused. */
  protected final boolean isDraining() {
    return shared.underWay().isDraining();
  }

  /**
   * Continues with a request on the event loop when {@code done} completes: with its result, or
   * with its failure, unwrapped from the exceptions that futures add. May be called on any thread.
   */
  protected final <T> void whenDone(
      CompletableFuture<T> done,
      BiConsumer<? super @Nullable T, ? super @Nullable Throwable> then) {
    done.whenComplete(
        (result, failure) -> {
          Throwable own = failure == null ? null : Futures.cause(failure);
          connection.later(() -> then.accept(result, own));
        });
  }

  /** Answers a request, and gives back the bytes held for it once the answer has been sent. */
  protected final ChannelFuture answer(ByteBuf bytes, long held) {
    return connection
        .send(bytes)
        .addListener(
            sent -> {
              drop(held);
              connection.go();
            });
  }

  /** Ends a request without an answer, and gives back the bytes held for it. */
  protected final void drop(long held) {
    requests.end(held);
  }

  /**
   * Takes no further requests, and closes the connection when those in flight have been answered.
   */
  protected final void endAfterAnswers() {
    requests.endAfterAnswers();
  }

  @Override
  public final boolean waits() {
    return requests.waits();
  }

  @Override
  public final long unfinished() {
    return head.filled() > 0 && !requests.isEnding() && !waits() ? arrived : -1;
  }

  @Override
  public final long whole() {
    return whole;
  }

  @Override
  public void closed() {
    requests.closed();
    payload = null;
  }
}
