package io.github.roram.storage.remote;

import io.github.roram.storage.remote.RemoteCall.RemoteRequest;
import io.github.roram.storage.remote.RemoteCall.SyncRequest;
import io.github.roram.storage.remote.RemoteConnection.ConnectionLostException;
import io.github.roram.storage.remote.RemoteStore.RemoteCounts;
import io.github.roram.storage.remote.Retries.Backoff;
import io.github.roram.threads.IoCall;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What the requests of one store share, whether their callers wait or not: the session, the writes
 * that are kept, the rules for another try, the counts.
 *
 * <p>Thread safety: safe.
 */
final class RemoteLine {

  private final Connector connector;
  private final UnsyncedWrites unsynced = new UnsyncedWrites();
  private final VolumeSession session;
  private final Retries retries;
  private final LongAdder roundTrips = new LongAdder();
  private final LongAdder bytesRead = new LongAdder();
  private final LongAdder bytesWritten = new LongAdder();

  RemoteLine(Connector connector, LeaseKeeper keeper) {
    this.connector = connector;
    session = new VolumeSession(connector, unsynced, keeper);
    retries = new Retries(connector.options().times().retryBound(), connector.address());
  }

  RemoteAddress address() {
    return connector.address();
  }

  RemoteOptions options() {
    return connector.options();
  }

  VolumeSession session() {
    return session;
  }

  UnsyncedWrites unsynced() {
    return unsynced;
  }

  /** Returns whether more writes are kept in memory than allowed, so that a sync must come next. */
  boolean keepsTooMuch() {
    return unsynced.bytes() > connector.options().memory().unsyncedBytes();
  }

  SyncRequest newSync() {
    return new SyncRequest(connector.address(), unsynced);
  }

  /** Returns the pauses between the attempts of one request. */
  Backoff backoff() {
    return retries.backoff();
  }

  /** Returns a connection that has the volume open; connects if necessary. */
  RemoteConnection connect() throws IOException {
    return leased(session::connection);
  }

  /** Makes requests and waits for them. */
  void run(RemoteCall call) throws IOException {
    while (call.hasNext()) {
      RemoteRequest request = call.next(connect());
      try {
        run(request);
      } catch (IOException | RuntimeException | Error e) {
        call.failed();
        throw e;
      }
      call.answered();
    }
  }

  private void run(RemoteRequest request) throws IOException {
    leased(
        () -> {
          RemoteConnection connection = session.connection();
          roundTrips.increment();
          request.run(connection, connector.requestTimeoutNanos());
          return true;
        });
  }

  private <T extends @Nullable Object> T leased(IoCall<T> attempt) throws IOException {
    return retries.run(
        () -> {
          try {
            return attempt.call();
          } catch (LeaseLostException e) {
            throw fenced(e);
          }
        });
  }

  /**
   * Determines whether the lease is gone, by resuming it over another connection. That a connection
   * was fenced does not tell by whom: an older connection of this client may have been late.
   *
   * @throws LeaseLostException if the lease is gone
   */
  ConnectionLostException fenced(LeaseLostException failure) throws IOException {
    session.checkOpen();
    return session.fenced(failure);
  }

  void countRound() {
    roundTrips.increment();
  }

  void countRead(long bytes) {
    bytesRead.add(bytes);
  }

  void countWritten(long bytes) {
    bytesWritten.add(bytes);
  }

  RemoteCounts counts() {
    return new RemoteCounts(
        roundTrips.sum(), session.connections(), bytesRead.sum(), bytesWritten.sum());
  }

  void close() {
    session.close();
    unsynced.clear();
    connector.close();
  }
}
