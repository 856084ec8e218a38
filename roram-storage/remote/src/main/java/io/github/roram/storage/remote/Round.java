package io.github.roram.storage.remote;

import io.github.roram.storage.remote.protocol.Frame;
import java.io.IOException;

/**
 * One request and what its answer means, whoever waits for it. After its connection was lost it is
 * sent again over the next one, as it was.
 */
interface Round {

  /** Sends the request. */
  Exchange send(Connection connection) throws IOException;

  /** Takes the next frame of the answer, which the caller releases; whether it was the last. */
  boolean accept(Frame answer) throws IOException;

  /** Sends the request and waits for the whole answer. */
  default void run(Connection connection, long timeoutNanos) throws IOException {
    try (Exchange exchange = send(connection)) {
      boolean last = false;
      while (!last) {
        Frame answer = exchange.take(timeoutNanos);
        try {
          last = accept(answer);
        } finally {
          answer.release();
        }
      }
    }
  }
}
