package io.github.roram.storage.intake;

/**
 * What the connections of a server share.
 *
 * <p>Thread safety: safe.
 *
 * @param times how long a client may keep the server waiting
 * @param maxRequests requests under way per connection; beyond, it is not read from
 * @param connectionBytes bytes of them that are held, unless one is longer; beyond, it is not read
 *     from
 * @param budget bytes that all may hold
 * @param underWay requests of all
 */
public record SharedIntake(
    Patience.Times times,
    int maxRequests,
    long connectionBytes,
    ByteBudget budget,
    UnderWay underWay) {

  /**
   * Of a new server.
   *
   * @param totalBytes that all connections may hold
   */
  public SharedIntake(
      Patience.Times times, int maxRequests, long connectionBytes, long totalBytes) {
    this(times, maxRequests, connectionBytes, new ByteBudget(totalBytes), new UnderWay());
  }
}
