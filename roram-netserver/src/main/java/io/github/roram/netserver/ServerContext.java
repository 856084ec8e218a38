package io.github.roram.netserver;

import io.github.roram.storage.intake.UnderWay;
import io.github.roram.storage.remote.protocol.ErrorCode;
import java.util.concurrent.Executor;

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
 * @param underWay whether new requests are taken, and how many are under way
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
    UnderWay underWay) {

  void refuseWhileDraining() throws RequestException {
    if (underWay.isDraining()) {
      throw new RequestException(ErrorCode.DRAINING, "the server is shutting down");
    }
  }
}
