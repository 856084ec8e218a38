package io.github.roram.intake;

import io.github.roram.intake.SharedIntake.ByteBudget;

/**
 * The requests of one connection that are under way, and what it may have of them: so many, with so
 * many bytes, which are taken from the {@link ByteBudget} before a request begins and given back
 * when its answer is sent. For the event loop.
 */
public final class ConnectionRequests {

  private final ClientConnection connection;
  private final SharedIntake shared;
  private int underWay;
  private long heldBytes;
  private boolean inLine;

  /** Whether the request that is to begin next found no room. */
  private boolean waits;

  /** Bytes that are held for the request that begins next. */
  private long granted;

  private boolean ending;
  private boolean closed;

  /** None are. */
  public ConnectionRequests(ClientConnection connection, SharedIntake shared) {
    this.connection = connection;
    this.shared = shared;
  }

  /**
   * Whether there is room for one more, and so many bytes are held for it; if not, the connection
   * {@linkplain ClientConnection#go goes on} when there may be.
   *
   * @param bytes no more than when it was asked for the same request before
   */
  public boolean takeRoom(long bytes) {
    waits = isFull(bytes) || !take(bytes);
    return !waits;
  }

  /** Whether the request that is to begin next found no room. */
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

  /** Whether it has all that a connection may have, or waits for others, with one more request. */
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

  /** Its turn in line came. */
  private void grant(long bytes) {
    inLine = false;
    if (closed) {
      shared.budget().give(bytes);
    } else {
      granted(bytes);
      connection.go();
    }
  }

  /** Gives back all but so many of the bytes for which there was room: it needs no more. */
  public void keepRoom(long bytes) {
    long surplus = granted - Math.min(granted, bytes);
    granted -= surplus;
    heldBytes -= surplus;
    shared.budget().give(surplus);
  }

  /** The request for which there was room begins; returns how many bytes are held for it. */
  public long begin() {
    long held = granted;
    granted = 0;
    underWay++;
    shared.underWay().began();
    return held;
  }

  /** A request, for which so many bytes are held, is answered, or never will be. */
  public void end(long held) {
    underWay--;
    shared.underWay().ended();
    heldBytes -= held;
    shared.budget().give(held);
    endIfDone();
  }

  /** Takes no further requests, and closes the connection when those under way are answered. */
  public void endAfterAnswers() {
    ending = true;
    endIfDone();
  }

  private void endIfDone() {
    if (ending && underWay == 0) {
      connection.end();
    }
  }

  /** Whether it takes no further requests. */
  public boolean isEnding() {
    return ending;
  }

  /** The connection ended. */
  public void closed() {
    closed = true;
    heldBytes -= granted;
    shared.budget().give(granted);
    granted = 0;
  }
}
