package io.github.roram.netserver;

import io.github.roram.storage.remote.protocol.ErrorCode;
import io.github.roram.storage.remote.protocol.FrameType;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Tells the observer of the requests of one connection, each once.
 *
 * <p>Thread safety: safe.
 */
final class RequestLog {

  /** A request that was not answered yet; its counts are written by one thread at a time. */
  private static final class Open {
    private final FrameType type;
    private final long startNanos;
    private volatile long bytesIn;
    private volatile long bytesOut;

    Open(FrameType type, long startNanos) {
      this.type = type;
      this.startNanos = startNanos;
    }
  }

  private final ServerObserver observer;
  private final LongSupplier nanoClock;
  private final Map<Long, Open> open = new ConcurrentHashMap<>();

  RequestLog(ServerObserver observer, LongSupplier nanoClock) {
    this.observer = observer;
    this.nanoClock = nanoClock;
  }

  /** A request came. */
  void begun(long id, FrameType type) {
    open.put(id, new Open(type, nanoClock.getAsLong()));
  }

  /** Data of a request came. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // event loop only
  void received(long id, long bytes) {
    Open request = open.get(id);
    if (request != null) {
      request.bytesIn += bytes;
    }
  }

  /** A part of an answer went out. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // the parts go out one after another
  void sent(long id, long bytes) {
    Open request = open.get(id);
    if (request != null) {
      request.bytesOut += bytes;
    }
  }

  /** A request was answered with what it asked for. */
  void answered(long id) {
    ended(id, "ok");
  }

  /** A request was answered with an error. */
  void failed(long id, ErrorCode code) {
    Open request = open.get(id);
    if (code == ErrorCode.UNAUTHORISED) {
      observer.accessDenied();
    } else if (code == ErrorCode.LEASE_LOST) {
      observer.leaseLost();
    } else if (code == ErrorCode.LOCKED
        && request != null
        && request.type == FrameType.VOLUME_OPEN) {
      observer.leaseConflict();
    }
    ended(id, code.name().toLowerCase(Locale.ROOT));
  }

  private void ended(long id, String outcome) {
    Open request = open.remove(id);
    if (request != null) {
      observer.requestDone(
          request.type.name().toLowerCase(Locale.ROOT),
          outcome,
          nanoClock.getAsLong() - request.startNanos,
          request.bytesIn,
          request.bytesOut);
    }
  }
}
