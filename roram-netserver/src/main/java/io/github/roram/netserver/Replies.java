package io.github.roram.netserver;

import io.github.roram.storage.remote.protocol.ErrorDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the answers of one connection, and tells the log of them.
 *
 * <p>Thread safety: safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel goes to its pipeline
final class Replies {

  private static final Logger LOG = LoggerFactory.getLogger(Replies.class);

  /** Writes a payload. */
  @FunctionalInterface
  interface Payload {
    void encode(ByteBuf out);
  }

  private final Channel channel;
  private final RequestLog log;
  private final SendingMemory memory;

  Replies(Channel channel, RequestLog log, SendingMemory memory) {
    this.channel = channel;
    this.log = log;
    this.memory = memory;
  }

  /** The request was done, and there is nothing more to say. */
  void done(long id) {
    send(FrameType.DONE, id, payload -> {});
  }

  /** The request was done. */
  void send(FrameType type, long id, Payload content) {
    write(type, id, content);
    log.answered(id);
  }

  /** Whether anyone is there to be answered. */
  boolean isOpen() {
    return channel.isActive();
  }

  /** As {@link SendingMemory#take}, for a frame of a read's answer. */
  boolean takeMemory(int bytes, Runnable later) {
    return memory.take(bytes, later);
  }

  /** Nothing comes of a frame whose memory was taken. */
  void giveMemory(int bytes) {
    memory.give(bytes);
  }

  /** Room for a frame, whose memory was taken. */
  ByteBuf newFrame(int bytes) {
    return channel.alloc().directBuffer(bytes);
  }

  /** A frame of a read's answer, whose memory was taken; goes out with the next {@link #flush}. */
  void data(long id, ByteBuf frame, int bytes, boolean last) {
    log.sent(id, bytes);
    if (last) {
      log.answered(id);
    }
    channel.write(frame).addListener(sent -> memory.give(bytes));
  }

  /** Sends what was written. */
  void flush() {
    channel.flush();
  }

  /** The request failed. A client that cannot even be told so is cut off, and need not wait. */
  void error(long id, Throwable failure) {
    try {
      if (failure instanceof Error) {
        LOG.error("request of {} failed", channel.remoteAddress(), failure);
      } else if (RequestException.isServersOwn(failure)) {
        LOG.warn("request of {} failed", channel.remoteAddress(), failure);
      }
      ErrorDescriptor error = RequestException.describe(failure);
      log.failed(id, error.code());
      write(FrameType.ERROR, id, error::encode);
    } catch (Error e) {
      channel.close();
      throw e;
    }
  }

  private void write(FrameType type, long id, Payload content) {
    ByteBuf payload = Unpooled.buffer();
    content.encode(payload);
    channel.writeAndFlush(
        FrameDescriptor.frame(channel.alloc(), type, 0, id, payload), channel.voidPromise());
  }
}
