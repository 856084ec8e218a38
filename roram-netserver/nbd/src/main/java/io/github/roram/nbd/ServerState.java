package io.github.roram.nbd;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What the connections of a server share.
 *
 * <p>Thread safety: safe.
 */
final class ServerState {

  private final NbdConfig config;
  private final ByteBudget budget;
  private final AtomicLong requests = new AtomicLong();
  private volatile boolean draining;

  ServerState(NbdConfig config) {
    this.config = config;
    budget = new ByteBudget(config.limits().totalBytes());
  }

  NbdConfig config() {
    return config;
  }

  NbdLimits limits() {
    return config.limits();
  }

  ByteBudget budget() {
    return budget;
  }

  /** From now on requests are refused. */
  void drain() {
    draining = true;
  }

  boolean draining() {
    return draining;
  }

  void began() {
    requests.incrementAndGet();
  }

  void ended() {
    requests.decrementAndGet();
  }

  /** Requests that are not answered. */
  long requests() {
    return requests.get();
  }
}
