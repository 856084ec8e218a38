package io.github.roram.netserver.link;

import io.github.roram.storage.link.LinkDirection;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a relay's link: what is on it, and when it arrives. For the event loop, but for
 * {@link #close}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel closes it
final class Line {

  /**
   * As much is read ahead of the line as it carries in this time: it stays busy though this machine
   * is late now and then.
   */
  private static final long AHEAD_NANOS = 5_000_000;

  private final LinkDirection direction;
  private final EventLoop loop;

  /** In the order in which they arrive. */
  private final Queue<Piece> pieces = new ArrayDeque<>();

  private boolean closed;

  /** Bytes for a channel; null for its end. */
  private record Piece(long arrivalNanos, Channel target, @Nullable ByteBuf bytes) {}

  Line(LinkDirection direction, EventLoop loop) {
    this.direction = direction;
    this.loop = loop;
  }

  /** Takes bytes over, to be written when they have arrived. */
  void send(Channel target, ByteBuf bytes) {
    put(target, bytes, bytes.readableBytes());
  }

  /** Closes the channel behind what was sent to it before. */
  void sendEnd(Channel target) {
    put(target, null, 0);
  }

  private void put(Channel target, @Nullable ByteBuf bytes, int length) {
    long now = System.nanoTime();
    Piece piece = new Piece(direction.send(now, length), target, bytes);
    pieces.add(piece);
    if (pieces.size() == 1) {
      loop.schedule(this::deliver, piece.arrivalNanos - now, TimeUnit.NANOSECONDS);
    }
  }

  private void deliver() {
    long now = System.nanoTime();
    for (Piece first = pieces.peek(); first != null; first = pieces.peek()) {
      if (first.arrivalNanos > now && !closed) {
        loop.schedule(this::deliver, first.arrivalNanos - now, TimeUnit.NANOSECONDS);
        return;
      }
      pieces.remove();
      if (first.bytes == null) {
        first.target.close();
      } else {
        first.target.writeAndFlush(first.bytes);
      }
    }
  }

  /** How long to wait before more is read; 0 if there is room on the line. */
  long waitNanos() {
    return Math.max(0, direction.waitNanos(System.nanoTime()) - AHEAD_NANOS);
  }

  /** Frees what is on the line. Once the channels are closed; for any thread. */
  void close() {
    loop.submit(
            () -> {
              closed = true;
              deliver();
            })
        .awaitUninterruptibly();
  }
}
