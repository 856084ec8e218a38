package io.github.roram.netserver;

import io.github.roram.storage.remote.protocol.FrameDecoder;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends connections that keep the server waiting. Event loop only. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel goes to its pipeline
final class ConnectionWatch {

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionWatch.class);

  private final ConnectionHandler connection;
  private final Channel channel;
  private final FrameDecoder decoder;
  private final ServerTimeouts timeouts;
  private final long startNanos = System.nanoTime();
  private long heardNanos = startNanos;
  private long unwritableNanos;
  private boolean unwritable;
  private @Nullable Future<?> checks;

  ConnectionWatch(
      ConnectionHandler connection, Channel channel, FrameDecoder decoder, ServerTimeouts times) {
    this.connection = connection;
    this.channel = channel;
    this.decoder = decoder;
    this.timeouts = times;
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
    heardNanos = System.nanoTime();
  }

  void unwritable() {
    unwritable = true;
    unwritableNanos = System.nanoTime();
  }

  void writable() {
    unwritable = false;
  }

  private void check() {
    long now = System.nanoTime();
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
    } else if (reading && connection.intake().isIdle() && isOver(silence, timeouts.idle())) {
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
