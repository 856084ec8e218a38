package io.github.roram.proxy.client;

import io.github.roram.proxy.client.PendingRequest.Effect;
import io.github.roram.proxy.protocol.AnswerDescriptor;
import io.github.roram.storage.remote.protocol.ProtocolException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a client whose futures are not completed, in the order of the calls, in which
 * they are completed; what becomes of them when a connection is lost; and what was acknowledged and
 * may be lost with its proxy. For the thread that holds the client's lock.
 */
final class PendingRequests {

  private final ProxyAddress address;
  private final Deque<PendingRequest> order = new ArrayDeque<>();

  /** Unanswered requests by number. */
  private final Map<Long, PendingRequest> unanswered = new HashMap<>();

  private long lastId;

  /** Number of writes that were acknowledged; next, number of those that were flushed. */
  private long acknowledged;

  private long flushed;

  /** Acknowledged writes that may be lost with their proxy; the next flush after them fails. */
  private long gone;

  PendingRequests(ProxyAddress address) {
    this.address = address;
  }

  boolean isEmpty() {
    return order.isEmpty();
  }

  int size() {
    return order.size();
  }

  /** The request that has waited longest. */
  @Nullable PendingRequest first() {
    return order.peek();
  }

  /** Adds the latest request. */
  void add(PendingRequest request) {
    request.number(++lastId);
    order.add(request);
    unanswered.put(request.id(), request);
  }

  /** Processes an answer; see {@link PendingRequest#answer}. */
  void answer(AnswerDescriptor head, ByteBuffer payload, boolean waitsForProxies)
      throws ProtocolException {
    PendingRequest request = unanswered.remove(head.id());
    if (request == null) {
      throw new ProtocolException("an answer to request " + head.id() + ", which is none");
    }
    request.answer(head, payload, waitsForProxies);
    if (request.isFlush() && request.isMade()) {
      flushed = acknowledged; // for good, even if the flush is made again
    }
  }

  /** Takes requests that can be completed, in the order of the calls, not of the answers. */
  List<PendingRequest> takeDone() {
    List<PendingRequest> done = new ArrayList<>();
    for (PendingRequest first = order.peek();
        first != null && first.isAnswered();
        first = order.peek()) {
      done.add(order.remove());
      if (first.isMade()) {
        acknowledged += first.effect() == Effect.READS ? 0 : 1;
        flushed = first.isFlush() ? acknowledged : flushed;
      }
    }
    return done;
  }

  /** Why a flush fails that is asked for now, which is said once; null if it may succeed. */
  @Nullable ProxyException takeLoss() {
    if (gone == 0) {
      return null;
    }
    ProxyException failure =
        new ProxyException(
            "the proxy at "
                + address
                + " was replaced, and what it acknowledged and had not flushed may be lost: "
                + gone
                + " writes of this client; read or write them again, then flush");
    gone = 0;
    return failure;
  }

  /**
   * Fails requests that must not be made twice, or not after later ones, because a connection was
   * lost.
   */
  void settleOnceOnly(ProxyException cause) {
    List<PendingRequest> behind = new ArrayList<>();
    for (Iterator<PendingRequest> i = order.descendingIterator(); i.hasNext(); ) {
      PendingRequest request = i.next();
      if (!request.isAnswered() && !request.mayBeMadeAgain(behind)) {
        unanswered.remove(request.id());
        request.fail(
            new ProxyException(
                cause.getMessage()
                    + (request.effect() == Effect.READS
                        ? "; a later write may have been made: read again"
                        : "; nobody knows whether this write was made: read it"),
                cause));
      }
      behind.add(request);
    }
  }

  /** Fails all requests, because there will be no more answers. */
  void failAll(Throwable cause) {
    for (PendingRequest request : order) {
      if (!request.isAnswered()) {
        request.fail(cause);
      }
    }
    unanswered.clear();
  }

  /**
   * Notes that another proxy serves from now on: data not flushed may have been lost with the
   * previous one.
   */
  void proxyReplaced() {
    gone += acknowledged - flushed;
    gone += order.stream().filter(PendingRequest::isMadeForGood).count();
    flushed = acknowledged;
  }

  /**
   * Sends all unanswered requests again. Writes that were answered after an unanswered request are
   * made again, too, in order.
   */
  void resumeOn(ProxyConnection connection) {
    boolean writesAgain = false;
    for (PendingRequest request : order) {
      // A flush is to cover the writes before it as they were made last.
      boolean isMadeAgain = request.effect() == Effect.WRITES || (request.isFlush() && writesAgain);
      if (!request.isAnswered() || (request.isMade() && isMadeAgain)) {
        resume(request, connection);
        writesAgain |= request.effect() != Effect.READS;
      }
    }
  }

  private void resume(PendingRequest request, ProxyConnection connection) {
    ProxyException loss = request.isFlush() ? takeLoss() : null;
    if (loss != null) {
      unanswered.remove(request.id());
      request.fail(loss);
    } else {
      unanswered.put(request.id(), request);
      connection.send(request);
    }
  }
}
