package io.github.roram.storage.remote;

import io.github.roram.storage.remote.protocol.Frame;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request of an {@link AsyncRemoteStore}, repeated over new connections as {@link RemoteLine}
 * repeats those of callers that wait. All methods are for the store's thread.
 */
@SuppressWarnings("CatchingUnchecked") // whatever it is, who waits for the future learns of it
final class AsyncRequest {

  private final RemoteLine line;
  private final SharedConnecting connecting;
  private final ScheduledExecutorService thread;
  private final Rounds rounds;
  private final CompletableFuture<Void> future;
  private final long writtenBytes;
  private final Consumer<AsyncRequest> onEnd;
  private final long timeoutNanos;
  private Backoff backoff;
  private @Nullable Round round;
  private @Nullable Exchange exchange;
  private @Nullable Future<?> timer;
  private long progressNanos;
  private long dueNanos = System.nanoTime();
  private boolean ended;

  /**
   * A request that is not begun.
   *
   * @param writtenBytes bytes that it holds in memory, from its beginning to its end
   * @param onEnd is called before the future completes
   */
  AsyncRequest(
      RemoteLine line,
      SharedConnecting connecting,
      ScheduledExecutorService thread,
      Rounds rounds,
      CompletableFuture<Void> future,
      long writtenBytes,
      Consumer<AsyncRequest> onEnd) {
    this.line = line;
    this.connecting = connecting;
    this.thread = thread;
    this.rounds = rounds;
    this.future = future;
    this.writtenBytes = writtenBytes;
    this.onEnd = onEnd;
    timeoutNanos = line.options().times().requestTimeout().toNanos();
    backoff = line.backoff();
  }

  long writtenBytes() {
    return writtenBytes;
  }

  /** Begins it, or goes on with it after a pause. */
  void attempt() {
    if (ended) {
      return;
    }
    try {
      if (round == null && !rounds.hasNext()) {
        end(null);
        return;
      }
      // While there is no connection nothing of this store can go on, so its thread may make one.
      Connection connection = connecting.connection(dueNanos);
      if (round == null) {
        round = rounds.next(connection);
      }
      line.countRound();
      Exchange sent = round.send(connection);
      exchange = sent;
      progressNanos = System.nanoTime();
      startTimer(timeoutNanos);
      sent.onArrival(() -> thread.execute(this::arrived));
    } catch (Throwable e) {
      failed(e);
    }
  }

  /** Takes what has come of the answer. */
  private void arrived() {
    Exchange from = exchange;
    Round asked = round;
    if (from == null || asked == null) {
      return; // it ended meanwhile, or is about to be asked again
    }
    try {
      boolean last = false;
      while (!last) {
        Frame answer = from.poll();
        if (answer == null) {
          return;
        }
        try {
          last = asked.accept(answer);
        } finally {
          answer.release();
        }
        progressNanos = System.nanoTime();
      }
      hangUp();
      round = null;
      rounds.answered();
      backoff = line.backoff();
      dueNanos = System.nanoTime();
    } catch (Throwable e) {
      failed(e);
      return;
    }
    attempt();
  }

  private void startTimer(long nanos) {
    timer = thread.schedule(this::checkProgress, Math.max(1, nanos), TimeUnit.NANOSECONDS);
  }

  private void checkProgress() {
    Exchange waitedFor = exchange;
    if (waitedFor == null) {
      return;
    }
    long silent = waitedFor.silentNanos(progressNanos);
    if (silent < timeoutNanos) {
      startTimer(timeoutNanos - silent);
    } else {
      failed(waitedFor.giveUp(timeoutNanos));
    }
  }

  /** Tries again after a while, or ends it. */
  private void failed(Throwable failure) {
    hangUp();
    try {
      ConnectionLostException lost;
      if (failure instanceof LeaseLostException e) {
        lost = line.fenced(e);
      } else if (failure instanceof ConnectionLostException e) {
        lost = e;
      } else {
        end(failure);
        return;
      }
      long pause = backoff.pauseAfter(lost);
      dueNanos = System.nanoTime() + pause;
      timer = thread.schedule(this::attempt, pause, TimeUnit.NANOSECONDS);
    } catch (IOException e) {
      end(e);
    }
  }

  /** Ends it now; the server may do all of it, or not. */
  void cancel() {
    end(new ClosedChannelException());
  }

  private void end(@Nullable Throwable failure) {
    if (ended) {
      return;
    }
    ended = true;
    hangUp();
    if (round != null) {
      round = null;
      rounds.failed();
    }
    onEnd.accept(this);
    if (failure == null) {
      future.complete(null);
    } else {
      future.completeExceptionally(failure);
    }
  }

  private void hangUp() {
    Future<?> running = timer;
    if (running != null) {
      running.cancel(false);
      timer = null;
    }
    Exchange over = exchange;
    if (over != null) {
      exchange = null;
      over.close();
    }
  }
}
