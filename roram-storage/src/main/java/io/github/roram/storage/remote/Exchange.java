package io.github.roram.storage.remote;

import io.github.roram.storage.remote.protocol.Frame;
import java.io.Closeable;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A request and the frames of its answer, from the event loop to the thread that asked. Closing it
 * gives up the rest of the answer.
 */
final class Exchange implements Closeable {

  private final Connection connection;
  private final long requestId;
  private final ArrayDeque<Frame> frames = new ArrayDeque<>();
  private @Nullable ConnectionLostException failure;
  private boolean closed;

  Exchange(Connection connection, long requestId) {
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
    }
  }

  /** There will be no more frames; of several causes the first counts. */
  synchronized void fail(ConnectionLostException cause) {
    if (failure == null) {
      failure = cause;
    }
    notifyAll();
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
      ConnectionLostException timeout =
          new ConnectionLostException(
              "no answer from "
                  + connection
                  + " for "
                  + timeoutNanos / 1_000_000
                  + " ms, the request time-out",
              null);
      connection.abandon(timeout);
      throw timeout;
    }
    connection.consumed(frame);
    return frame;
  }

  private synchronized @Nullable Frame await(long timeoutNanos) throws ConnectionLostException {
    long start = System.nanoTime();
    boolean interrupted = false;
    try {
      while (frames.isEmpty()) {
        if (failure != null) {
          throw new ConnectionLostException(failure);
        }
        long now = System.nanoTime();
        long since = Math.max(0, now - connection.latestPause(start));
        if (since >= timeoutNanos) {
          return null;
        }
        interrupted |= Waits.await(this, timeoutNanos - since);
      }
      return frames.remove();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
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
