package io.github.roram.proxy.client;

import io.github.roram.IntegrityException;
import io.github.roram.StashOverflowException;
import io.github.roram.proxy.protocol.AnswerDescriptor;
import io.github.roram.proxy.protocol.AnswerDescriptor.AnswerStatus;
import io.github.roram.proxy.protocol.RequestDescriptor;
import io.github.roram.proxy.protocol.RequestDescriptor.RequestType;
import io.github.roram.store.PrintableText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A request of a client, until its future is completed. For the thread that holds its lock. */
final class PendingRequest {

  private final RequestType type;
  private final long offset;
  private final int leastBlocks;
  private final @Nullable ByteBuffer payload;
  private final @Nullable ByteBuffer target;
  private final Effect effect;
  private final CompletableFuture<byte[]> done = new CompletableFuture<>();
  private long id;
  private long sentNanos;

  /** Whether its proxy said that it was not made. */
  private boolean refused;

  private byte @Nullable [] answer;
  private @Nullable Throwable failure;

  /** The effect of a request on the data, which decides whether it may be made twice. */
  enum Effect {
    /** Changes nothing. */
    READS,
    /** Puts the same there however often it is made. */
    WRITES,
    /** Depends on what is there. */
    CHANGES
  }

  /**
   * Creates a request.
   *
   * @param payload the payload, unchanged until the request is done
   * @param target receives the data read; null if the answer's payload is something else
   */
  PendingRequest(
      RequestType type,
      long offset,
      int leastBlocks,
      @Nullable ByteBuffer payload,
      @Nullable ByteBuffer target,
      Effect effect) {
    this.type = type;
    this.offset = offset;
    this.leastBlocks = leastBlocks;
    this.payload = payload;
    this.target = target;
    this.effect = effect;
  }

  /** Is known by this number from now on. */
  void number(long newId) {
    id = newId;
  }

  long id() {
    return id;
  }

  boolean isFlush() {
    return type == RequestType.FLUSH;
  }

  Effect effect() {
    return effect;
  }

  /**
   * Returns whether the request would have the same effect and answer after a connection was lost.
   *
   * @param behind requests that were sent after it and may have been made
   */
  boolean mayBeMadeAgain(List<PendingRequest> behind) {
    return switch (effect) {
      case READS -> behind.stream().noneMatch(other -> other.mayWrite(this));
      case WRITES -> behind.stream().noneMatch(other -> other.effect == Effect.CHANGES);
      case CHANGES -> refused;
    };
  }

  private boolean mayWrite(PendingRequest read) {
    boolean anywhere = effect == Effect.CHANGES || read.type == RequestType.SCATTERED;
    boolean meets = offset < read.offset + read.bytes() && read.offset < offset + bytes();
    return effect != Effect.READS && (anywhere || meets);
  }

  private int bytes() {
    ByteBuffer moved = payload != null ? payload : target;
    return moved == null ? 0 : moved.remaining();
  }

  /** Sends it now; what was answered before counts no more. */
  void sendOn(ProxyLine line, long nowNanos) {
    answer = null;
    refused = false;
    sentNanos = nowNanos;
    line.send(new RequestDescriptor(type, id, offset, leastBlocks, bytes()).encode(), payload);
  }

  /** Returns the time when the request was sent. */
  long sentNanos() {
    return sentNanos;
  }

  /** Completes with the payload of the answer that is not what was read. */
  CompletableFuture<byte[]> done() {
    return done;
  }

  /**
   * Its answer is here.
   *
   * @param waitsForProxies whether it is asked for again if its proxy is ending
   */
  void answer(AnswerDescriptor head, ByteBuffer data, boolean waitsForProxies) {
    if (head.status() == AnswerStatus.DRAINING && waitsForProxies) {
      refused = true;
    } else if (head.status() != AnswerStatus.OK) {
      failure = failure(head.status(), StandardCharsets.UTF_8.decode(data).toString());
    } else if (target == null) {
      answer = new byte[data.remaining()];
      data.get(answer);
    } else if (target.remaining() == data.remaining()) {
      target.duplicate().put(data);
      answer = new byte[0];
    } else {
      failure =
          new ProxyException(
              "the proxy read " + data.remaining() + " bytes instead of " + target.remaining());
    }
  }

  private static Throwable failure(AnswerStatus status, String text) {
    String message = PrintableText.of(text);
    return switch (status) {
      case DAMAGED -> new IntegrityException(message);
      case FULL -> new StashOverflowException(message);
      case UNAUTHORISED -> new ProxyException("not let in by the proxy: " + message);
      default -> new ProxyException(message);
    };
  }

  boolean isAnswered() {
    return answer != null || failure != null;
  }

  /** Returns whether the request was made, according to its proxy. */
  boolean isMade() {
    return answer != null;
  }

  /** Returns whether the request was made and must not be made again. */
  boolean isMadeForGood() {
    return isMade() && effect == Effect.CHANGES;
  }

  /** Fails the request, because there will be no answer, or none that is valid. */
  void fail(Throwable cause) {
    answer = null;
    failure = cause;
  }

  /** Tells who waits; not to be called with a lock. */
  void complete() {
    byte[] found = answer;
    Throwable failed = failure;
    if (failed != null) {
      done.completeExceptionally(failed);
    } else if (found != null) {
      done.complete(found);
    }
  }
}
