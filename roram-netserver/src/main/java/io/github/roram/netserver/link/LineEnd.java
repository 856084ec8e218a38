package io.github.roram.netserver.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One of the two connections of a relay: what comes from it goes on the line to the other one. It
 * is read no faster than the line and the other one take. For the event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel closes it
final class LineEnd extends ChannelInboundHandlerAdapter {

  private final Line line;
  private @Nullable Channel own;
  private @Nullable Channel other;
  private boolean reading;
  private boolean ended;

  LineEnd(Line line) {
    this.line = line;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    own = context.channel();
  }

  /** Both are connected. */
  void join(Channel otherEnd) {
    other = otherEnd;
    if (ended) {
      line.sendEnd(otherEnd);
    } else {
      readOn();
    }
  }

  private void readOn() {
    Channel from = own;
    Channel to = other;
    if (from == null || to == null || reading || ended || !to.isWritable()) {
      return;
    }
    reading = true;
    long wait = line.waitNanos();
    if (wait == 0) {
      from.read();
    } else {
      from.eventLoop().schedule(() -> from.read(), wait, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Channel to = other;
    if (to == null) {
      ((ByteBuf) message).release();
    } else {
      line.send(to, (ByteBuf) message);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    reading = false;
    readOn();
  }

  /** This one takes more: the other end is read on. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    Channel to = other;
    if (to != null && context.channel().isWritable()) {
      LineEnd otherEnd = to.pipeline().get(LineEnd.class);
      if (otherEnd != null) {
        otherEnd.readOn();
      }
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ended = true;
    Channel to = other;
    if (to != null) {
      line.sendEnd(to);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    context.close();
  }
}
