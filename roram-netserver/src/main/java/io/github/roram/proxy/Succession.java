package io.github.roram.proxy;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The connections of a client that connects again: the later one is let in once nothing that was
 * asked for on the one before can be made any more. Else a write of that one could come behind one
 * that was made since.
 *
 * <p>Thread safety: safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // nothing here fails
final class Succession {

  /**
   * The newest connection of each client, by the client's number, until nothing is under way of it
   * and of those before it.
   */
  private final Map<Long, Calls> newest = new HashMap<>();

  /** What was asked for on a connection. */
  final class Calls {
    private final Runnable end;
    private final CompletableFuture<Void> ownOver = new CompletableFuture<>();

    /** Completes when nothing is under way of this connection, nor of those before it. */
    private CompletableFuture<Void> over = ownOver;

    private int underWay;
    private boolean ended;

    /**
     * Of a connection.
     *
     * @param end ends the connection; for any thread
     */
    Calls(Runnable end) {
      this.end = end;
    }

    /**
     * Is of this client from now on, in place of the connection before.
     *
     * @param number 0 for a client that does not connect again
     * @return completes when nothing of that one is under way, nor of those before it
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

    /** Whether a call may be made. */
    boolean mayBeMade() {
      synchronized (Succession.this) {
        return !ended;
      }
    }

    /** A call was asked for; false if it must not be made. */
    boolean begin() {
      synchronized (Succession.this) {
        underWay += ended ? 0 : 1;
        return !ended;
      }
    }

    /** A call ended that had begun. */
    void done() {
      change(1, false);
    }

    /** No further call is made. */
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
