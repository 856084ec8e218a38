package io.github.roram.nbd;

import org.jspecify.annotations.Nullable;

/** How long a client has kept the server waiting. For the connection's event loop. */
final class Patience {

  /** While others wait for memory, a request must go on arriving within this. */
  private static final long STALL_NANOS = 1_000_000_000L;

  private final NbdLimits limits;
  private final long connected;
  private long unfinished = -1;
  private long unfinishedSince;
  private long arrivedAt;
  private long unsent;
  private long unsentSince;

  Patience(NbdLimits limits, long now) {
    this.limits = limits;
    connected = now;
    unsentSince = now;
  }

  /**
   * To be asked from time to time.
   *
   * @param unsentBytes to be sent before more is written; 0 if that can be at once
   * @param others whether other connections wait for memory
   * @return why the connection must end; null if it need not
   */
  @Nullable String lostWith(Phase phase, long unsentBytes, boolean others, long now) {
    if (phase.handshakes() && now - connected > limits.handshake().toNanos()) {
      return "no export was chosen within " + limits.handshake();
    }
    noteArrived(phase.unfinished(), now);
    if (unfinished >= 0 && now - unfinishedSince > limits.sender().toNanos()) {
      return "a request did not arrive whole within " + limits.sender();
    }
    if (unfinished >= 0 && others && now - arrivedAt > STALL_NANOS) {
      return "a request stopped arriving while others wait for memory";
    }
    if (unsentBytes != unsent || unsentBytes == 0) {
      unsent = unsentBytes;
      unsentSince = now;
    }
    return now - unsentSince > limits.reader().toNanos()
        ? "answers were not taken within " + limits.reader()
        : null;
  }

  /** A longer time without an end counts as one request, unless none was seen unfinished. */
  private void noteArrived(long bytes, long now) {
    if (bytes < 0 || unfinished < 0) {
      unfinishedSince = now;
    }
    if (bytes != unfinished) {
      arrivedAt = now;
    }
    unfinished = bytes;
  }
}
