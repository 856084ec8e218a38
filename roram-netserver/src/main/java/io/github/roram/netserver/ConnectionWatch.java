package io.github.roram.netserver;

import io.github.roram.storage.remote.protocol.FrameDecoder;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends connections that keep the server waiting. Event loop only. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel goes to its pipeline
final class ConnectionWatch {

  /** A connection, as far as the watch is concerned. */
  interface Watched {
    /** Whether the client has said who it is. */
    boolean isHandshaken();

    /** Whether the rest of a request is due. */
    boolean awaitsData();

    /** Whether nothing is under way, so that silence means that nobody is there. */
    boolean isIdle();
  }

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionWatch.class);

  private final Watched connection;
  private final Channel channel;
  private final FrameDecoder decoder;
  private final ServerTimeouts timeouts;
  private final LongSupplier nanoClock;
  private final long startNanos;
  private long heardNanos;
  private long unwritableNanos;
  private boolean unwritable;
  private @Nullable Future<?> checks;

  ConnectionWatch(
      Watched connection,
      Channel channel,
      FrameDecoder decoder,
      ServerTimeouts times,
      LongSupplier nanoClock) {
    this.connection = connection;
    this.channel = channel;
    this.decoder = decoder;
    this.timeouts = times;
    this.nanoClock = nanoClock;
    startNanos = nanoClock.getAsLong();
    heardNanos = startNanos;
  }

  void start() {
    long shortest = Long.MAX_VALUE;
    for (Duration one :
        new Duration[] {
          timeouts.handshake(), timeouts.idle(), timeouts.sender(), timeouts.reader()
        }) {
      shortest = Math.min(shortest, one.toMillis());
    }
    long periodMillis = Math.max(10, Math.min(1000, shortest / 4));
    checks =
        channel
            .eventLoop()
            .scheduleWithFixedDelay(this::check, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
  }

  void stop() {
    Future<?> running = checks;
    if (running != null) {
      running.cancel(false);
    }
  }

  /** A whole frame arrived, or this side has not wanted any. */
  void heard() {
    heardNanos = nanoClock.getAsLong();
  }

  void unwritable() {
    unwritable = true;
    unwritableNanos = nanoClock.getAsLong();
  }

  void writable() {
    unwritable = false;
  }

  private void check() {
    long now = nanoClock.getAsLong();
    boolean reading = channel.config().isAutoRead();
    long silence = now - heardNanos;
    if (!connection.isHandshaken() && isOver(now - startNanos, timeouts.handshake())) {
      end("it did not say who it is");
    } else if (unwritable && isOver(now - unwritableNanos, timeouts.reader())) {
      end("it does not take what it asked for");
    } else if (reading
        && (decoder.isMidFrame() || connection.awaitsData())
        && isOver(silence, timeouts.sender())) {
      end("it does not send what it has begun");
    } else if (reading && connection.isIdle() && isOver(silence, timeouts.idle())) {
      end("it has been silent");
    }
  }

  private static boolean isOver(long nanos, Duration bound) {
    return nanos > bound.toNanos();
  }

  private void end(String reason) {
    LOG.info("the connection from {} is closed: {}", channel.remoteAddress(), reason);
    channel.close();
  }
}
