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
 * Requests of one connection, each a head of fixed length and perhaps a payload: many under way,
 * answered as they are done. There is {@linkplain ConnectionRequests room} for one before it
 * arrives. The payload of a request that is refused is dropped. Methods are for the event loop
 * unless they say otherwise.
 *
 * @param <R> a request's head
 */
@SuppressWarnings("FutureReturnValueIgnored") // what comes of a request is told to it
public abstract class RequestPhase<R> implements Phase {

  private final ClientConnection connection;
  private final SharedIntake shared;
  private final ConnectionRequests requests;
  private final Input.Piece head;
  private @Nullable R request;
  private boolean refused;

  /** Memory for the payload of the request that is arriving. */
  private Input.@Nullable Piece payload;

  private long skipping;
  private long arrived;
  private long whole;

  /** None have come. */
  protected RequestPhase(ClientConnection connection, SharedIntake shared, int headBytes) {
    this.connection = connection;
    this.shared = shared;
    requests = new ConnectionRequests(connection, shared);
    head = new Input.Piece(headBytes);
  }

  /** Takes a head apart. */
  protected abstract R parse(byte[] bytes) throws IOException;

  /** Whether a request is to be answered with something else than what it asks for. */
  protected abstract boolean refuses(R next) throws IOException;

  /** Bytes that come behind a head. */
  protected abstract long payloadBytes(R next);

  /** Bytes that are held for a request that is not refused: at most 2^31 − 1. */
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

  /** What is held for it once there is room. */
  private long needs(R next) {
    return refused ? 0 : heldBytes(next);
  }

  /** Whether all that belongs to a request has come. */
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
    // First: a request that began has to end, too.
    byte[] data = payload != null ? payload.bytes() : new byte[Math.toIntExact(needs(next))];
    long held = requests.begin();
    payload = null;
    request = null;
    head.clear();
    whole++;
    begin(next, data, held);
  }

  /** Whether further requests are to be refused. */
  protected final boolean isDraining() {
    return shared.underWay().isDraining();
  }

  /**
   * Goes on with a request, on the event loop, once it was done: with what came of it, or with the
   * failure that it was, without what futures wrap it in. For any thread.
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

  /** Answers a request for which so many bytes are held. */
  protected final ChannelFuture answer(ByteBuf bytes, long held) {
    return connection
        .send(bytes)
        .addListener(
            sent -> {
              drop(held);
              connection.go();
            });
  }

  /** Forgets a request, for which so many bytes are held, without an answer. */
  protected final void drop(long held) {
    requests.end(held);
  }

  /** Takes no further requests, and closes the connection when those under way are answered. */
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
