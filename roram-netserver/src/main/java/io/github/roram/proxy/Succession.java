package io.github.roram.proxy;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The successive connections of each client that reconnects. A later connection is let in only when
 * no request of the previous one can still be made. Otherwise a write from the previous connection
 * could take effect after a newer one.
 *
 * <p>Thread safety: safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // nothing here fails
final class Succession {

  /**
   * The newest connection of each client, by the client's number, until nothing is in flight on it
   * or on those before it.
   */
  private final Map<Long, Calls> newest = new HashMap<>();

  /** The requests of a connection. */
  final class Calls {
    private final Runnable end;
    private final CompletableFuture<Void> ownOver = new CompletableFuture<>();

    /** Completes when nothing is in flight on this connection or on those before it. */
    private CompletableFuture<Void> over = ownOver;

    private int underWay;
    private boolean ended;

    /**
     * Creates the requests of a connection.
     *
     * @param end ends the connection; called on any thread
     */
    Calls(Runnable end) {
      this.end = end;
    }

    /**
     * Makes this connection the client's newest, in place of the previous one.
     *
     * @param number the client's number; 0 for a client that does not reconnect
     * @return a future that completes when nothing is in flight on the previous connection or on
     *     those before it
     */
    CompletableFuture<Void> succeed(long number) {
      if (number == 0) {
        return CompletableFuture.completedFuture(null);
      }
      Calls before;
      synchronized (Succession.this) {
        before = newest.put(number, this);
        if (before != null) {
          over = CompletableFuture.allOf(ownOver, before.over);
        }
      }
      over.thenRun(() -> forget(number));
      if (before == null) {
        return CompletableFuture.completedFuture(null);
      }
      before.end();
      before.end.run();
      return before.over;
    }

    /** Returns whether a call may still be made. */
    boolean mayBeMade() {
      synchronized (Succession.this) {
        return !ended;
      }
    }

    /** Begins a call; returns false if it must not be made. */
    boolean begin() {
      synchronized (Succession.this) {
        underWay += ended ? 0 : 1;
        return !ended;
      }
    }

    /** Ends a call that has begun. */
    void done() {
      change(1, false);
    }

    /** Prevents further calls. */
    void end() {
      change(0, true);
    }

    private void change(int done, boolean ends) {
      boolean isOver;
      synchronized (Succession.this) {
        underWay -= done;
        ended |= ends;
        isOver = ended && underWay == 0;
      }
      if (isOver) {
        ownOver.complete(null);
      }
    }

    private void forget(long number) {
      synchronized (Succession.this) {
        newest.remove(number, this);
      }
    }
  }
}
