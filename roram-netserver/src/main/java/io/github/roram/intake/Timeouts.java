package io.github.roram.intake;

import io.github.roram.intake.ClientConnection.Phase;
import org.jspecify.annotations.Nullable;

/** Finds out whether a client keeps the server waiting too long. For a connection's event loop. */
final class Timeouts {

  /** While others wait for memory, more of a request must arrive within this. */
  private static final long STALL_NANOS = 1_000_000_000L;

  /** While others wait for memory, part of an answer must be received within this. */
  private static final long DEAF_NANOS = 3_000_000_000L;

  private final IntakeLimits times;
  private final long connected;
  private long unfinished = -1;
  private long unfinishedSince;
  private long whole;
  private long arrivedAt;
  private long sent;
  private long sentAt;

  /** Bytes that had been written when all that was due before was received; these are due next. */
  private long due;

  private long dueSince;

  /** Starts to watch at a time of {@link System#nanoTime}. */
  Timeouts(IntakeLimits times, long now) {
    this.times = times;
    connected = now;
    sentAt = now;
    dueSince = now;
  }

  /**
   * Returns why the connection must end; call it from time to time.
   *
   * @param writtenBytes bytes of answers since the connection began
   * @param sentBytes how many of them the client has received
   * @param others whether other connections wait for memory
   * @return the reason; null if the connection may go on
   */
  @Nullable String lostWith(
      Phase phase, long writtenBytes, long sentBytes, boolean others, long now) {
    if (phase.handshakes() && now - connected > times.handshake().toNanos()) {
      return "the handshake was not finished within " + times.handshake();
    }
    noteArrived(phase, now);
    if (unfinished >= 0 && now - unfinishedSince > times.sender().toNanos()) {
      return "a request did not arrive whole within " + times.sender();
    }
    if (unfinished >= 0 && others && now - arrivedAt > STALL_NANOS) {
      return "a request stopped arriving while others wait for memory";
    }
    noteSent(writtenBytes, sentBytes, now);
    if (others && now - sentAt > DEAF_NANOS) {
      return "answers were not taken while others wait for memory";
    }
    if (others && now - dueSince > times.reader().toNanos()) {
      return "answers were not all taken within " + times.reader() + ", and others wait for memory";
    }
    return now - sentAt > times.reader().toNanos()
        ? "answers were not taken within " + times.reader()
        : null;
  }

  private void noteSent(long writtenBytes, long sentBytes, long now) {
    if (sentBytes != sent || sentBytes == writtenBytes) {
      sent = sentBytes;
      sentAt = now;
    }
    if (sentBytes >= due) {
      due = writtenBytes;
      dueSince = now;
    }
  }

  private void noteArrived(Phase phase, long now) {
    long bytes = phase.unfinished();
    if (bytes < 0 || unfinished < 0 || phase.whole() != whole) {
      unfinishedSince = now;
    }
    whole = phase.whole();
    if (bytes != unfinished) {
      arrivedAt = now;
    }
    unfinished = bytes;
  }
}
