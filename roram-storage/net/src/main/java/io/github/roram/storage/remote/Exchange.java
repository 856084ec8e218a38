package io.github.roram.storage.remote;

import io.github.roram.storage.remote.RemoteConnection.ConnectionLostException;
import io.github.roram.storage.remote.protocol.FrameDescriptor.Frame;
import io.github.roram.threads.Uninterrupted;
import java.io.Closeable;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A request, and the frames of its answer on their way from the event loop to the caller: either a
 * thread that waits ({@link #take}), or a listener ({@link #onArrival}, {@link #poll}). Closing it
 * drops the rest of the answer.
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

  /** Adds a frame of the answer. For use on the event loop. */
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

  /** Ends the answer; the first of several causes counts. */
  synchronized void fail(ConnectionLostException cause) {
    if (failure == null) {
      failure = cause;
    }
    notifyAll();
    arrival.run();
  }

  /** Sets a listener, which is called on any thread whenever there is a frame or a failure. */
  synchronized void onArrival(Runnable listener) {
    arrival = listener;
    if (!frames.isEmpty() || failure != null) {
      listener.run();
    }
  }

  /**
   * Returns the next frame of the answer, which the caller releases; null if it has not come yet.
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

  /**
   * Returns the time since {@code sinceNanos} for which nothing arrived although this side was
   * waiting; 0 if something did.
   */
  synchronized long silentNanos(long sinceNanos) {
    return frames.isEmpty()
        ? Math.max(0, System.nanoTime() - connection.latestPause(sinceNanos))
        : 0;
  }

  /**
   * Returns the next frame of the answer, which the caller releases.
   *
   * @throws ConnectionLostException if the connection has ended, or nothing arrived for too long:
   *     then the connection is closed
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
