package io.github.roram.intake;

import io.github.roram.intake.SharedIntake.ByteBudget;

/**
 * The requests of one connection that are in flight. Their number and their bytes are limited. The
 * bytes are taken from the {@link ByteBudget} before a request begins, and given back when its
 * answer has been sent. For use on the event loop.
 */
public final class ConnectionRequests {

  private final ClientConnection connection;
  private final SharedIntake shared;
  private int underWay;
  private long heldBytes;
  private boolean inLine;

  /** Whether the next request found no room. */
  private boolean waits;

  /** Bytes that are held for the next request. */
  private long granted;

  private boolean ending;
  private boolean closed;

  /** Creates the state of a connection with no requests. */
  public ConnectionRequests(ClientConnection connection, SharedIntake shared) {
    this.connection = connection;
    this.shared = shared;
  }

  /**
   * Takes room for one more request. If there is none, the connection {@linkplain
   * ClientConnection#go goes on} when there may be some.
   *
   * @param bytes bytes to hold for the request; no more than in an earlier call for the same
   *     request
   * @return whether there is room, and the bytes are held
   */
  public boolean takeRoom(long bytes) {
    waits = isFull(bytes) || !take(bytes);
    return !waits;
  }

  /** Returns whether the next request found no room. */
  public boolean waits() {
    return waits;
  }

  private boolean take(long bytes) {
    if (granted == 0 && bytes > 0) {
      inLine = !shared.budget().take(bytes, () -> connection.later(() -> grant(bytes)));
      if (!inLine) {
        granted(bytes);
      }
    }
    return !inLine;
  }

  /**
   * Returns whether one more request would exceed the connection's limits, or must wait behind
   * other connections.
   */
  private boolean isFull(long bytes) {
    boolean tooMany = underWay >= shared.limits().maxRequests();
    boolean tooMuch =
        granted == 0 && heldBytes > 0 && heldBytes + bytes > shared.limits().connectionBytes();
    return inLine || tooMany || tooMuch;
  }

  private void granted(long bytes) {
    granted = bytes;
    heldBytes += bytes;
  }

  /** Accepts the bytes for which this connection waited in line. */
  private void grant(long bytes) {
    inLine = false;
    if (closed) {
      shared.budget().give(bytes);
    } else {
      granted(bytes);
      connection.go();
    }
  }

  /** Gives back the bytes beyond {@code bytes} that are held for the next request. */
  public void keepRoom(long bytes) {
    long surplus = granted - Math.min(granted, bytes);
    granted -= surplus;
    heldBytes -= surplus;
    shared.budget().give(surplus);
  }

  /** Begins the request for which room was taken; returns the bytes that are held for it. */
  public long begin() {
    long held = granted;
    granted = 0;
    underWay++;
    shared.underWay().began();
    return held;
  }

  /**
   * Ends a request that was answered, or never will be, and gives back the bytes that are held for
   * it.
   */
  public void end(long held) {
    underWay--;
    shared.underWay().ended();
    heldBytes -= held;
    shared.budget().give(held);
    endIfDone();
  }

  /**
   * Takes no further requests, and closes the connection when those in flight have been answered.
   */
  public void endAfterAnswers() {
    ending = true;
    endIfDone();
  }

  private void endIfDone() {
    if (ending && underWay == 0) {
      connection.end();
    }
  }

  /** Returns whether this connection takes no further requests. */
  public boolean isEnding() {
    return ending;
  }

  /** Gives everything back after the connection has ended. */
  public void closed() {
    closed = true;
    heldBytes -= granted;
    shared.budget().give(granted);
    granted = 0;
  }
}
