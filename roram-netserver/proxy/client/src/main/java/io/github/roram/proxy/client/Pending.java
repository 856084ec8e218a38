package io.github.roram.proxy.client;

import io.github.roram.IntegrityException;
import io.github.roram.StashOverflowException;
import io.github.roram.proxy.protocol.AnswerDescriptor;
import io.github.roram.proxy.protocol.AnswerStatus;
import io.github.roram.storage.remote.protocol.PrintableText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A request that was sent. For the thread that holds the client's lock. */
final class Pending {

  private final long id;
  private final long sentNanos = System.nanoTime();
  private final @Nullable ByteBuffer target;
  private final CompletableFuture<byte[]> done = new CompletableFuture<>();
  private byte @Nullable [] payload;
  private @Nullable Throwable failure;

  /**
   * A request.
   *
   * @param target gets what is read, all of it; null if the answer's payload is something else
   */
  Pending(long id, @Nullable ByteBuffer target) {
    this.id = id;
    this.target = target;
  }

  long id() {
    return id;
  }

  /** How long ago it was sent. */
  long ageNanos() {
    return System.nanoTime() - sentNanos;
  }

  /** Completes with the payload of the answer that is not what was read. */
  CompletableFuture<byte[]> done() {
    return done;
  }

  /** Its answer is here. */
  void answer(AnswerDescriptor head, ByteBuffer data) {
    if (head.status() != AnswerStatus.OK) {
      failure = failure(head.status(), StandardCharsets.UTF_8.decode(data).toString());
    } else if (target == null) {
      payload = new byte[data.remaining()];
      data.get(payload);
    } else if (target.remaining() == data.remaining()) {
      target.duplicate().put(data);
      payload = new byte[0];
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
    return payload != null || failure != null;
  }

  /** Tells who waits; not to be called with a lock. */
  void complete() {
    byte[] found = payload;
    Throwable failed = failure;
    if (found != null) {
      done.complete(found);
    } else if (failed != null) {
      done.completeExceptionally(failed);
    }
  }

  /** There will be no answer. */
  void fail(Throwable cause) {
    done.completeExceptionally(cause);
  }
}
