package io.github.roram.proxy;

import io.github.roram.AsyncOram;
import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.StashOverflowException;
import io.github.roram.proxy.ProxyRequests.Answer;
import io.github.roram.proxy.protocol.AnswerStatus;
import io.github.roram.proxy.protocol.RequestDescriptor;
import io.github.roram.proxy.protocol.RequestType;
import io.github.roram.proxy.protocol.StatsDescriptor;
import io.github.roram.storage.intake.Connection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has the requests of one client done by the ORAM. For the event loop. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails is answered, or ends the channel
final class Asking {

  private static final Logger LOG = LoggerFactory.getLogger(Asking.class);

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final ProxyState proxy;
  private final AsyncOram oram;
  private final ProxyRequests requests;
  private final Connection connection;
  private final Turns.Line line;

  Asking(ProxyState proxy, ProxyRequests requests, Connection connection) {
    this.proxy = proxy;
    this.requests = requests;
    this.connection = connection;
    oram = proxy.oram();
    line = proxy.turns().newLine();
  }

  /** Why a request is not done, found before anything of it arrives; null if it may be. */
  @Nullable String refusal(RequestDescriptor request) {
    if (proxy.intake().underWay().isDraining()) {
      return "the proxy is ending; connect again later";
    }
    RequestType type = request.type();
    if (type == RequestType.HELLO) {
      return "a hello was said before";
    }
    if (type == RequestType.FLUSH || type == RequestType.STATS) {
      return request.bytes() == 0 ? null : "a " + type + " has no bytes";
    }
    OramConfig config = oram.config();
    int most = proxy.welcome().mostBytes();
    if (request.bytes() < 1 || request.bytes() > most) {
      return "a request of " + request.bytes() + " bytes; must be 1 to " + most;
    }
    if (request.offset() < 0 || request.offset() > config.bytes() - request.bytes()) {
      return "bytes from "
          + request.offset()
          + " on are not within the store's "
          + config.bytes()
          + " bytes";
    }
    return null;
  }

  /**
   * Has a request done in its turn.
   *
   * @param data what is written, or room for what is read
   */
  void ask(Answer answer, byte[] data) {
    line.add(() -> begin(answer, ByteBuffer.wrap(data)));
  }

  /**
   * On the thread that passes requests on. Who is gone gets no answer; what it asked for, read or
   * write, would hold up others.
   */
  private void begin(Answer answer, ByteBuffer data) {
    if (!connection.isOpen()) {
      connection.later(() -> requests.drop(answer));
      return;
    }
    CompletableFuture<ByteBuffer> done;
    try {
      done = call(answer.request(), data);
    } catch (RuntimeException | Error e) {
      done = CompletableFuture.failedFuture(e);
    }
    done.whenComplete((result, failure) -> connection.later(() -> end(answer, result, failure)));
  }

  private CompletableFuture<ByteBuffer> call(RequestDescriptor request, ByteBuffer data) {
    return switch (request.type()) {
      case READ ->
          oram.readBytes(request.offset(), request.leastBlocks(), data).thenApply(none -> data);
      case WRITE ->
          oram.updateBytes(request.offset(), request.leastBlocks(), data)
              .thenApply(none -> NOTHING.duplicate());
      case FLUSH -> oram.flush().thenApply(none -> NOTHING.duplicate());
      case STATS -> CompletableFuture.completedFuture(StatsDescriptor.encode(oram.stats()));
      case HELLO -> throw new IllegalStateException("a hello is answered at once");
    };
  }

  private void end(Answer answer, @Nullable ByteBuffer result, @Nullable Throwable failure) {
    if (result != null) {
      requests.answer(answer, AnswerStatus.OK, result);
      return;
    }
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    AnswerStatus status = status(cause);
    if (status != AnswerStatus.INVALID) {
      LOG.error("a request failed: {}", String.valueOf(cause));
    }
    String message = cause == null || cause.getMessage() == null ? "no reason" : cause.getMessage();
    requests.answer(answer, status, ProxyRequests.text(message));
  }

  private static AnswerStatus status(@Nullable Throwable cause) {
    if (cause instanceof IllegalArgumentException || cause instanceof IndexOutOfBoundsException) {
      return AnswerStatus.INVALID;
    }
    if (cause instanceof IntegrityException) {
      return AnswerStatus.DAMAGED;
    }
    if (cause instanceof StashOverflowException) {
      return AnswerStatus.FULL;
    }
    if (cause instanceof ClosedChannelException) {
      return AnswerStatus.DRAINING;
    }
    return cause instanceof IOException ? AnswerStatus.IO : AnswerStatus.INTERNAL;
  }
}
