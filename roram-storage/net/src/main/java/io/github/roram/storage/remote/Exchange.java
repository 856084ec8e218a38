package io.github.roram.storage.remote;

import io.github.roram.storage.remote.RemoteConnection.ConnectionLostException;
import io.github.roram.storage.remote.protocol.FrameDescriptor.Frame;
import io.github.roram.threads.Uninterrupted;
import java.io.Closeable;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A request and the frames of its answer, from the event loop to whoever asked: a thread that waits
 * ({@link #take}), or one that is told when there is something ({@link #onArrival}, {@link #poll}).
 * Closing it gives up the rest of the answer.
 */
final class Exchange implements Closeable {

  private final RemoteConnection connection;
  private final long requestId;
  private final ArrayDeque<Frame> frames = new ArrayDeque<>();
  private @Nullable ConnectionLostException failure;
  private Runnable arrival = () -> {};
  private boolean closed;

  Exchange(RemoteConnection connection, long requestId) {
    this.connection = connection;
    this.requestId = requestId;
  }

  long requestId() {
    return requestId;
  }

  /** Event loop: a frame of the answer. */
  synchronized void offer(Frame frame) {
    if (closed) {
      connection.consumed(frame);
      frame.release();
    } else {
      frames.add(frame);
      notifyAll();
      arrival.run();
    }
  }

  /** There will be no more frames; of several causes the first counts. */
  synchronized void fail(ConnectionLostException cause) {
    if (failure == null) {
      failure = cause;
    }
    notifyAll();
    arrival.run();
  }

  /** From now on, whenever there is a frame or failure, {@code listener} is called, any thread. */
  synchronized void onArrival(Runnable listener) {
    arrival = listener;
    if (!frames.isEmpty() || failure != null) {
      listener.run();
    }
  }

  /**
   * The next frame of the answer, which the caller releases; null if it has not come yet.
   *
   * @throws ConnectionLostException if the connection ended
   */
  @Nullable Frame poll() throws ConnectionLostException {
    Frame frame = next();
    if (frame != null) {
      connection.consumed(frame);
    }
    return frame;
  }

  private synchronized @Nullable Frame next() throws ConnectionLostException {
    if (frames.isEmpty() && failure != null) {
      throw new ConnectionLostException(failure);
    }
    return frames.poll();
  }

  /** How long nothing came that this side waited for, since {@code sinceNanos}; 0 if it did. */
  synchronized long silentNanos(long sinceNanos) {
    return frames.isEmpty()
        ? Math.max(0, System.nanoTime() - connection.latestPause(sinceNanos))
        : 0;
  }

  /**
   * The next frame of the answer, which the caller releases.
   *
   * @throws ConnectionLostException if the connection ended, or nothing came for too long: then the
   *     connection is given up
   */
  Frame take(long timeoutNanos) throws ConnectionLostException {
    Frame frame = await(timeoutNanos);
    if (frame == null) {
      throw giveUp(timeoutNanos);
    }
    connection.consumed(frame);
    return frame;
  }

  /** Ends the connection, on which nothing came for too long. */
  ConnectionLostException giveUp(long timeoutNanos) {
    ConnectionLostException timeout =
        new ConnectionLostException(
            "no answer from "
                + connection
                + " for "
                + timeoutNanos / 1_000_000
                + " ms, the request time-out",
            null);
    connection.abandon(timeout);
    return timeout;
  }

  private synchronized @Nullable Frame await(long timeoutNanos) throws ConnectionLostException {
    long start = System.nanoTime();
    Uninterrupted.await(
        () -> {
          long silent = silentNanos(start);
          while (frames.isEmpty() && failure == null && silent < timeoutNanos) {
            wait(Math.max(1, (timeoutNanos - silent) / 1_000_000));
            silent = silentNanos(start);
          }
        });
    return next();
  }

  @Override
  public void close() {
    connection.forget(this);
    synchronized (this) {
      closed = true;
      while (!frames.isEmpty()) {
        Frame frame = frames.remove();
        connection.consumed(frame);
        frame.release();
      }
    }
  }
}
