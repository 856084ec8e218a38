package io.github.roram.netserver;

import io.github.roram.storage.remote.protocol.ErrorCode;
import io.netty.channel.group.ChannelGroup;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the connections of a server share.
 *
 * @param config the server's configuration
 * @param serverId number of this process
 * @param volumes the volumes
 * @param threads where stores are used
 * @param catalog where volumes are looked up, one request after another
 * @param budget memory in flight
 * @param cacheBudget memory for top levels
 * @param unfinishedFrames frames that have arrived in part
 * @param channels all connections
 * @param admission places for them
 * @param state whether new requests are taken, and how many are under way
 */
record ServerContext(
    ServerConfig config,
    long serverId,
    Volumes volumes,
    Executor threads,
    SerialExecutor catalog,
    MemoryBudget budget,
    CacheBudget cacheBudget,
    UnfinishedFrames unfinishedFrames,
    ChannelGroup channels,
    Admission admission,
    State state) {

  /** Requests under way. */
  static final class State {
    private final AtomicInteger requests = new AtomicInteger();
    private volatile boolean draining;

    void refuseWhileDraining() throws RequestException {
      if (draining) {
        throw new RequestException(ErrorCode.DRAINING, "the server is shutting down");
      }
    }

    void drain() {
      draining = true;
    }

    void begin() {
      requests.incrementAndGet();
    }

    void end() {
      requests.decrementAndGet();
    }

    int requests() {
      return requests.get();
    }
  }
}
