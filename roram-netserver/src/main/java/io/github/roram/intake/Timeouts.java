package io.github.roram.intake;

import org.jspecify.annotations.Nullable;

/** How long a client has kept the server waiting. For the connection's event loop. */
public final class Timeouts {

  /** While others wait for memory, a request must go on arriving within this. */
  private static final long STALL_NANOS = 1_000_000_000L;

  /** While others wait for memory, some of an answer must be taken within this. */
  private static final long DEAF_NANOS = 3_000_000_000L;

  private final IntakeLimits times;
  private final long connected;
  private long unfinished = -1;
  private long unfinishedSince;
  private long whole;
  private long arrivedAt;
  private long sent = -1;
  private long sentAt;

  /** What is known of a connection. */
  public interface Watched {

    /** Whether the client has not finished its handshake. */
    boolean handshakes();

    /** Bytes that arrived of something unfinished, since the connection began; −1 if nothing is. */
    long unfinished();

    /** Requests that have arrived whole, since the connection began. */
    long whole();
  }

  /** From now on, by {@link System#nanoTime}. */
  public Timeouts(IntakeLimits times, long now) {
    this.times = times;
    connected = now;
    sentAt = now;
  }

  /**
   * To be asked from time to time.
   *
   * @param sentBytes of answers that the client took, since the connection began; −1 if it has
   *     taken all
   * @param others whether other connections wait for memory
   * @return why the connection must end; null if it need not
   */
  public @Nullable String lostWith(Watched phase, long sentBytes, boolean others, long now) {
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
    if (sentBytes != sent || sentBytes < 0) {
      sent = sentBytes;
      sentAt = now;
    }
    if (others && now - sentAt > DEAF_NANOS) {
      return "answers were not taken while others wait for memory";
    }
    return now - sentAt > times.reader().toNanos()
        ? "answers were not taken within " + times.reader()
        : null;
  }

  private void noteArrived(Watched phase, long now) {
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
